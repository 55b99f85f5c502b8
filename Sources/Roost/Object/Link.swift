internal import RoostEngine

/// A reference from one object to another: the other's id.
///
/// It loads nothing; `fetch(link)` in a transaction or a snapshot loads the target. A query reads
/// through it: `Dog.where { $0.owner.name == "Ann" }`. At the end of a transaction the target must
/// exist, or the field's rule applies (``FieldOption/onMissingTarget(_:)``). Deleting the target
/// applies the rule of ``FieldOption/onTargetDelete(_:)``.
public struct Link<Target: Model>: Hashable, Sendable {
  /// The target's id.
  public let id: Target.ID

  /// A link to an object.
  public init(_ target: Target) { id = target.id }

  /// A link to the object with this id.
  @inlinable
  public init(id: Target.ID) { self.id = id }
}

extension Link: Storable {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(linkTo: Target.self) }
  /// The value in a cell.
  @inlinable
  public static func _read(_ cell: _Cell) throws(StoreError) -> Link {
    // The object key of a target with an integer key is its id.
    if Target.ID._isInteger { return Link(id: try Target.ID._read(cell)) }
    return Link(id: try cell.id(of: Target.self))
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) {
    if Target.ID._isInteger { return try id._write(to: sink) }
    try sink.append(link: Target.self, id: id)
  }
  /// Appends values to a column.
  public static func _writeAll(
    _ values: _ValueRun<Self>, to sink: _CellSink
  ) throws(StoreError) {
    // A link is only its id.
    if Target.ID._isInteger {
      return try Target.ID._writeAll(values.ids(), to: sink)
    }
    for index in 0..<values.count { try sink.append(link: Target.self, id: values[index].id) }
  }
  /// The target's id: a query compares the id, not the object key.
  public var _constant: _Constant { id._constant }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Link] {
    Target.ID._samples(count).map { Link(id: $0) }
  }
  /// Links to such ids.
  public static var _unusualSamples: [Link] { Target.ID._unusualSamples.map { Link(id: $0) } }
}

extension _ValueRun {
  /// The ids of links.
  @_lifetime(copy self)
  fileprivate func ids<Target: Model>() -> _ValueRun<Target.ID> where Value == Link<Target> {
    // A link's only stored property is its id.
    unsafe property(at: 0, Target.ID.self)
  }
}

extension FieldOption {
  /// The rule for a link whose target does not exist at the end of a transaction.
  public static func onMissingTarget<Target>(_ rule: MissingTargetRule) -> Self
  where Value == Link<Target>? {
    switch rule {
    case .nullify: Self(kind: .nullifiedWithoutTarget)
    }
  }
}

/// The rule for a link whose target does not exist, instead of the error.
public enum MissingTargetRule: Hashable, Sendable {
  /// The link becomes nil.
  case nullify
}
