/// Looks up many objects by their keys, in one pass over their leaves.
package struct MultiGet {
  private let objects: ObjectTree
  private let keys: [Int64]
  private var place = 0

  /// - Parameter keys: The objects' keys, ascending; those that no object has are left out.
  fileprivate init(_ keys: [Int64], of objects: ObjectTree) {
    self.keys = keys
    self.objects = objects
  }

  /// The next leaf with its rows, valid while this value is retained; nil at the end.
  package mutating func next() throws(EngineError) -> (leaf: LeafReference, rows: [Int])? {
    while place < keys.count {
      guard let leaf = try objects.leaf(for: keys[place]) else {
        place += 1
        continue
      }
      var rows: [Int] = []
      repeat {
        if let row = leaf.row(of: keys[place]) { rows.append(row) }
        place += 1
      } while place < keys.count && keys[place] <= leaf.lastKey
      if !rows.isEmpty { return (leaf, rows) }
    }
    return nil
  }
}

extension ReadView {
  /// The rows of the objects with the given ascending keys.
  package func multiGet(_ keys: [Int64], of table: UInt32) throws(EngineError) -> MultiGet {
    MultiGet(keys, of: try objects(table))
  }

  /// For each of some objects, the keys of the objects that link to it by a field, ascending.
  ///
  /// Reads only the field's index.
  /// - Parameter targets: The objects' keys; ascending, they make one pass over the index.
  package func owners(
    of field: FieldID, in table: UInt32, linkingTo targets: [Int64]
  ) throws(EngineError) -> [[Int64]] {
    guard let definition = catalog.table(table)?.field(field), definition.type.isLink else {
      throw catalog.unknown(field, of: table)
    }
    let index = try self.index(definition)
    var owners: [[Int64]] = []
    owners.reserveCapacity(targets.count)
    for target in targets {
      var keys: [Int64] = []
      try Value.integer(target).withIndexKey { (key) throws(EngineError) in
        try index.keys(equal: key, into: &keys)
      }
      owners.append(keys)
    }
    return owners
  }
}
