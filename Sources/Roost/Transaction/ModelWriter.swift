internal import RoostEngine

/// Writes the objects of one model in one transaction.
final class ModelWriter<M: Model> {
  let model: ModelBinding
  let schema = M.schema
  unowned let context: WriteContext
  private let transaction: EngineTransaction
  private let file: StoreFile
  /// Receives the key of an object whose key is an integer: the key is not a cell of the row.
  private lazy var keyCell = ColumnBuffer(type: .integer)
  /// The sink that cells are appended to, and the batch that its columns belong to.
  private var sink: (cells: RowSink, kept: KeptColumns, merged: MergedColumns, batch: RecordBatch)?
  /// The objects that closures are changing.
  var changing = ChangingObjects<M>()
  /// The ids that the store gave to objects of the current call over many; nil outside of one.
  var givenIDs: Set<M.ID>?
  /// The field that was set last, with columns for its new value.
  private var target: FieldTarget?
  /// The kinds of values that this program writes without knowing them.
  private lazy var unknownKinds = UnknownKinds(
    of: model, in: transaction.catalog.table(model.tableID))
  /// The parts of optional structs that this program does not know.
  private lazy var unknownParts = UnknownParts(
    of: model, in: transaction.catalog.table(model.tableID))

  init(_ model: ModelBinding, in context: WriteContext) {
    self.model = model
    self.context = context
    transaction = context.transaction
    file = context.file
  }

  // MARK: Operations

  /// Adds an object; returns it as it is stored.
  func insert(_ object: M) throws(StoreError) -> M {
    try prepareInsert()
    try append(object)
    let isAssigned = try model.assignment.map { (way) throws(StoreError) in
      try assignKeys(way, count: 1)
    }
    let key = try engine { () throws(EngineError) in
      try transaction.insertRow(
        into: model.tableID, key: model.hasIntegerKey ? keyCell.integer(0) : nil)
    }
    guard isAssigned == true, let place = try context.place(in: model, key: key) else {
      return object
    }
    return try context.object(schema, of: model, at: place)
  }

  /// Adds objects in order; after an error some of them are added, and the caller undoes that.
  func insert(contentsOf objects: some Sequence<M>) throws(StoreError) {
    let inserted = objects.withContiguousStorageIfAvailable { objects in
      // The buffer outlives the run.
      Result { () throws(StoreError) in try insert(slicesOf: unsafe _ValueRun(objects)) }
    }
    if let inserted { return try inserted.get() }
    var gathered: [M] = []
    gathered.reserveCapacity(Self.sliceCount)
    for object in objects {
      gathered.append(object)
      guard gathered.count == Self.sliceCount else { continue }
      try insert(contentsOf: gathered)
      gathered.removeAll(keepingCapacity: true)
    }
    if !gathered.isEmpty { try insert(contentsOf: gathered) }
  }

  /// Adds objects in slices, so that the encoded cells stay in the processor's cache.
  private func insert(slicesOf objects: _ValueRun<M>) throws(StoreError) {
    for start in stride(from: 0, to: objects.count, by: Self.sliceCount) {
      try insert(objects.part(start..<min(start + Self.sliceCount, objects.count)))
    }
  }

  private func insert(_ objects: _ValueRun<M>) throws(StoreError) {
    try prepareInsert()
    let cells = try cells()
    cells.begin(mayKeepBlobs: false)
    keyCell.removeAll(keepingCapacity: true)
    do throws(StoreError) {
      try context.whileInUse { () throws(StoreError) in try schema.encode(objects, to: cells) }
      try sink?.merged.merge(last: objects.count)
    } catch {
      try engine { () throws(EngineError) in try transaction.abandonRows(of: model.tableID) }
      throw error
    }
    sink?.kept.fill(count: objects.count)
    if let way = model.assignment { _ = try assignKeys(way, count: objects.count) }
    try engine { () throws(EngineError) in
      try transaction.insertRows(
        into: model.tableID, count: objects.count, keys: model.hasIntegerKey ? keyCell : nil)
    }
  }

  /// The number of objects that are encoded together.
  private static var sliceCount: Int { 512 }

  /// Replaces the values of an object.
  ///
  /// - Returns: Whether there was an object with its id.
  func replace(_ object: M) throws(StoreError) -> Bool {
    guard let key = try objectKey(object.id) else { return false }
    return try replace(object, key: key)
  }

