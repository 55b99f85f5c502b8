package import RoostEngine
internal import Synchronization

/// A model without a store: its columns, and their form in texts.
///
/// Made once for each model and cached; a program has few models.
final class DetachedModel: Sendable {
  let shape: RecordShape
  let model: ModelBinding
  /// The model and the targets of its links.
  let binding: StoreBinding

  private static let known = Mutex<[ObjectIdentifier: DetachedModel]>([:])

  @_semantics("optimize.sil.specialize.generic.never")
  static func of<M: Model>(_ type: M.Type) throws(StoreError) -> DetachedModel {
    if let model = known.withLock({ $0[ObjectIdentifier(type)] }) { return model }
    let made = try DetachedModel(type)
    known.withLock { $0[ObjectIdentifier(type)] = made }
    return made
  }

  private init<M: Model>(_ type: M.Type) throws(StoreError) {
    let description = try ModelDescription(type)
    // The identifiers of the links' targets are read.
    let targets = Set(description.fields.compactMap(\.type.target)).subtracting([description.name])
    binding = try StoreBinding(unstored: [description.name] + targets)
    model = try binding.model(type)
    shape = RecordShape(description.fields.map { ($0.name, $0.valueShape) })
  }
}

/// Objects of a model as rows of columns that belong to no store, while they are read from or written to a text.
package final class DetachedRows<M: Model> {
  package let shape: RecordShape
  package let columns: RecordColumns
  /// The model's name, for errors.
  package static var modelName: String { ModelName.name(of: M.self) }
  private let schema = M.schema
  private let identifiers: IdentifierList
  private let sink: RowSink
  private let cells: ModelColumns
  private let model: ModelBinding
  /// Whether blobs are empty whose bytes the objects do not have.
  package var omitsBlobs = false {
    didSet {
      guard omitsBlobs else { return }
      sink.blobBytes = { (_) throws(StoreError) in [] }
    }
  }

  /// - Parameter blobs: Where blobs are read whose bytes the objects do not have; nil where that is an error.
  package init(blobs: _Reader? = nil) throws(StoreError) {
    let loose = try DetachedModel.of(M.self)
    shape = loose.shape
    model = loose.model
    columns = RecordColumns(loose.model.types)
    identifiers = IdentifierList(loose.binding, of: columns)
    sink = RowSink(columns: columns.columns, links: identifiers)
    if let blobs = try blobs?.context {
      sink.blobBytes = { (origin) throws(StoreError) in try blobs.bytes(of: origin) }
    }
    cells = ModelColumns(loose.model, columns: columns.columns, owner: columns)
  }

  /// The column of the key.
  package var keyColumn: Int { model.keyPosition }
  /// The name of the key's field.
  package var keyName: String { model.fieldNames[model.keyPosition] }

  /// The column of a field.
  package func column(ofField name: String) -> Int? { schema.fields.firstIndex { $0.name == name } }

  /// The value of a field in a row, as errors of the store name it.
  package func text(ofColumn column: Int, _ row: Int) -> String {
    schema.fields[column].type.kind.text(columns.columns[column].value(row))
  }

  /// The raw values of the enum that a field has, as far as its type lists them; at most `count`.
  package func rawValues(ofField name: String, _ count: Int) -> [String] {
    guard let type = type(ofField: name) else { return [] }
    return type.rawValues(count)
  }

  /// Whether the values of a field have raw values, as those of an enum.
  package func hasRawValues(ofField name: String) -> Bool {
    type(ofField: name) is any RawRepresentable.Type
  }

  /// Whether the values of a field are stored as their Codable code writes them.
  package func isOpaque(ofField name: String) -> Bool {
    type(ofField: name) is any Opaque.Type
  }

  private func type(ofField name: String) -> (any Storable.Type)? { schema.type(ofField: name) }

  /// The columns of a property; nil if the schema does not have it, and for a part of an optional struct.
  package func columns(of path: AnyKeyPath) -> Range<Int>? {
    schema.positions(ofErased: path).flatMap {
      $0.count == 1 && !schema.fields[$0.lowerBound].steps.isEmpty ? nil : $0
    }
  }

  /// The id of the object in a row, whose other columns may be anything.
  package func id(_ row: Int) throws(StoreError) -> M.ID {
    let cells = cells
    defer { withExtendedLifetime(cells) {} }
    return try M.ID._read(cells.cell(model.keyPosition, row: row, in: identifiers))
  }

  /// Appends an object.
  package func append(_ object: M) throws(StoreError) { try schema.encode(object, to: sink) }

  /// The object in a row.
  package func object(_ row: Int) throws(StoreError) -> M {
    defer { withExtendedLifetime(cells) {} }
    return try schema.object(UnownedColumns(cells), row: row, in: identifiers)
  }
}

extension Schema {
  /// The type of a field's values, without optional.
  fileprivate func type(ofField name: String) -> (any Storable.Type)? {
    guard let type = fields.first(where: { $0.name == name })?.storable else { return nil }
    if let optional = type as? any WrappingType.Type {
      return optional.wrapped as? any Storable.Type
    }
    return type
  }
}

extension Storable {
  fileprivate static func rawValues(_ count: Int) -> [String] {
    _listedCases(count).compactMap { ($0 as? any RawRepresentable).map { "\($0.rawValue)" } }
  }
}

extension StoreBinding {
  /// The raw values of an enum, as far as its type lists them, if a text is none; nil for a field that may have the text.
  package func cases(insteadOf text: String, ofField field: String, in model: String) -> [String]? {
    func type<M: Model>(_ model: M.Type) -> (any Storable.Type)? { M.schema.type(ofField: field) }
    func refuses<Value: RawRepresentable>(_ type: Value.Type) -> Bool {
      (text as? Value.RawValue).map { Value(rawValue: $0) == nil } ?? false
    }
    guard let name = self.model(named: model), let type = type(name.model), type._fallback == nil,
      let enumeration = type as? any RawRepresentable.Type, refuses(enumeration)
    else { return nil }
    return type.rawValues(32)
  }
}

/// Resolves links to identifiers by their positions in a list.
private final class IdentifierList: ObjectLookup, LinkResolver {
  private let columns: RecordColumns

  init(_ binding: StoreBinding, of columns: RecordColumns) {
    self.columns = columns
    super.init(binding: binding)
  }

  func objectKey<Target: Model>(
    of target: Target.Type, id: Target.ID
  ) throws(StoreError) -> Int64 {
    columns.identifiers.append(id._constant.value)
    return Int64(columns.identifiers.count - 1)
  }

  override func cascadedID(in model: ModelBinding, key: Int64) -> Value? {
    guard let place = Int(exactly: key), columns.identifiers.indices.contains(place),
      columns.identifiers[place] != .null
    else { return nil }
    return columns.identifiers[place]
  }
}

/// An optional's type.
private protocol WrappingType {
  static var wrapped: Any.Type { get }
}

extension Optional: WrappingType {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}
