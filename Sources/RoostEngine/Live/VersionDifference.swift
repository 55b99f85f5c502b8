import Synchronization

/// Two versions of the store, and what changed between them: computed once for each table, for all observers.
package final class VersionDifference: Sendable {
  /// The earlier version.
  package let earlier: EngineSnapshot
  /// The later version; any number of versions may lie between.
  package let later: EngineSnapshot
  /// Whether both have the same tables.
  let isOfOneCatalog: Bool
  private let cache = Mutex(Cache())

  /// There are few tables and fields: no dictionary is needed.
  private struct Cache {
    var changes: [(table: UInt32, changes: TableDifference)] = []
    var values: [(table: UInt32, field: FieldID, values: [Value])] = []

    func changes(of table: UInt32) -> TableDifference? {
      changes.first { $0.table == table }?.changes
    }

    func values(of field: FieldID, in table: UInt32) -> [Value]? {
      values.first { $0.field == field && $0.table == table }?.values
    }
  }

  /// If more objects changed, none is checked individually.
  private static let valuesMax = 16

  /// The difference of two versions; nothing is computed yet.
  package init(from earlier: EngineSnapshot, to later: EngineSnapshot) {
    self.earlier = earlier
    self.later = later
    isOfOneCatalog = earlier.catalog == later.catalog
  }

  /// The difference of a table.
  ///
  /// - Throws: `.unknownTable` where neither version has the table; `.corrupt` where the file is damaged.
  package func changes(of table: UInt32) throws(EngineError) -> TableDifference {
    if let cache = cache.withLock({ $0.changes(of: table) }) { return cache }
    let changes = try later.changes(of: table, since: earlier)
    cache.withLock { $0.changes.append((table, changes)) }
    return changes
  }

  /// The values that a field had before, and has now, in the objects of a table that changed; nil where those are more
  /// than a few.
  func values(of field: FieldID, in table: UInt32) throws(EngineError) -> [Value]? {
    if let cache = cache.withLock({ $0.values(of: field, in: table) }) { return cache }
    let changes = try changes(of: table)
    guard changes.count <= Self.valuesMax else { return nil }
    let before = changes.deletions + changes.replacements.map(\.earlierKey)
    let after = changes.insertions + changes.replacements.map(\.laterKey)
    let found =
      try earlier.view.values(of: field, in: table, before + changes.modifications)
      + later.view.values(of: field, in: table, after + changes.modifications)
    cache.withLock { $0.values.append((table, field, found)) }
    return found
  }
}

extension ReadView {
  /// The values of a field of some objects, which are there.
  fileprivate func values(
    of field: FieldID, in table: UInt32, _ keys: [Int64]
  ) throws(EngineError) -> [Value] {
    guard field != 0 else { return keys.map { .integer($0) } }
    var values: [Value] = []
    for key in keys {
      guard let found = try find(key, in: table) else { continue }
      values.append(try RowPlace.leaf(found.leaf, found.row).value(of: field))
    }
    return values
  }
}

extension QueryDependencies {
  /// Whether anything changed that a query reads, or objects came or went.
  func concern(_ difference: VersionDifference) throws(EngineError) -> Bool {
    let changes = try difference.changes(of: table)
    let isSame =
      changes.insertions.isEmpty && changes.deletions.isEmpty && changes.replacements.isEmpty
      && changes.modifications.indices.allSatisfy {
        fields.isDisjoint(with: changes.fields(ofModification: $0))
      }
    return isSame ? try concernOthers(difference) : true
  }

  /// Whether anything changed that a query reads of other objects than those that it finds.
  func concernOthers(_ difference: VersionDifference) throws(EngineError) -> Bool {
    for (_, other) in others where try other.concern(difference) { return true }
    return false
  }

  /// The objects of the later version that may enter or leave a query's results, or move in its order: those that are new,
  /// those with a changed field that the query reads, and those whose related objects have one.
  ///
  /// - Returns: Their keys, ascending; some of them may have no object.
  func affected(by difference: VersionDifference) throws(EngineError) -> [Int64] {
    try affected(by: difference, related(by: difference))
  }

  /// The same, where the objects whose related objects changed are known.
  func affected(
    by difference: VersionDifference, _ related: [Int64]
  ) throws(EngineError) -> [Int64] {
    let changes = try difference.changes(of: table)
    var keys = related + changes.insertions + changes.replacements.map(\.laterKey)
    for (place, key) in changes.modifications.enumerated()
    where changes.fields(ofModification: place).contains(where: fields.contains) {
      keys.append(key)
    }
    guard !related.isEmpty || !changes.replacements.isEmpty || !changes.insertions.isEmpty else {
      return keys
    }
    keys.sort()
    return keys.withoutRepetitions
  }

  /// The objects of the later version whose related objects have a changed field that the query reads.
  ///
  /// - Returns: Their keys, ascending; some of them may have no object.
  func related(by difference: VersionDifference) throws(EngineError) -> [Int64] {
    guard !others.isEmpty else { return [] }
    var keys: [Int64] = []
    for (step, other) in others {
      switch step {
      case .link(let field): keys += try owners(field, of: other, difference)
      case .inverse(let field): keys += try targets(field, of: other, difference)
      }
    }
    // What was linked to before may have another key since.
    let replaced = try difference.changes(of: table).replacedKeys
    keys = keys.map { replaced.key(of: $0) }
    keys.sort()
    return keys.withoutRepetitions
  }

  /// The objects that have a link to affected ones. One that had a link to another before has changed itself.
  private func owners(
    _ field: FieldID, of other: QueryDependencies, _ difference: VersionDifference
  ) throws(EngineError) -> [Int64] {
    let affected = try other.affected(by: difference)
    let view = try difference.later.view
    guard !affected.isEmpty, let link = view.catalog.table(table)?.field(field) else { return [] }
    return try view.index(link).keys(equalToAny: affected)
  }

  /// The objects that affected ones link to, or linked to before.
  private func targets(
    _ field: FieldID, of other: QueryDependencies, _ difference: VersionDifference
  ) throws(EngineError) -> [Int64] {
    let affected = try other.affected(by: difference)
    let changes = try difference.changes(of: other.table)
    let gone = changes.deletions + changes.replacements.map(\.earlierKey)
    return try difference.later.view.targets(field, of: affected, in: other.table)
      + difference.earlier.view.targets(field, of: affected + gone, in: other.table)
  }
}

extension ReadView {
  /// The keys that a link, or a list of links, of some objects leads to; nothing of objects that there are not.
  fileprivate func targets(
    _ field: FieldID, of keys: [Int64], in table: UInt32
  ) throws(EngineError) -> [Int64] {
    guard !keys.isEmpty, let definition = catalog.table(table)?.field(field) else { return [] }
    var targets: [Int64] = []
    for key in keys {
      guard let found = try find(key, in: table) else { continue }
      switch try RowPlace.leaf(found.leaf, found.row).value(of: definition.id) {
      case .integer(let target): targets.append(target)
      case .bytes(let list):
        list.withByteView { list in
          for link in 0..<list.count / 8 {
            targets.append(Int64(bitPattern: list.uint64(at: link * 8)))
          }
        }
      default: break
      }
    }
    return targets
  }
}