  /// Replaces the values of an object in some columns, which are numbered as in the schema.
  ///
  /// - Returns: Whether there was an object with its id.
  func replace(_ object: M, columns: [Int]) throws(StoreError) -> Bool {
    guard let key = try objectKey(object.id) else { return false }
    // The kind of a value, in the next column, changes with it.
    let kinds = columns.map { $0 + 1 }
      .filter { model.isKind.indices.contains($0) && model.isKind[$0] && !columns.contains($0) }
    return try replace(object, key: key, fields: (columns + kinds).map { model.fields[$0] })
  }

  /// The key of the stored object with this object's id; nil if there is none.
  func key(of object: M) throws(StoreError) -> Int64? {
    guard let key = try context.objectKey(of: model, id: object.id._constant.value),
      try context.place(in: model, key: key) != nil
    else { return nil }
    return key
  }

  func fields(
    _ paths: [any PartialKeyPath<M> & Sendable]
  ) throws(StoreError) -> [FieldID] {
    var fields: [FieldID] = []
    for path in paths {
      guard let positions = schema.positions(ofErased: path) else {
        throw .unknownField(model: model.name.name, property: schema.nameOfUnknown(path))
      }
      try checkIsSettable(positions)
      fields += model.fields[positions]
    }
    return fields
  }

  /// Throws if a property is the kind of another one's value, which is stored with the value, or a part of an optional
  /// struct, which has no part to be set while it is nil.
  private func checkIsSettable(_ positions: Range<Int>) throws(StoreError) {
    guard positions.count == 1 else { return }
    let position = positions.lowerBound
    let field = schema.fields[position]
    guard model.isKind[position] || !field.steps.isEmpty else { return }
    throw .unencodable(
      type: "\(model.name.name).\(model.fieldNames[position])",
      reason: model.isKind[position]
        ? "the kind of a value is set by setting the value"
        : "a part of what may be nil is set in a closure, `{ $0.\(field.propertyText ?? "…") = … }`"
    )
  }

  /// Notes that the kinds of some fields' values become unknown, if this program does not know them.
  ///
  /// - Returns: The fields with these kinds, which become null.
  private func forgetKinds(of fields: some Sequence<FieldID>) throws(StoreError) -> [FieldID] {
    let kinds = unknownKinds.kinds(of: fields)
    guard !kinds.isEmpty, let table = transaction.catalog.table(model.tableID) else { return [] }
    let unnoted = kinds.filter { table.field($0)?.lacksKinds == false }
    if !unnoted.isEmpty {
      try engine { () throws(EngineError) in
        try transaction.setLacksKinds(true, unnoted, of: model.tableID)
      }
    }
    return kinds
  }

  /// Sets one field of an object.
  ///
  /// - Returns: Whether there was an object with this id.
  func update<Value: PropertyValue>(
    id: M.ID, _ path: KeyPath<M, Value>, to value: Value
  ) throws(StoreError) -> Bool {
    let target = try target(path)
    guard !target.positions.contains(model.keyPosition) else {
      throw .changedKey(model: model.name.name, id: "\(id)")
    }
    guard let key = try objectKey(id) else { return false }
    return try update(key: key, target, to: value)
  }

  @inline(__always)
  private func update<Value: PropertyValue>(
    key: Int64, _ target: FieldTarget, to value: Value
  ) throws(StoreError) -> Bool {
    try willChange(key)
    try context.whileInUse { () throws(StoreError) in try target.take(value) }
    let (positions, values) = (target.positions, target.sink.columns)
    let kinds = try forgetKinds(of: model.fields[positions])
    if positions.count == 1, kinds.isEmpty, let value = values.first {
      if try mergesAny(of: positions) {
        try sink?.merged.merge(value, positions.lowerBound, insteadOf: key, in: context)
      }
      return try engine { () throws(EngineError) in
        try transaction.update(
          model.tableID, key: key, field: model.fields[positions.lowerBound], to: value, row: 0)
      }
    }
    // All parts of a struct at once: several of them together may have to be unique.
    let cells = try cells()
    for (position, value) in zip(positions, values) {
      cells.columns[position].append(value, row: 0)
    }
    let parts = unknownParts.ofNil(in: positions) { values[$0 - positions.lowerBound].value(0) }
    sink?.kept.appendNull(to: kinds + parts)
    do throws(StoreError) {
      try sink?.merged.merge(last: 1, insteadOf: key, in: context, at: positions)
    } catch {
      try engine { () throws(EngineError) in try transaction.abandonRows(of: model.tableID) }
      throw error
    }
    return try engine { () throws(EngineError) in
      try transaction.replaceRow(
        in: model.tableID, key: key, fields: Array(model.fields[positions]) + kinds + parts,
        kinds: unknownKinds.values)
    }
  }

