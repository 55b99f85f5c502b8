package import RoostEngine

/// Salvages the readable content of a damaged store.
extension Engine {
  /// Writes all readable content of the store at `path` to a new file.
  ///
  /// An unreadable value becomes null if its field is optional; otherwise the object is lost, and with
  /// it every object with a required link to it. Tables, fields and object keys do not change; indexes
  /// are rebuilt. The damaged file is not changed. The new file is verified before it is renamed to `copy`.
  /// Reads everything twice. Memory grows only with the number of objects: 8 bytes each, and where objects are lost
  /// because of required links, also 24 bytes for each required link.
  /// - Parameters:
  ///   - copy: Where the new file is to lie; there must be none.
  ///   - progress: Called now and then, by this thread.
  /// - Throws: `.corrupt` where no slot leads to a catalog, so that nothing is known of the file;
  ///   `.locked`, `.inUse`, `.fileIsNewer`, and the system's refusals as `.file`.
  package static func salvage(
    _ path: String, to copy: String, in fileSystem: any FileSystem = PosixFileSystem(),
    progress: ((MaintenanceProgress) -> Void)? = nil
  ) throws(EngineError) -> SalvageReport {
    let damaged = try EngineError.wrap { () throws(FileError) in
      try checkIsFree(copy, in: fileSystem)
      return try fileSystem.open(path, .readOnly)
    }
    defer { damaged.close() }
    try lock(damaged, exclusive: false, path)
    let source = try SalvageSource(damaged)
    let temporary = unfinishedPath(for: copy)
    let file: any StorageFile
    do throws(FileError) {
      file = try UnfinishedFile(at: temporary, in: fileSystem).create()
    } catch { throw error.meaning == .busy ? .locked(path: copy) : .file(error) }
    let report: SalvageReport
    do {
      try EngineError.wrap { () throws(FileError) in
        try checkIsFree(copy, in: fileSystem)
        // Set the permissions before the file has any content.
        try file.adoptPermissions(of: damaged)
      }
      report = try Salvage(source, progress).run(into: file)
      try EngineError.wrap { () throws(FileError) in
        try file.synchronize()
        try checkIsFree(copy, in: fileSystem)
        try fileSystem.rename(temporary, to: copy)
      }
    } catch {
      try? fileSystem.remove(temporary)
      file.close()
      throw error
    }
    file.close()
    try EngineError.wrap { () throws(FileError) in
      try fileSystem.synchronizeDirectory(of: copy)
    }
    return report
  }

  private static func checkIsFree(
    _ path: String, in fileSystem: any FileSystem
  ) throws(FileError) {
    guard try fileSystem.kind(of: path, followsLinks: false) == nil else {
      throw FileError(.open, path: path, .existingFile)
    }
  }
}

/// One salvage of one file.
private struct Salvage {
  private let source: SalvageSource
  private let progress: ((MaintenanceProgress) -> Void)?
  private static let cacheBytes = 8 << 20
  private static let batchBytes = 8 << 20

  init(_ source: SalvageSource, _ progress: ((MaintenanceProgress) -> Void)?) {
    self.source = source
    self.progress = progress
  }

  func run(into file: any StorageFile) throws(EngineError) -> SalvageReport {
    var report = SalvageReport()
    report.isFromUnconfirmedVersion = source.isUnconfirmed
    let tables = try readableTables(&report)
    try EngineError.wrap { () throws(FileError) in
      try NewFile.fill(
        file, transaction: source.firstTransaction, features: source.slot.features)
    }
    var options = EngineOptions(cacheBytes: Self.cacheBytes)
    options.ringUnits = 0
    let target = try Engine.open(file, file.path, options)
    try write(tables, to: target, &report)
    let result = target.snapshot()
    let fileBytes = result.version.slot.highWater * UInt64(Unit.bytes)
    try EngineError.wrap { () throws(FileError) in try file.truncate(to: fileBytes) }
    // A field value that is not valid was in the damaged file too, and is saved unchanged.
    let findings = try result.verify(progress: progress).filter { $0.reason != .fieldValue }
    if let finding = findings.first { throw .corrupt(finding) }
    return report
  }

