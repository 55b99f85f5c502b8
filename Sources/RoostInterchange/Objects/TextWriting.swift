internal import Roost
internal import RoostEngine

/// Writes a model's objects as text, in batches.
struct TextWriting<M: Model> {
  private let format: TextFormat
  private let rows: DetachedRows<M>
  private let shape: RecordShape
  private let separator: UInt8
  private let output: TextOutput
  private var text: [UInt8] = []
  /// The number of objects written.
  private(set) var count = 0

  /// The number of bytes to buffer before a write.
  private static var bytesMax: Int { 256 << 10 }

  /// Begins a text.
  ///
  /// - Parameter blobs: Where blobs are read whose bytes the objects do not have.
  init(
    _ output: TextOutput, _ format: TextFormat, blobs: _Reader? = nil
  ) throws(StoreError) {
    self.output = output
    self.format = format
    rows = try DetachedRows(blobs: blobs)
    shape = try format.shape(rows.shape, of: DetachedRows<M>.modelName)
    separator = try format.separatorByte
    switch format.kind {
    case .json:
      for name in format.memberPath {
        text.add("{")
        text.addString(name)
        text.add(":")
      }
      text.add("[")
    case .lines: break
    case .csv:
      let names = try format.columnNames(of: rows.shape, DetachedRows<M>.modelName)
      text.addCSVHeader(names, separator: separator)
    }
  }

  /// Writes an object.
  mutating func add(_ object: M) throws {
    rows.columns.removeAll()
    try rows.append(object)
    let times = format.dates.engine
    beginObject()
    if format.kind == .csv {
      text.addCSVRecord(shape, rows.columns, row: 0, times: times, separator: separator)
    } else {
      text.addRecord(shape, rows.columns, row: 0, times: times)
    }
    try endObject()
  }

  /// Writes an object whose JSON is given.
  mutating func add(text object: [UInt8]) throws {
    beginObject()
    text += object
    try endObject()
  }

  private mutating func beginObject() {
    if format.kind == .json { text.add(count > 0 ? ",\n" : "\n") }
  }

  private mutating func endObject() throws {
    if format.kind == .lines { text.add("\n") }
    count += 1
    if text.count >= Self.bytesMax { try flush() }
  }

  /// Ends the text.
  mutating func end() throws {
    if format.kind == .json {
      text.add("\n]")
      for _ in format.memberPath { text.add("}") }
      text.add("\n")
    }
    try flush()
  }

  private mutating func flush() throws {
    try output.write(text)
    text.removeAll(keepingCapacity: true)
  }
}
