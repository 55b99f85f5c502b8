public import Roost
package import RoostEngine
internal import RoostQueryText

/// A version of a store, readable for as long as it is held.
///
/// Taking a snapshot never waits and costs almost nothing. It can be used on any thread or actor, and always shows the same
/// tables and objects. Content that only it uses stays in the file until the snapshot, and all objects read from it, are gone.
public struct DynamicSnapshot: Sendable {
  let content: SnapshotContent

  init(_ snapshot: Snapshot, path: String) throws(StoreError) {
    content = try SnapshotContent(snapshot, path: path)
  }

  /// The number of the version; it increases with each commit.
  public var version: UInt64 { content.snapshot.version.transaction }

  // MARK: Tables

  /// The tables as the file defines them.
  package var catalog: Catalog { content.catalog }

  /// The key of a link's target, which is stored as the target's object key.
  package func key(_ stored: Value, of target: TableDefinition) throws(StoreError) -> DynamicValue {
    guard case .integer(let key) = stored else { return .null }
    return try content.identifier(key, of: target)
  }

  /// The tables, in the order in which they were added, including those that hold named values.
  public var tables: [DynamicTable] {
    content.catalog.tables.map { DynamicTable($0, in: content.catalog) }
  }

  /// The table with a name; nil if there is none.
  public func table(_ name: String) -> DynamicTable? {
    content.catalog.table(named: name).map { DynamicTable($0, in: content.catalog) }
  }

  /// The number of objects in a table.
  ///
  /// - Complexity: O(1).
  /// - Throws: ``/Roost/StoreError/unknownModel(model:)``.
  public func count(of table: String) throws(StoreError) -> Int {
    let table = try content.table(table)
    return try content.working { view throws(EngineError) in
      Int(clamping: try view.objects(table.id).count)
    }
  }

  /// The bytes that a field takes: its columns, its long values and its own index.
  ///
  /// Reads the heads of all leaves, and the columns that have long values.
  package func byteCount(of field: String, in table: String) throws(StoreError) -> UInt64 {
    let table = try content.table(table)
    let field = try content.field(field, of: table)
    return try content.working { view throws(EngineError) in
      try view.byteCount(of: field, in: table.id)
    }
  }

  // MARK: Objects

  /// The object of a table with a key; nil if there is none.
  ///
  /// - Throws: ``/Roost/StoreError/unknownModel(model:)``.
  public func object(_ table: String, _ key: DynamicValue) throws(StoreError) -> DynamicObject? {
    let table = try content.table(table)
    guard let key = try content.objectKey(key, in: table) else { return nil }
    let row = try content.working { view throws(EngineError) in try view.find(key, in: table.id) }
    return row.map { DynamicObject(.success(($0.leaf, $0.row)), of: table, in: content) }
  }

  /// The objects of a query.
  ///
  /// ```swift
  /// for person in try snapshot.objects("Person where age >= 18 sort name") { print(try person["name"]) }
  /// ```
  ///
  /// - Complexity: O(1) for all objects of a table; else that of the query, which looks at columns and keeps places, never
  ///   objects.
  /// - Throws: ``/Roost/StoreError/queryMalformed(text:reason:offset:)``; ``/Roost/StoreError/corrupt(path:damage:)``.
  public func objects(_ query: DynamicQuery) throws(StoreError) -> DynamicObjects {
    let (query, table) = try read(query)
    let results = try content.working { view throws(EngineError) in try view.matches(query) }
    return DynamicObjects(results, of: table, in: content)
  }

  /// The number of objects, or of groups, that a query finds.
  ///
  /// - Throws: As ``objects(_:)``.
  public func count(_ query: DynamicQuery) throws(StoreError) -> Int {
    guard !query.asksForGroups else { return try groups(query).count }
    let (query, _) = try read(query)
    return try content.working { view throws(EngineError) in try view.count(query) }
  }

  /// The groups of a query.
  ///
  /// - Complexity: That of the query's objects; a row for each group is in memory.
  /// - Throws: As ``objects(_:)``; ``/Roost/StoreError/overflow(model:field:)`` where a sum of integers is none of 64 bits.
  public func groups(_ query: DynamicQuery) throws(StoreError) -> DynamicGroups {
    let groups = try query.groups(in: content.catalog)
    let table = try content.working { view throws(EngineError) in try view.groups(groups) }
    return DynamicGroups(table, of: groups, in: content)
  }

  /// The plan of a query in readable lines; runs the query to produce them.
  ///
  /// - Throws: As ``objects(_:)``.
  public func explain(_ query: DynamicQuery) throws(StoreError) -> [String] {
    let isOfGroups = query.asksForGroups
    let objects = isOfGroups ? try query.groups(in: content.catalog).objects : try read(query).query
    let plan = try content.working { view throws(EngineError) in try view.explain(objects) }
    return isOfGroups ? plan.lines : plan.lines + [LiveResults.explanation(of: objects)]
  }

  private func read(
    _ query: DynamicQuery
  ) throws(StoreError) -> (query: ObjectQuery, table: TableDefinition) {
    let objects = try query.objects(in: content.catalog)
    guard let table = content.catalog.table(objects.table) else {
      throw .unknownModel(model: query.text)
    }
    return (objects, table)
  }
}

extension DynamicQuery {
  /// Whether the query asks for groups, not objects: it has `group` or `select` after the objects.
  public var asksForGroups: Bool { GroupQuery.isAsked(by: text) }

  /// What to say of a query that is valid, and that another language would answer otherwise; nil for most.
  package var remark: String? { ObjectQuery.remark(on: text) }

  /// The query for objects.
  func objects(in catalog: Catalog) throws(StoreError) -> ObjectQuery {
    try read { text throws(QueryTextError) in try ObjectQuery(text, in: catalog) }
  }

  /// The query for groups.
  func groups(in catalog: Catalog) throws(StoreError) -> GroupQuery {
    try read { text throws(QueryTextError) in try GroupQuery(text, in: catalog) }
  }

  private func read<Query>(
    _ query: (String) throws(QueryTextError) -> Query
  ) throws(StoreError) -> Query {
    do { return try query(text) } catch {
      throw .queryMalformed(text: text, reason: error.message, offset: error.offset)
    }
  }
}
