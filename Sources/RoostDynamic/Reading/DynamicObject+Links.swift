public import Roost
internal import RoostEngine

/// The targets of an object's links, and the objects that link to it.
extension DynamicObject {
  /// The targets of a link or a list of links, in its order; empty if the link is null.
  ///
  /// - Throws: ``/Roost/StoreError/unknownField(model:property:)``;
  ///   ``/Roost/StoreError/valueMismatch(model:field:expected:found:)`` where the field is no link.
  public func targets(of field: String) throws(StoreError) -> DynamicObjects {
    let field = try content.field(field, of: definition)
    let target = try content.target(of: field, of: definition)
    let (leaf, row) = try place.get()
    let keys = try content.working { _ throws(EngineError) -> [Int64] in
      switch try RowPlace.leaf(leaf, row).value(of: field.id) {
      case .integer(let key): [key]
      case .bytes(let list): LinkList.targets(list)
      default: []
      }
    }
    return try objects(keys, of: target)
  }

  /// Some targets of a list of links, by their places in it, and how many the list has.
  ///
  /// - Complexity: O(n) in the places, however long the list is.
  /// - Throws: As ``targets(of:)``.
  package func targets(
    of field: String, in places: Range<Int>
  ) throws(StoreError) -> (targets: DynamicObjects, count: Int) {
    let field = try content.field(field, of: definition)
    let target = try content.target(of: field, of: definition)
    let (leaf, row) = try place.get()
    let list = try content.working { _ throws(EngineError) in
      try leaf.column(field.id).isNull(row) ? nil : BlobContent(leaf, row: row, field: field.id)
    }
    guard let list else { return (try objects([], of: target), 0) }
    let count = Int(clamping: list.length / UInt64(LinkList.linkBytes))
    let places = places.clamped(to: 0..<count)
    // No overflow, whatever length a damaged file says: the places are at most an eighth of it.
    let linkBytes = UInt64(LinkList.linkBytes)
    let range = UInt64(places.lowerBound) * linkBytes..<UInt64(places.upperBound) * linkBytes
    let bytes = try bytes(of: list, in: range)
    return (try objects(LinkList.targets(bytes), of: target), count)
  }

  /// The objects of a table that link to this one by a field, in storage order.
  ///
  /// - Complexity: A look into the index of the field, which each link has.
  /// - Throws: As ``targets(of:)``, and where the field links to another table than this object's.
  public func sources(in table: String, by field: String) throws(StoreError) -> DynamicObjects {
    let source = try content.table(table)
    let field = try content.field(field, of: source)
    guard try content.target(of: field, of: source).id == definition.id else {
      throw .valueMismatch(
        model: source.name, field: field.name,
        expected: content.catalog.table(field.target)?.name ?? "", found: definition.name)
    }
    let (leaf, row) = try place.get()
    let key = leaf.key(row)
    let keys = try content.working { view throws(EngineError) in
      try view.owners(of: field.id, in: source.id, linkingTo: [key]).first ?? []
    }
    return try objects(keys, of: source)
  }

  private func objects(
    _ keys: [Int64], of table: TableDefinition
  ) throws(StoreError) -> DynamicObjects {
    let results = try content.working { view throws(EngineError) in
      try view.objects(keys, in: table.id)
    }
    return DynamicObjects(results, of: table, in: content)
  }
}