  /// Sets one field of each object of a query to the value of an expression; returns the number of objects.
  func update<Value: PropertyValue>(
    _ query: Query<M>, _ path: KeyPath<M, Value>, to expression: ExpressionTerm
  ) throws(StoreError) -> Int {
    let positions = try settable(target(path))
    guard try !mergesAny(of: positions) else {
      throw .unencodable(
        type: "\(Value.self)",
        reason: "the elements have parts in the file that this program does not know. "
          + "Set the property of each object")
    }
    var assignments: [FieldAssignment] = []
    for position in positions {
      let term = model.isKind[position] ? expression.kind : expression
      assignments.append(FieldAssignment(model.fields[position], try context.lower(term, model)))
    }
    return try assign(assignments, to: query)
  }

  /// Sets one property of each object of a query to a value; returns the number of objects.
  func update<Value: PropertyValue>(
    _ query: Query<M>, _ path: KeyPath<M, Value>, to value: Value
  ) throws(StoreError) -> Int {
    let target = try target(path)
    let positions = try settable(target)
    if try mergesAny(of: positions) {
      // Each object keeps its own unknown parts.
      let keys = try context.keys(of: query)
      return try context.whole { () throws(StoreError) in
        for key in keys { _ = try update(key: key, target, to: value) }
        return keys.count
      }
    }
    try context.whileInUse { () throws(StoreError) in try target.take(value) }
    let values = target.sink.columns.map { $0.value(0) }
    let parts = unknownParts.ofNil(in: positions) { values[$0 - positions.lowerBound] }
    return try assign(
      zip(model.fields[positions], values).map { FieldAssignment($0, .constant($1)) }
        + parts.map { FieldAssignment($0, .constant(.null)) }, to: query)
  }

  /// The positions of a property that is not the key.
  private func settable(_ target: FieldTarget) throws(StoreError) -> Range<Int> {
    guard !target.positions.contains(model.keyPosition) else {
      throw .changedKey(model: model.name.name, id: "objects")
    }
    return target.positions
  }

  private func assign(
    _ assignments: [FieldAssignment], to query: Query<M>
  ) throws(StoreError) -> Int {
    try willChange(nil)
    let content = query.content
    let kinds = try forgetKinds(of: assignments.map(\.field))
    let assignments = assignments + kinds.map { FieldAssignment($0, .constant(.null)) }
    var lowered = try context.binding.lower(content, model)
    // The set of objects does not depend on their order then.
    if content.countMax == nil, content.offset == 0 { lowered.order = [] }
    return try engine { () throws(EngineError) in try transaction.update(lowered, assignments) }
  }

  /// The object key of the object with an id; for an integer key, whether the object exists or not.
  @inline(__always)
  func objectKey(_ id: M.ID) throws(StoreError) -> Int64? {
    let value = id._constant.value
    if model.hasIntegerKey, case .integer(let key) = value { return key }
    return try context.objectKey(of: model, id: value)
  }

  /// The positions of a property among the fields, and the columns for its new value.
  private func target<Value: PropertyValue>(
    _ path: KeyPath<M, Value>
  ) throws(StoreError) -> FieldTarget {
    if let target, target.path === path { return target }
    guard let positions = schema.positions(of: path) else {
      throw .unknownField(model: model.name.name, property: schema.nameOfUnknown(path))
    }
    try checkIsSettable(positions)
    let made = FieldTarget(path, positions, in: model, links: context)
    target = made
    return made
  }

  /// Removes an object; returns whether it existed.
  func delete(id: M.ID) throws(StoreError) -> Bool {
    guard let key = try objectKey(id) else { return false }
    context.willDelete(id, in: model, key: key)
    return try remove(key)
  }

  /// Removes objects; returns how many there were.
  func delete(ids: some Sequence<M.ID>) throws(StoreError) -> Int {
    let keys = ColumnBuffer(type: .integer)
    for id in ids {
      guard let key = try objectKey(id) else { continue }
      context.willDelete(id, in: model, key: key)
      keys.append(key)
    }
    return try remove(keys)
  }

