public import Roost
internal import RoostEngine

extension DynamicSnapshot {
  /// Everything that the version holds as lines of JSON: one object a line, in the form of Format.md §12.
  public func dump() -> DynamicDump { DynamicDump(content) }
}

/// Everything that a version holds as lines of JSON, some at a time.
///
/// Tables come in the order in which they were added, objects in the order of their keys. Memory is bounded: a leaf at a time is
/// read. What is damaged is left out, and said.
///
/// ```swift
/// var dump = snapshot.dump()
/// while let part = try dump.next() {
///   try output.write(contentsOf: part.lines)
///   for gap in part.gaps { print("left out of \(gap.table): \(gap.damage)") }
/// }
/// print(dump.objectsMissing, "objects are damaged")
/// ```
public struct DynamicDump {
  /// Some of the dump.
  public struct Part: Sendable {
    /// Whole lines.
    public var lines: [UInt8] = []
    /// What was left out before the lines end, adjacent losses with the same cause as one.
    public var gaps: [Gap] = []
    /// The table that the lines end in.
    public var table: String
    /// How many of its objects were looked at.
    public var done: UInt64
    /// How many it has.
    public var total: UInt64
  }

  /// Objects that are left out because they cannot be read.
  public struct Gap: Sendable {
    /// Their table.
    public let table: String
    /// What keeps them from being read, and their keys.
    public let damage: StoreDamage
  }

  /// How many objects could not be read so far; of a table that is begun, those that are to come count as well.
  public private(set) var objectsMissing: UInt64 = 0
  private let content: SnapshotContent
  private let lines: ObjectLines
  private var tables: ArraySlice<TableDefinition>
  private var current: OpenTable?
  /// What was left out of the table last, and is not told yet.
  private var gap: Corruption?
  private static let bytesMax = 64 << 10

  /// A table that is under way.
  private struct OpenTable {
    let definition: TableDefinition
    let objects: ObjectTree
    let form: ObjectLines.Form
    /// Where to look for the next leaf; nil where a cursor is.
    var first: Int64?
    var cursor: LeafCursor?
  }

  init(_ content: SnapshotContent) {
    self.content = content
    lines = ObjectLines(of: content.snapshot)
    tables = content.catalog.tables[...]
  }

  /// Some more lines, with what was left out; nil at the end.
  ///
  /// - Throws: What the system refuses; damage is told, and never thrown.
  public mutating func next() throws(StoreError) -> Part? {
    do { return try nextPart() } catch { throw StoreError(error, in: content.file) }
  }

  private mutating func nextPart() throws(EngineError) -> Part? {
    if current == nil { current = try open() }
    guard var table = current else { return nil }
    var part = Part(table: table.definition.name, done: 0, total: table.objects.count)
    var isAtEnd = false
    while !isAtEnd, part.lines.count < Self.bytesMax, part.gaps.isEmpty {
      isAtEnd = try !advance(&table, &part)
      part.done = table.cursor?.position ?? part.total
    }
    if isAtEnd { tellGap(of: table.definition, in: &part) }
    current = isAtEnd ? nil : table
    return part
  }

  /// Begins the next table.
  private mutating func open() throws(EngineError) -> OpenTable? {
    guard let definition = tables.popFirst() else { return nil }
    let objects = try content.snapshot.view.objects(definition.id)
    objectsMissing += objects.count
    return OpenTable(
      definition: definition, objects: objects,
      form: try lines.form(of: definition, isNamed: true), first: .min)
  }

  /// Goes on by a leaf, or to the next one behind damage.
  ///
  /// - Returns: Whether there is more.
  private mutating func advance(
    _ table: inout OpenTable, _ part: inout Part
  ) throws(EngineError) -> Bool {
    if table.cursor == nil {
      guard let first = table.first else { return false }
      let objects = table.objects
      let opened = try read { () throws(EngineError) in try objects.leaves(in: first...Int64.max) }
      switch opened {
      case .success(let cursor): table.cursor = cursor
      case .failure(let damage):
        leaveOut(damage, of: table.definition, in: &part)
        guard let last = damage.keys?.upperBound, last >= first, last < .max else { return false }
        table.first = last + 1
        return true
      }
    }
    guard var cursor = table.cursor else { return false }
    let found = try read { () throws(EngineError) in try cursor.next() }
    // After damage the cursor stands behind it.
    table.cursor = cursor
    switch found {
    case .success(let leaf?): try dump(leaf, of: table, to: &part)
    case .success(nil): return false
    case .failure(let damage): leaveOut(damage, of: table.definition, in: &part)
    }
    return true
  }

  private mutating func dump(
    _ leaf: LeafReference, of table: OpenTable, to part: inout Part
  ) throws(EngineError) {
    let chunks: [ColumnChunk]
    switch try read({ () throws(EngineError) in try lines.columns(of: leaf, table.form) }) {
    case .success(let columns): chunks = columns
    case .failure(let damage): return leaveOut(damage, of: table.definition, in: &part)
    }
    for row in 0..<leaf.rowCount {
      let lineStart = part.lines.count
      var text = part.lines
      part.lines = []
      let line = try read { () throws(EngineError) in
        try lines.add(row, of: leaf, chunks, table.form, to: &text)
      }
      part.lines = text
      switch line {
      case .success: objectsMissing -= 1
      case .failure(var damage):
        part.lines.removeSubrange(lineStart...)
        damage.keys = leaf.key(row)...leaf.key(row)
        leaveOut(damage, of: table.definition, in: &part)
      }
    }
    withExtendedLifetime(leaf) {}
  }

  // MARK: Damage

  /// The result, or the damage that kept it from being had.
  private func read<Found>(
    _ body: () throws(EngineError) -> Found
  ) throws(EngineError) -> Result<Found, Corruption> {
    do { return .success(try body()) } catch {
      guard case .corrupt(let damage) = error else { throw error }
      return .failure(damage)
    }
  }

  /// Notes that objects are left out; neighbours that one extent's damage hits are one gap.
  private mutating func leaveOut(
    _ damage: Corruption, of table: TableDefinition, in part: inout Part
  ) {
    if let last = gap, last.reason == damage.reason, last.unit == damage.unit,
      last.tree == damage.tree, let keys = last.keys, let more = damage.keys
    {
      gap?.keys = min(keys.lowerBound, more.lowerBound)...max(keys.upperBound, more.upperBound)
    } else {
      tellGap(of: table, in: &part)
      gap = damage
    }
  }

  private mutating func tellGap(of table: TableDefinition, in part: inout Part) {
    guard let gap else { return }
    part.gaps.append(
      Gap(
        table: table.name,
        damage: StoreDamage(gap, names: TreeNames(content.catalog))))
    self.gap = nil
  }
}