  private func meter() -> ProgressMeter {
    let trees = source.roots.all.filter { $0.kind == .objects }
    return ProgressMeter(.copying, total: trees.reduce(0) { $0 &+ $1.count }, progress)
  }

  /// Finds the objects to save: the readable ones without dangling required links.
  private func readableTables(
    _ report: inout SalvageReport
  ) throws(EngineError) -> [SalvagedTable] {
    var ownership = UnitOwnership(highWater: source.slot.highWater)
    let meter = meter()
    var tables: [SalvagedTable] = []
    for definition in source.catalog.tables {
      if source.lostTrees.contains(definition.tree) {
        report.add(
          .init(
            table: definition.name, field: nil, keys: Int64.min...Int64.max,
            cause: .corrupt(Corruption(.roots, tree: definition.tree))))
      }
      tables.append(
        try SalvagedTable(
          definition, in: source.view, ownership: &ownership, report: &report,
          progress: meter.advance))
    }
    let lost = UnlinkedObjects(of: tables, among: lookups(of: tables))
    for object in lost.lost {
      let table = tables[object.table].definition
      report.add(
        .init(
          table: table.name, field: nil, keys: object.key...object.key,
          cause: .corrupt(Corruption(.link, tree: table.tree))))
    }
    for place in tables.indices { tables[place].remove(lost.keys[place]) }
    return tables
  }

  private func lookups(of tables: [SalvagedTable]) -> [UInt32: KeySet] {
    var lookups: [UInt32: KeySet] = [:]
    for table in tables { lookups[table.definition.id] = KeySet(ascending: table.keys) }
    return lookups
  }

  private func write(
    _ tables: [SalvagedTable], to target: Engine, _ report: inout SalvageReport
  ) throws(EngineError) {
    let keys = lookups(of: tables)
    let meter = meter()
    var copied: [SalvageReport.Loss] = []
    try target.write { (transaction) throws(EngineError) in
      try transaction.catalogDidChange()
      transaction.catalog = source.catalog
      for table in tables {
        let copy = TableSalvage(table, targets: keys, writer: transaction.writer)
        try table.forEachSavedRun { (leaf, rows) throws(EngineError) in
          try copy.append(leaf, rows)
          meter.advance(UInt64(rows.count))
          if copy.byteCount > Self.batchBytes { try copy.flush() }
        }
        try copy.flush()
        for root in copy.roots { transaction.changedRoots.update(with: root) }
        copied += copy.losses
      }
    }
    for loss in copied { report.add(loss) }
    try redo(in: target, &report)
    let saved = try target.snapshot().view
    for table in tables {
      let id = table.definition.id
      report.tables.append(
        .init(
          name: table.definition.name, objectsSaved: try saved.objects(id).count,
          objectsBefore: source.unapplied.joined().reduce(table.objects.count) { count, rows in
            guard rows.table == id else { return count }
            return count &+ UInt64(rows.insertedKeys.count) &- UInt64(rows.deletes.count)
          }))
    }
  }

  /// Makes the changes that only records of the ring have.
  private func redo(
    in target: Engine, _ report: inout SalvageReport
  ) throws(EngineError) {
    guard !source.unapplied.isEmpty else { return }
    var lost: [(table: UInt32, key: Int64)] = []
    do throws(EngineError) {
      lost = try redo(source.unapplied, in: target)
    } catch  where error.isOfContent {
      // A record that does not fit what could be saved is left out by itself.
      for record in source.unapplied {
        do throws(EngineError) {
          lost += try redo([record], in: target)
        } catch  where error.isOfContent {
          for rows in record { lost += rows.keys.map { (rows.table, $0) } }
        }
      }
    }
    for (table, key) in lost {
      guard let definition = source.catalog.table(table) else { continue }
      report.add(
        .init(
          table: definition.name, field: nil, keys: key...key,
          cause: .corrupt(Corruption(.ringRecord, tree: definition.tree))))
    }
  }