  /// Removes objects; returns how many there were.
  func delete(keys: [Int64]) throws(StoreError) -> Int {
    let removed = ColumnBuffer(type: .integer)
    for key in keys {
      try willDelete(key)
      removed.append(key)
    }
    return try remove(removed)
  }

  /// Remembers the id of an object that is being deleted, if links to it may still be read.
  private func willDelete(_ key: Int64) throws(StoreError) {
    guard context.readsLinks(to: model), let place = try context.place(in: model, key: key) else {
      return
    }
    let id = try context.read(M.ID.self, model.keyPosition, of: model, at: place)
    context.willDelete(id, in: model, key: key)
  }

  private func remove(_ keys: ColumnBuffer) throws(StoreError) -> Int {
    try engine { () throws(EngineError) in
      try transaction.delete(from: model.tableID, keys: keys)
    }
  }

  private func remove(_ key: Int64) throws(StoreError) -> Bool {
    try engine { () throws(EngineError) in
      try transaction.delete(from: model.tableID, key: key)
    }
  }

  // MARK: Keys that the store gives

  /// Whether the store assigns an id to an object with this id.
  func isToBeAssigned(_ id: M.ID) -> Bool {
    switch (model.assignment, id._constant.value) {
    case (.numbers, .integer(let key)): key == model.keyType.objectKey(ofNumber: 0)
    case (.uuids, .uuid(0, 0)): true
    default: false
    }
  }

  /// Assigns keys to the objects appended last that have none; returns whether there are any.
  private func assignKeys(_ way: KeyAssignment, count: Int) throws(StoreError) -> Bool {
    do {
      switch way {
      case .numbers(let max): return try assignNumbers(max)
      case .uuids: return try assignUUIDs(count)
      }
    } catch {
      try engine { () throws(EngineError) in try transaction.abandonRows(of: model.tableID) }
      throw error
    }
  }

  private func assignNumbers(_ max: UInt64) throws(StoreError) -> Bool {
    let type = model.keyType
    let unassigned = type.objectKey(ofNumber: 0)
    var missing: [Int] = []
    var highest: UInt64 = 0
    for row in 0..<keyCell.count {
      let key = keyCell.integer(row)
      if key == unassigned {
        missing.append(row)
      } else {
        highest = Swift.max(highest, type.number(ofObjectKey: key))
      }
    }
    return try engine { () throws(EngineError) in
      if highest > 0 { try transaction.noteNumber(highest, in: model.tableID) }
      guard !missing.isEmpty else { return false }
      var number = try transaction.takeNumbers(missing.count, in: model.tableID, max: max)
      for row in missing {
        keyCell.set(row, type.objectKey(ofNumber: number))
        number += 1
      }
      return true
    }
  }

  private func assignUUIDs(_ count: Int) throws(StoreError) -> Bool {
    let column = try cells().columns[model.keyPosition]
    var isAny = false
    for row in column.count - count..<column.count where column.uuid(row) == (0, 0) {
      let made = TimeOrderedUUIDs.next()
      column.set(row, uuid: made.high, made.low)
      isAny = true
    }
    return isAny
  }

  // MARK: Cells

  func replace(
    _ object: M, key: Int64, fields: [FieldID]? = nil
  ) throws(StoreError) -> Bool {
    try willChange(key)
    let kinds = try forgetKinds(of: fields ?? model.fields)
    let cells = try append(object, insteadOf: key, mayKeepBlobs: true)
    // The other fields are not in this model: they stay unchanged.
    var fields = fields ?? (sink?.kept.isEmpty == false ? model.fields : nil)
    if !kinds.isEmpty { fields = fields.map { $0 + kinds } }
    if let written = fields {
      let parts = unknownParts.ofNil(in: model.fields.indices) { position in
        let column = cells.columns[position]
        // The struct itself may stay as it is.
        return written.contains(model.fields[position]) ? column.value(column.count - 1) : .null
      }
      sink?.kept.makeLastNull(of: parts)
      fields = written + parts
    }
    if !cells.keptBlobs.isEmpty {
      do { fields = try self.fields(fields, without: cells.keptBlobs, key) } catch {
        try engine { () throws(EngineError) in try transaction.abandonRows(of: model.tableID) }
        throw error
      }
    }
    return try engine { () throws(EngineError) in
      try transaction.replaceRow(
        in: model.tableID, key: key, fields: fields, kinds: unknownKinds.values)
    }
  }

