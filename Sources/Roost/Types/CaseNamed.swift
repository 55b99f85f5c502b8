internal import Synchronization

/// An ``Opaque`` enum whose cases can be queried: the kind of each value is stored beside it.
///
/// ```swift
/// enum Payment: CaseNamed {
///   case cash, card(number: String)
///   enum Kind: String, Sortable { case cash, card }
///   var kind: Kind {
///     switch self {
///     case .cash: .cash
///     case .card: .card
///     }
///   }
/// }
/// let byCard = Order.where { $0.payment.kind == .card }
/// ```
///
/// Conditions, orders and groups on the kind read only its column, which is called `payment.kind` in the file, and
/// `Index(\.payment.kind)` is an index of it. The kind of an optional value is nil where the value is, as
/// `payment?.kind` is in Swift. It is written with the value, and cannot be set without it.
///
/// A file that has the values without their kinds, because the type was only ``Opaque`` before, gets them by a step:
/// ``Migration/addKind(of:in:as:)``. Elements of collections and keys cannot be of such a type.
public protocol CaseNamed: Opaque {
  /// The cases without their payloads: an enum with raw values.
  associatedtype Kind: Sortable
  /// The value's case. Equal values have equal kinds.
  var kind: Kind { get }
}

extension CaseNamed {
  /// Adds the columns.
  public static func _describe(_ columns: inout _Columns, default value: Self?) {
    columns.add(Self.self, kind: \.kind, default: value)
  }
  /// Adds the columns of an optional.
  public static func _describeOptional(_ columns: inout _Columns, default value: Self??) {
    columns.add(Self?.self, kind: \.?.kind, default: value)
  }
  /// The value in the next cells.
  public static func _decode(_ cells: inout _RowReader) throws(StoreError) -> Self {
    let value = try _read(cells.cell())
    cells.skip(1)
    return value
  }
  /// The value of an optional in the next cells.
  public static func _decodeOptional(_ cells: inout _RowReader) throws(StoreError) -> Self? {
    let value = try Self?._read(cells.cell())
    cells.skip(1)
    return value
  }
  /// Appends values to the next columns.
  public static func _encode(
    _ values: _ValueRun<Self>, to columns: inout _RowWriter
  ) throws(StoreError) {
    try _writeAll(values, to: columns.next())
    let kinds = columns.next()
    for index in 0..<values.count { try values[index].kind._write(to: kinds) }
  }
  /// Appends optionals to the next columns.
  public static func _encodeOptionals(
    _ values: _ValueRun<Self?>, to columns: inout _RowWriter
  ) throws(StoreError) {
    try Self?._writeAll(values, to: columns.next())
    let kinds = columns.next()
    for index in 0..<values.count { try (values[index]?.kind)._write(to: kinds) }
  }
}

extension CaseNamed {
  /// Whether a key path leads to the kind, and not to another property of its type: compared on sample values, once.
  package static func hasKind(at path: KeyPath<Self, Kind>) -> Bool {
    let key = FoundPath(path)
    if let known = KindPaths.known.withLock({ $0[key] }) { return known }
    let isKind = _samples(16).allSatisfy { $0[keyPath: path] == $0.kind }
    KindPaths.known.withLock { $0[key] = isKind }
    return isKind
  }
}

private enum KindPaths {
  /// Whether each key path leads to the kind of a value; a program has few of them.
  static let known = Mutex<[FoundPath: Bool]>([:])
}
