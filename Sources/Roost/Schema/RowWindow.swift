internal import RoostEngine

/// Where the cells of one field are, for the rows at hand.
@safe
enum FieldSource {
  /// In a leaf: encoded, in the frame's bytes. A pointer, so that reading a cell copies no chunk.
  case chunk(UnsafePointer<ColumnChunk>)
  /// In memory: rows that a transaction has not written yet.
  case buffer(ColumnBuffer)
  /// Not looked for.
  case none
}

/// The rows that are being decoded: for each field of a schema the place of its cells.
///
/// A cell is a place in a window, and is read before the window moves on. The window holds the leaf or the
/// batch that it stands on. Not thread safe.
@safe
final class RowWindow {
  /// The sources, in the order of the schema's fields.
  let sources: UnsafeMutableBufferPointer<FieldSource>
  /// Memory for the columns of a leaf, set where a source points to one. A chunk is plain bytes.
  private let chunks: UnsafeMutablePointer<ColumnChunk>
  let model: ModelBinding
  private let lookup: any CellLookup
  private var leaf: LeafReference?
  /// Whether the columns of all fields are those of the leaf.
  private var isComplete = false
  private var batch: RecordBatch?
  /// The windows through which links to targets without integer keys are read.
  private var targets: [ObjectIdentifier: RowWindow] = [:]

  init(_ model: ModelBinding, lookup: any CellLookup) {
    self.model = model
    self.lookup = lookup
    unsafe sources = .allocate(capacity: model.fields.count)
    unsafe sources.initialize(repeating: .none)
    unsafe chunks = .allocate(capacity: model.fields.count)
  }

  deinit {
    unsafe sources.deinitialize()
    unsafe sources.deallocate()
    unsafe chunks.deallocate()
  }

  /// Moves to a leaf and finds the columns of all fields.
  func move(to leaf: LeafReference) throws(StoreError) {
    guard leaf !== self.leaf || !isComplete else { return }
    for position in model.fields.indices { try move(position, to: leaf) }
    self.leaf = leaf
    isComplete = true
    batch = nil
  }

  /// Moves to a leaf and finds the column of one field.
  func move(to leaf: LeafReference, only position: Int) throws(StoreError) {
    isComplete = false
    try move(position, to: leaf)
    self.leaf = leaf
    batch = nil
  }

  private func move(_ position: Int, to leaf: LeafReference) throws(StoreError) {
    let place = unsafe chunks + position
    unsafe place.initialize(to: try column(position, of: leaf))
    unsafe sources[position] = .chunk(place)
  }

  /// The column of the field at `position`, found to be of the field's type.
  func column(_ position: Int, of leaf: LeafReference) throws(StoreError) -> ColumnChunk {
    let field = model.fields[position]
    let chunk = try atPath(lookup.path) { () throws(EngineError) in
      field == 0 ? leaf.keys : try leaf.column(field)
    }
    guard chunk.type == model.types[position], !chunk.hasNulls || model.isOptional[position] else {
      throw .corrupt(
        path: lookup.path, unit: leaf.pointer.unit,
        reason: "a column of \(model.name.name).\(model.fieldNames[position]) has another type")
    }
    return chunk
  }

  /// Moves to rows that a transaction has not written yet.
  func move(to batch: RecordBatch) throws(StoreError) {
    for (position, field) in model.fields.enumerated() {
      guard let column = field == 0 ? batch.keys : batch.column(field) else {
        throw .unknownField(model: model.name.name, property: model.fieldNames[position])
      }
      unsafe sources[position] = .buffer(column)
    }
    self.batch = batch
    leaf = nil
  }

  /// Makes row 0 of one field a value that is not null, of the field's type.
  func move(_ position: Int, to value: Value) {
    let column = ColumnBuffer(type: model.types[position])
    column.append(value)
    unsafe sources[position] = .buffer(column)
    isComplete = false
    batch = nil
    leaf = nil
  }

  /// Moves to where a row is; returns the row's number there.
  func move(to place: RowPlace) throws(StoreError) -> Int {
    switch place {
    case .leaf(let leaf, let row):
      try move(to: leaf)
      return row
    case .batch(let batch, let row):
      try move(to: batch)
      return row
    }
  }

  /// The cell of the field at `position` in a row.
  func cell(_ position: Int, row: Int) -> _Cell {
    precondition(model.fields.indices.contains(position), "The schema has no such field.")
    return unsafe _Cell(
      window: self, source: sources.baseAddress.unsafelyUnwrapped + position, row: row)
  }

  /// Calls `body` with the bytes of a text or of data, in place.
  func withBytes<R>(
    _ position: Int, row: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) throws -> R {
    let cell = cell(position, row: row)
    guard model.types[position] == .bytes, !cell.isNull else {
      return try unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    // Its own error comes out as it is.
    let result = try cell.withBytes { view in
      unsafe view.withUnsafeBytes { bytes in Result { try unsafe body(bytes) } }
    }
    return try result.get()
  }

  /// The place in the schema of the field whose source it is.
  private func position(of source: UnsafeMutablePointer<FieldSource>) -> Int {
    unsafe sources.baseAddress.map { unsafe source - $0 } ?? 0
  }

  /// The name of the field whose source it is.
  func name(of source: UnsafeMutablePointer<FieldSource>) -> String {
    unsafe model.fieldNames[position(of: source)]
  }

  /// The bytes of a value that lies outside its leaf.
  func bytes(
    of reference: ValueReference, from source: UnsafeMutablePointer<FieldSource>
  ) throws(StoreError) -> [UInt8] {
    let field = unsafe model.fields[position(of: source)]
    return try atPath(lookup.path) { () throws(EngineError) in
      // Only a leaf's cells refer to values outside of it.
      try leaf?.value(reference, of: field) ?? []
    }
  }

  /// The id of the object that a link leads to, whose key is not an integer.
  func id<Target: Model>(of target: Target.Type, objectKey: Int64) throws(StoreError) -> Target.ID {
    let window: RowWindow
    if let known = targets[ObjectIdentifier(target)] {
      window = known
    } else {
      window = RowWindow(try lookup.model(ModelName(target)), lookup: lookup)
      targets[ObjectIdentifier(target)] = window
    }
    let position = window.model.keyPosition
    let row: Int
    if let leaf = window.leaf, let known = leaf.row(of: objectKey) {
      row = known
    } else {
      switch try lookup.place(in: window.model, key: objectKey) {
      case .leaf(let leaf, let found):
        try window.move(to: leaf, only: position)
        row = found
      case .batch(let batch, let found):
        try window.move(to: batch)
        row = found
      case nil:
        if let id = lookup.absentID(in: window.model, key: objectKey) as? Target.ID { return id }
        throw .corrupt(
          path: lookup.path, unit: leaf?.pointer.unit,
          reason: "a link of \(model.name.name) leads to no \(window.model.name.name)")
      }
    }
    return try Target.ID._read(window.cell(position, row: row))
  }
}

/// What the cells of some rows refer to: the version or the transaction that they are read in.
protocol CellLookup: AnyObject {
  /// The path of the file, for messages.
  var path: String { get }
  /// How a model lies in the file.
  func model(_ name: ModelName) throws(StoreError) -> ModelBinding
  /// The id that belongs to a key without an object, within the transaction that broke the link.
  func absentID(in model: ModelBinding, key: Int64) -> (any Hashable)?
  /// Where the object with this key is.
  func place(in model: ModelBinding, key: Int64) throws(StoreError) -> RowPlace?
}

extension CellLookup {
  func absentID(in model: ModelBinding, key: Int64) -> (any Hashable)? { nil }
}