  private func redo(
    _ records: [[RecordedRows]], in target: Engine
  ) throws(EngineError) -> [(table: UInt32, key: Int64)] {
    try target.write { (transaction) throws(EngineError) in
      var lost: [(table: UInt32, key: Int64)] = []
      for record in records { lost += try transaction.redo(record) }
      return lost
    }
  }
}

extension EngineError {
  /// Whether objects or links are not as their tables demand, and not the disk or the program.
  fileprivate var isOfContent: Bool {
    switch self {
    case .corrupt, .duplicate, .missing, .danglingLink, .linkedTarget, .unknownTable,
      .unknownField, .unknownColumn, .wrongType, .tooLong:
      true
    default: false
    }
  }
}

/// Writes the saved objects of one table, and rebuilds its indexes.
private final class TableSalvage {
  private let table: SalvagedTable
  private let targets: [UInt32: KeySet]
  private let writer: PageWriter
  private let shape: TableShape
  private var root: TreeRoot
  private let indexes: [IndexSalvage]
  private let tableIndexes: [TableIndexSalvage]
  private var batch: RecordBatch
  private(set) var losses: [SalvageReport.Loss] = []

  init(_ table: SalvagedTable, targets: [UInt32: KeySet], writer: PageWriter) {
    self.table = table
    self.targets = targets
    self.writer = writer
    shape = table.objects.shape
    root = TreeRoot(empty: table.definition.tree, kind: .objects)
    // Object keys are never reused, even if the root with the next key is lost.
    let next = UInt64(max(table.keys.last ?? 0, 0)) + 1
    let known = min(table.objects.root.counter, UInt64(Int64.max))
    root.counter = table.definition.hasIntegerKey ? max(known, 1) : max(known, next)
    batch = RecordBatch(shape: shape)
    indexes = table.definition.fields.filter { $0.indexTree != 0 }.map { IndexSalvage($0, writer) }
    let shape = shape
    tableIndexes = table.definition.indexes.compactMap {
      TableIndexKeys($0, of: shape).map { TableIndexSalvage($0, writer) }
    }
  }

  /// The bytes that the buffered rows and index changes use.
  var byteCount: Int {
    batch.byteCount + indexes.reduce(0) { $0 + $1.byteCount }
      + tableIndexes.reduce(0) { $0 + $1.byteCount }
  }

  /// The roots of the table's trees.
  var roots: [TreeRoot] { [root] + indexes.map(\.root) + tableIndexes.map(\.root) }

  /// Buffers rows of a leaf.
  func append(_ leaf: LeafReference, _ rows: Range<Int>) throws(EngineError) {
    let first = batch.count
    batch.keys.append(leaf.keys, rows: rows)
    for (column, field) in zip(batch.columns, shape.fields) {
      let definition = table.definition.field(field.id)
      guard let chunk = try? leaf.column(field.id) else {
        for _ in rows { column.append(definition?.emptyValue ?? .null) }
        continue
      }
      column.append(chunk, rows: rows)
      for row in rows {
        let place = first + row - rows.lowerBound
        let key = leaf.key(row)
        if let reference = chunk.external(row) {
          guard !table.isLost(field.id, key), let entry = leaf.head.place(of: field.id) else {
            column.set(place, definition?.emptyValue ?? .null)
            continue
          }
          if definition?.type == .links {
            try add(try leaf.links(row, of: field.id), of: key, at: place, to: column, definition)
            continue
          }
          var moved = reference
          moved.pointer = try writer.copyValue(
            reference.pointer, length: reference.length,
            parentBirth: leaf.birth(ofColumnAt: entry), from: leaf.context.reader)
          column.set(place, external: moved)
        } else if definition?.type == .links {
          try add(try leaf.links(row, of: field.id), of: key, at: place, to: column, definition)
        } else if let definition, definition.type == .link, !chunk.isNull(row),
          targets[definition.target]?.contains(chunk.integer(row)) != true
        {
          column.setNull(place)
          losses.append(
            .init(
              table: table.definition.name, field: definition.name, keys: key...key,
              cause: .corrupt(Corruption(.link, tree: table.definition.tree))))
        }
      }
    }
    for index in indexes {
      try index.add(leaf, rows, batch.column(index.field.id) ?? batch.keys, first: first)
    }
    for index in tableIndexes { try index.add(leaf, rows, batch.columns, first: first) }
    withExtendedLifetime(leaf) {}
  }

