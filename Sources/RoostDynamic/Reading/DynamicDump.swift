public import Roost
internal import RoostEngine

extension DynamicSnapshot {
  /// The whole content of the version as lines of JSON: one object a line, in the form of Format.md §12.
  public func dump() -> DynamicDump { DynamicDump(content) }
}

/// The whole content of a version as lines of JSON, read in parts.
///
/// Tables come in the order in which they were added, objects in the order of their keys. Memory is bounded: one leaf is read
/// at a time. Damaged objects are left out, and reported as gaps.
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
  /// A part of the dump.
  public struct Part: Sendable {
    /// Whole lines.
    public var lines: [UInt8] = []
    /// The objects left out before the end of the lines; adjacent losses with the same cause are merged.
    public var gaps: [Gap] = []
    /// The table that the dump has reached.
    public var table: String
    /// The number of its objects processed.
    public var done: UInt64
    /// The number of its objects.
    public var total: UInt64
  }

  /// Objects that are left out because they are damaged.
  public struct Gap: Sendable {
    /// The table of the objects.
    public let table: String
    /// The damage, with the keys of the objects.
    public let damage: StoreDamage
  }

  /// The number of unreadable objects so far; includes the objects of the current table that are still to be read.
  public private(set) var objectsMissing: UInt64 = 0
  private let content: SnapshotContent
  private let lines: ObjectLines
  private var tables: ArraySlice<TableDefinition>
  private var current: OpenTable?
  /// The last gap in the table, not reported yet.
  private var gap: Corruption?
  private static let bytesMax = 64 << 10

  /// The current table.
  private struct OpenTable {
    let definition: TableDefinition
    let objects: ObjectTree
    let form: ObjectLines.Form
    /// The key at which to look for the next leaf; nil if there is a cursor.
    var first: Int64?
    var cursor: LeafCursor?
  }

  init(_ content: SnapshotContent) {
    self.content = content
    lines = ObjectLines(of: content.snapshot)
    tables = content.catalog.tables[...]
  }

  /// The next lines and gaps; nil at the end.
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

  /// Advances by a leaf, or past damage to the next leaf.
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
    // After damage, the cursor is positioned past it.
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

  /// The result, or the damage that prevented the read.
  private func read<Found>(
    _ body: () throws(EngineError) -> Found
  ) throws(EngineError) -> Result<Found, Corruption> {
    do { return .success(try body()) } catch {
      guard case .corrupt(let damage) = error else { throw error }
      return .failure(damage)
    }
  }

  /// Records objects as left out; adjacent losses with the same cause are merged.
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