  /// The fields to write, without the blobs that stay as stored.
  func fields(
    _ fields: [FieldID]?, without kept: [(position: Int, blob: Blob)], _ key: Int64
  ) throws(StoreError) -> [FieldID] {
    var changed = fields ?? model.fields
    for (position, blob) in kept where changed.contains(model.fields[position]) {
      let field = model.fields[position]
      let own = BlobOrigin(
        store: context.binding.identity, table: model.tableID, field: field, key: key)
      if let origin = blob.origin, origin != own {
        // A blob of another object, whose bytes are included if they are few.
        guard blob.bytes != nil else { throw Blob.missingBytes }
      } else {
        changed.removeAll { $0 == field }
      }
    }
    return changed
  }

  /// Appends the cells of an object to the table's batch.
  @discardableResult
  private func append(
    _ object: M, insteadOf key: Int64? = nil, mayKeepBlobs: Bool = false
  ) throws(StoreError) -> RowSink {
    let cells = try cells()
    cells.begin(mayKeepBlobs: mayKeepBlobs)
    keyCell.removeAll(keepingCapacity: true)
    do throws(StoreError) {
      try context.whileInUse { () throws(StoreError) in try schema.encode(object, to: cells) }
      try sink?.merged.merge(last: 1, insteadOf: key, in: context)
    } catch {
      try engine { () throws(EngineError) in try transaction.abandonRows(of: model.tableID) }
      throw error
    }
    sink?.kept.fill(count: 1)
    return cells
  }

  /// Prepares the table for new objects although the model lacks some of its fields: fields that would have no value
  /// become nullable.
  private func prepareInsert() throws(StoreError) {
    _ = try forgetKinds(of: model.fields)
    _ = try cells()
    guard let lacking = sink?.kept.lacking, !lacking.isEmpty else { return }
    try engine { () throws(EngineError) in
      try transaction.setOptional(true, lacking, of: model.tableID)
    }
  }

  /// The columns of the table's batch, in the order of the schema.
  private func cells() throws(StoreError) -> RowSink {
    let batch = try engine { () throws(EngineError) in try transaction.batch(for: model.tableID) }
    if let sink, sink.batch === batch { return sink.cells }
    if try context.letPartsBeMissing(of: model) { return try cells() }
    var columns: [ColumnBuffer] = []
    for (position, field) in model.fields.enumerated() {
      guard let column = field == 0 ? keyCell : batch.column(field) else {
        throw .unknownField(model: model.name.name, property: model.fieldNames[position])
      }
      columns.append(column)
    }
    let cells = RowSink(columns: columns, links: context)
    let table = transaction.catalog.table(model.tableID)
    let kept = KeptColumns(of: batch, in: table, without: model, unknownKinds)
    sink = (cells, kept, MergedColumns(columns, of: model, in: table), batch)
    return cells
  }

  /// Whether any of these fields has collections whose elements have other parts in the file.
  @inline(__always)
  private func mergesAny(of positions: Range<Int>) throws(StoreError) -> Bool {
    guard !model.collections.isEmpty else { return false }
    _ = try cells()
    return sink?.merged.mergesAny(of: positions) ?? false
  }

  @inline(__always)
  private func engine<R>(_ operation: () throws(EngineError) -> R) throws(StoreError) -> R {
    try working(on: file, operation)
  }
}

/// A property that is being set, with columns for its next value.
private final class FieldTarget {
  let path: AnyKeyPath
  /// The positions of the property's columns in the schema.
  let positions: Range<Int>
  let sink: RowSink

  init(
    _ path: AnyKeyPath, _ positions: Range<Int>, in model: ModelBinding, links: any LinkResolver
  ) {
    self.path = path
    self.positions = positions
    sink = RowSink(
      columns: positions.map { ColumnBuffer(type: model.types[$0]) }, links: links)
  }

  /// Replaces the last value by the next one.
  func take<Value: PropertyValue>(_ value: Value) throws(StoreError) {
    for column in sink.columns { column.removeAll(keepingCapacity: true) }
    var columns = _RowWriter(sink)
    try _ValueRun.with(value) { (value) throws(StoreError) in
      try Value._encode(value, to: &columns)
    }
  }
}
