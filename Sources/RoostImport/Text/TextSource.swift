internal import Roost
internal import RoostInterchange

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// JSON and CSV files to import from.
final class TextSource: OpenedSource {
  typealias Object = TextRecord

  private let classes: [TextClass]
  /// What a JSON text has beside its classes.
  private let others: [String]
  private let reader: TextReader
  private let bytesMax: Int
  private let states: [String: ImportReport.SourceState]
  private var counts: [String: Int] = [:]

  /// A file per class.
  ///
  /// - Parameters:
  ///   - paths: The files, by the names of the classes.
  ///   - form: How they are written.
  ///   - bytesMax: The most memory of a record.
  init(_ paths: [String: String], _ form: TextClass.Form, bytesMax: Int) throws {
    states = try Self.states(of: Set(paths.values))
    classes = paths.sorted { $0.key < $1.key }.map {
      TextClass(name: $0.key, path: $0.value, form: form)
    }
    others = []
    reader = TextReader(classes.map(\.name))
    self.bytesMax = bytesMax
  }

  /// A file of classes, as the one of ``TextDocument``.
  init(document path: String, bytesMax: Int) throws {
    states = try Self.states(of: [path])
    let document: TextDocument
    do throws(TextError) { document = try TextDocument(path, bytesMax: bytesMax) } catch {
      throw Self.placed(error, path, line: 1, bytesMax)
    }
    classes = document.classes
    counts = document.counts
    others = document.others
    reader = TextReader(classes.map(\.name))
    self.bytesMax = bytesMax
  }

  private static func states(
    of paths: Set<String>
  ) throws(ImportError) -> [String: ImportReport.SourceState] {
    var states: [String: ImportReport.SourceState] = [:]
    for path in paths {
      guard let state = ImportSource.state(ofFileAt: path) else { throw .noSource(path: path) }
      states[path] = state
    }
    return states
  }

  var importableClasses: [String] { classes.map(\.name) }

  var countedClasses: [String] { importableClasses + others }

  func unknown(_ className: String) -> any Error {
    TextRecordError.unknownClass(className, classes: importableClasses)
  }

  func count(of className: String) throws -> Int {
    if let known = counts[className] { return known }
    // Something that is no class, and counts as one object that was not imported.
    guard classes.contains(where: { $0.name == className }) else { return 1 }
    var count = 0
    try walk(className) { (cursor) throws(TextError) in
      try cursor.skip()
      count += 1
      return nil
    }
    counts[className] = count
    return count
  }

  func forEachObject(of className: String, _ body: (TextRecord) throws -> Void) throws {
    var columns: [String]?
    try walk(className) { (cursor) throws(TextError) in
      try cursor.read()
    } _: { record in
      if columns == nil { columns = record.columns }
      try body(record)
    }
    if let columns, let column = reader.use(of: className).nowhere {
      throw TextRecordError.unknownColumn(className: className, column: column, columns: columns)
    }
  }

  /// Goes through the records of a class.
  private func walk(
    _ className: String,
    _ read: (inout TextCursor) throws(TextError) -> TextRecord.Content?,
    _ body: (TextRecord) throws -> Void = { _ in }
  ) throws {
    guard let definition = classes.first(where: { $0.name == className }) else {
      throw unknown(className)
    }
    var line = 1
    var cursor: TextCursor?
    while true {
      let content: TextRecord.Content?
      do throws(TextError) {
        if cursor == nil { cursor = try TextCursor(definition, bytesMax: bytesMax) }
        guard try cursor?.hasNext() == true, var current = cursor.take() else { return }
        line = current.line
        content = try read(&current)
        cursor = current
      } catch {
        throw Self.placed(error, definition.path, line: line, bytesMax)
      }
      guard let content else { continue }
      try body(
        TextRecord(
          className: className, line: line, path: definition.path, prefix: "", content: content,
          reader: reader))
    }
  }

  private static func placed(
    _ error: TextError, _ path: String, line: Int, _ bytesMax: Int
  ) -> any Error {
    switch error {
    case .malformed(let fault):
      TextRecordError.malformed(
        path: path, line: fault.line, column: fault.column, expected: fault.expected,
        found: fault.found)
    case .source(is RecordTooLarge):
      TextRecordError.tooLarge(path: path, line: line, bytesMax: bytesMax)
    case .source(let error): error
    }
  }

  static func placed(_ error: any Error, at record: TextRecord) -> any Error {
    switch error {
    case is TextRecordError: error
    case let error as StoreError:
      TextRecordError.notStored(
        className: record.className, path: record.path, line: record.line, error)
    default:
      TextRecordError.mapping(
        className: record.className, path: record.path, line: record.line, reason: "\(error)")
    }
  }

  func gathers(_ error: any Error) -> Bool {
    guard case .mismatch(let mismatch)? = error as? TextRecordError else { return false }
    return reader.add(mismatch)
  }

  func gathered() -> (any Error)? {
    let kept = reader.kept
    return kept.isEmpty ? nil : TextRecordError.mismatches(kept)
  }

  var countedRoundings: [ImportReport.Rounding] { reader.countedRoundings }

  var countedOmissions: [ImportReport.Omission] { [] }

  var definitions: [ImportReport.Definition] { [] }

  func checkUnchanged() throws {
    for (path, state) in states where ImportSource.state(ofFileAt: path) != state {
      throw TextRecordError.changed(path: path)
    }
  }
}
