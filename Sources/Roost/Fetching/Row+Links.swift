internal import RoostEngine

/// Following links.
extension Row {
  /// The target of a link, undecoded, in the row's version: `try dog.owner.name` decodes only the
  /// name.
  ///
  /// Where a ``Link`` or its id is expected, the result is the link itself.
  /// - Complexity: That of a lookup by an integer, whatever the ids of the model are.
  /// - Throws: ``StoreError/corrupt(path:damage:)`` where the file is damaged.
  @inlinable
  @_disfavoredOverload
  public subscript<Target: Model>(dynamicMember path: KeyPath<M, Link<Target>>) -> Row<Target> {
    @inline(__always)
    get throws(StoreError) {
      let cell =
        if let offset = MemoryLayout<M>.offset(of: path) {
          _cell(atOffset: offset, Link<Target>.self)
        } else {
          try _cell(path)
        }
      return try _target(of: cell)
    }
  }

  /// The target of a link, undecoded, in the row's version; nil if the link is nil.
  ///
  /// ```swift
  /// for dog in try snapshot.rows(Dog.all) { print(try dog.name, try dog.owner?.name ?? "nobody's") }
  /// ```
  ///
  /// Where a ``Link`` or its id is expected, the result is the link itself.
  /// - Complexity: That of a lookup by an integer, whatever the ids of the model are.
  /// - Throws: ``StoreError/corrupt(path:damage:)`` where the file is damaged.
  @inlinable
  @_disfavoredOverload
  public subscript<Target: Model>(dynamicMember path: KeyPath<M, Link<Target>?>) -> Row<Target>? {
    @inline(__always)
    get throws(StoreError) {
      let cell =
        if let offset = MemoryLayout<M>.offset(of: path) {
          _cell(atOffset: offset, Link<Target>?.self)
        } else {
          try _cell(path)
        }
      return try cell.isNull ? nil : _target(of: cell)
    }
  }

  /// The object whose key a cell of the row has.
  @usableFromInline
  func _target<Target: Model>(of cell: _Cell) throws(StoreError) -> Row<Target> {
    // Rows always belong to versions.
    let context = unsafe unsafeDowncast(lookup.object, to: VersionContext.self)
    let target = try VersionContext.row(
      Target.self, key: cell.foundInteger, in: UnownedReference(context), heldBy: context)
    guard let target else {
      throw try columns.with { (columns) throws(StoreError) in
        context.linkToNothing(try context.binding.model(Target.self), in: columns.model)
      }
    }
    return target
  }
}
