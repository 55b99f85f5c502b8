public import Roost
internal import RoostEngine

extension DynamicObjects {
  /// The objects as lines of JSON in the form of Format.md §12, without the table.
  public func lines() -> DynamicLines { DynamicLines(self) }
}

/// Objects as lines of JSON, read in parts: the fastest way to read all of their values.
///
/// ```swift
/// var lines = try snapshot.objects("Person sort name").lines()
/// while let text = try lines.next() { try output.write(contentsOf: text) }
/// ```
public struct DynamicLines {
  private let objects: DynamicObjects
  private let lines: ObjectLines
  private var form: ObjectLines.Form?
  private var cursor: ResultCursor
  /// The rest of a leaf; rows before `place` were already returned.
  private var rest: (batch: ResultBatch, columns: [ColumnChunk], place: Int)?
  private static let bytesMax = 64 << 10

  fileprivate init(_ objects: DynamicObjects) {
    self.objects = objects
    lines = ObjectLines(of: objects.content.snapshot)
    cursor = objects.results.cursor()
  }

  /// The next whole lines, at most 64 KiB plus one object; nil at the end.
  ///
  /// - Throws: ``/Roost/StoreError/corrupt(path:damage:)`` where the file is damaged; what is left out by ``DynamicDump`` then.
  public mutating func next() throws(StoreError) -> [UInt8]? {
    do {
      let text = try text()
      return text.isEmpty ? nil : text
    } catch { throw StoreError(error, in: objects.content.file) }
  }

  private mutating func text() throws(EngineError) -> [UInt8] {
    var text: [UInt8] = []
    if form == nil { form = try lines.form(of: objects.definition, isNamed: false) }
    guard let form else { return text }
    while text.count < Self.bytesMax {
      if rest == nil {
        guard let batch = try cursor.next() else { break }
        rest = (batch, try lines.columns(of: batch.leaf, form), 0)
      }
      guard let (batch, columns, first) = rest else { break }
      var place = first
      while place < batch.rows.count, text.count < Self.bytesMax {
        try lines.add(batch.rows[place], of: batch.leaf, columns, form, to: &text)
        place += 1
      }
      rest = place < batch.rows.count ? (batch, columns, place) : nil
      withExtendedLifetime(batch) {}
    }
    return text
  }
}