  /// Adds the links of a row's list whose targets exist.
  private func add(
    _ links: [Int64], of key: Int64, at place: Int, to column: ColumnBuffer,
    _ field: FieldDefinition?
  ) throws(EngineError) {
    let known = field.flatMap { targets[$0.target] }
    let saved = links.filter { known?.contains($0) == true }
    let bytes = LinkList.bytes(saved)
    bytes.withByteView { column.set(place, bytes: $0) }
    guard saved.count < links.count else { return }
    losses.append(
      .init(
        table: table.definition.name, field: field?.name, keys: key...key,
        cause: .corrupt(Corruption(.link, tree: table.definition.tree))))
  }

  /// Writes the buffered rows.
  func flush() throws(EngineError) {
    let tree = ObjectTree(root: root, shape: shape, reader: writer.reader)
    root = try tree.apply(TableChanges(inserts: batch), writer: writer)
    for index in indexes { try index.flush() }
    for index in tableIndexes { try index.flush() }
    batch = RecordBatch(shape: shape)
  }
}

/// Rebuilds the index of one field.
private final class IndexSalvage {
  let field: FieldDefinition
  private(set) var root: TreeRoot
  private let writer: PageWriter
  private var changes = IndexChanges()
  private var key = IndexKey()

  var byteCount: Int { changes.byteCount }

  init(_ field: FieldDefinition, _ writer: PageWriter) {
    self.field = field
    self.writer = writer
    root = TreeRoot(empty: field.indexTree, kind: .index)
  }

  /// Buffers rows of a leaf, whose cells start at index `first` of `column`.
  func add(
    _ leaf: LeafReference, _ rows: Range<Int>, _ column: ColumnBuffer, first: Int
  ) throws(EngineError) {
    for row in rows {
      let place = first + row - rows.lowerBound
      let object = leaf.key(row)
      if column.type == .bytes, column.external(place) != nil {
        try field.forEachIndexKey(leaf, row: row, &key) { key in
          key.withView { changes.add($0, object) }
        }
      } else {
        field.forEachIndexKey(column, row: place, &key) { key in
          key.withView { changes.add($0, object) }
        }
      }
    }
  }

  /// Writes the buffered changes.
  func flush() throws(EngineError) {
    root = try IndexTree(root: root, reader: writer.reader).apply(changes, writer: writer)
    changes = IndexChanges()
  }
}

/// Rebuilds one index of a table.
private final class TableIndexSalvage {
  private let keys: TableIndexKeys
  private(set) var root: TreeRoot
  private let writer: PageWriter
  private var changes = IndexChanges()
  private var key = IndexKey()

  var byteCount: Int { changes.byteCount }

  init(_ keys: TableIndexKeys, _ writer: PageWriter) {
    self.keys = keys
    self.writer = writer
    root = TreeRoot(empty: keys.index.tree, kind: .index)
  }

  /// Buffers rows of a leaf, whose cells start at index `first` of the columns.
  func add(
    _ leaf: LeafReference, _ rows: Range<Int>, _ columns: [ColumnBuffer], first: Int
  ) throws(EngineError) {
    for row in rows {
      let place = first + row - rows.lowerBound
      let entry = try keys.set(&key) { (field, position, target) throws(EngineError) in
        let column = columns[position]
        if column.type == .bytes, column.external(place) != nil {
          try RowPlace.leaf(leaf, row).append(field, to: target)
        } else {
          target.append(column, row: place)
        }
      }
      if entry != .none { key.withView { changes.add($0, leaf.key(row)) } }
    }
  }

  /// Writes the buffered changes.
  func flush() throws(EngineError) {
    root = try IndexTree(root: root, reader: writer.reader).apply(changes, writer: writer)
    changes = IndexChanges()
  }
}
