/// A query, and the links of its results to follow: made by ``Query/including(_:)``.
///
/// ```swift
/// let dogs = Dog.where { $0.age > 3 }.including(\.owner, \.toys)
/// for (dog, owner, toys) in try snapshot.fetch(dogs) { print(dog.name, owner.name, toys.count) }
/// ```
///
/// Its results are tuples: an object, and the targets of each of its links, so only fetched objects can be
/// used. A ``Link`` gives an object, an optional one an object or nil, ``Links`` give an array in their order, and an
/// ``Inverse`` an array in the order of the objects' keys. All targets of one link are fetched in one pass over their
/// model, whatever their number, and each target once.
public struct QueryIncluding<M: Model, each Included: Sendable>: Sendable {
  let query: Query<M>
  @usableFromInline let relations: (repeat IncludedRelation<M, each Included>)

  @usableFromInline init(_ query: Query<M>, _ relation: repeat IncludedRelation<M, each Included>) {
    self.query = query
    relations = (repeat each relation)
  }

  /// Objects with the targets of their links.
  @usableFromInline
  func tuples(
    _ objects: [M], from reader: _Reader
  ) throws(StoreError) -> [(M, repeat each Included)] {
    let included = (repeat try (each relations).load(objects, reader))
    var tuples: [(M, repeat each Included)] = []
    tuples.reserveCapacity(objects.count)
    for place in objects.indices {
      tuples.append((objects[place], repeat (each included)[place]))
    }
    return tuples
  }

  @usableFromInline
  func adding<Next>(
    _ relation: IncludedRelation<M, Next>
  ) -> QueryIncluding<M, repeat each Included, Next> {
    QueryIncluding<M, repeat each Included, Next>(query, repeat each relations, relation)
  }
}

/// Finds the targets of the links of objects: one result for each object.
@usableFromInline
struct IncludedRelation<M: Model, Included: Sendable>: Sendable {
  @usableFromInline typealias Load = @Sendable ([M], _Reader) throws(StoreError) -> [Included]

  let load: Load

  @usableFromInline init(load: @escaping Load) { self.load = load }
}

/// An argument of ``ObjectReader/fetch(_:)`` other than a ``Query``: a ``QueryIncluding`` or a ``QuerySelection``. For the
/// store's own use.
///
/// A protocol, because the compiler does not infer the types of a long chain of links (6.3).
public protocol _IncludingQuery: Sendable {
  /// The query's model.
  associatedtype _Object: Model
  /// An object and the targets of each of its links; or some fields of an object.
  associatedtype _Tuple
  /// All results.
  func _fetch(from reader: _Reader) throws(StoreError) -> [_Tuple]
}

extension QueryIncluding: _IncludingQuery {
  /// The query's model.
  public typealias _Object = M
  /// An object and the targets of each of its links.
  public typealias _Tuple = (M, repeat each Included)

  /// All results.
  public func _fetch(from reader: _Reader) throws(StoreError) -> [(M, repeat each Included)] {
    try tuples(try reader.context.objects(of: query), from: reader)
  }
}

extension ObjectReader {
  /// The results of a query, in its order, each with the targets of its links: see ``QueryIncluding``.
  ///
  /// - Throws: As ``fetch(_:)``; ``StoreError/notFound(model:id:)`` where a link that is not optional leads to no object,
  ///   which only the transaction can see that made it so.
  public func fetch<Including: _IncludingQuery>(
    _ query: Including
  ) throws(StoreError) -> [Including._Tuple] {
    try query._fetch(from: try _reader)
  }
}

// MARK: Asking for them

// All of these are compiled into the programs that use them: most programs use none and should not grow for it.

extension Query {
  /// The results of this query with the targets of their links: see ``QueryIncluding``.
  @_alwaysEmitIntoClient
  public func including<each Value: _Related>(
    _ path: repeat any KeyPath<M, each Value> & Sendable
  ) -> QueryIncluding<M, repeat (each Value)._Included> {
    QueryIncluding<M, repeat (each Value)._Included>(
      self, repeat IncludedRelation<M, (each Value)._Included>.links(each path))
  }

  /// The results of this query with the objects that link to them.
  @_alwaysEmitIntoClient
  public func including<Source: Model>(
    _ inverse: Inverse<M, Source>
  ) -> QueryIncluding<M, [Source]> {
    QueryIncluding<M>(self).including(inverse)
  }

  /// The results of this query with the objects that link to them, by the name of the inverse: `including(\.toys)`.
  @_alwaysEmitIntoClient
  public func including<Source: Model>(
    _ inverse: KeyPath<M.Type, Inverse<M, Source>>
  ) -> QueryIncluding<M, [Source]> {
    including(M.self[keyPath: inverse])
  }

  /// The results of this query with the target of a link, and the targets of its links.
  ///
  /// ```swift
  /// let dogs = Dog.all.including(\.owner, Person.all.including(\.city))
  /// for (dog, (owner, city)) in try snapshot.fetch(dogs) { … }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The link.
  ///   - next: The links to follow from there, of all objects: fetching throws where its query has a condition,
  ///     an order or a limit.
  @_alwaysEmitIntoClient
  public func including<Target: Model, each Next: Sendable>(
    _ path: any KeyPath<M, Link<Target>> & Sendable,
    _ next: QueryIncluding<Target, repeat each Next>
  ) -> QueryIncluding<M, (Target, repeat each Next)> {
    QueryIncluding<M>(self).including(path, next)
  }

  /// The results of this query with the target of an optional link, and the targets of its links.
  ///
  /// - Parameters:
  ///   - path: The link.
  ///   - next: The links to follow from there, of all objects: fetching throws where its query has a condition,
  ///     an order or a limit.
  @_alwaysEmitIntoClient
  public func including<Target: Model, each Next: Sendable>(
    _ path: any KeyPath<M, Link<Target>?> & Sendable,
    _ next: QueryIncluding<Target, repeat each Next>
  ) -> QueryIncluding<M, (Target, repeat each Next)?> {
    QueryIncluding<M>(self).including(path, next)
  }

  /// The results of this query with the targets of a list of links, and the targets of their links.
  ///
  /// - Parameters:
  ///   - path: The list of links.
  ///   - next: The links to follow from there, of all objects: fetching throws where its query has a condition,
  ///     an order or a limit.
  @_alwaysEmitIntoClient
  public func including<Target: Model, each Next: Sendable>(
    _ path: any KeyPath<M, Links<Target>> & Sendable,
    _ next: QueryIncluding<Target, repeat each Next>
  ) -> QueryIncluding<M, [(Target, repeat each Next)]> {
    QueryIncluding<M>(self).including(path, next)
  }

  /// The results of this query with the objects that link to them, and the targets of the links of those.
  ///
  /// - Parameters:
  ///   - inverse: The inverse of a link to the objects.
  ///   - next: The links to follow from there, of all objects: fetching throws where its query has a condition,
  ///     an order or a limit.
  @_alwaysEmitIntoClient
  public func including<Source: Model, each Next: Sendable>(
    _ inverse: Inverse<M, Source>, _ next: QueryIncluding<Source, repeat each Next>
  ) -> QueryIncluding<M, [(Source, repeat each Next)]> {
    QueryIncluding<M>(self).including(inverse, next)
  }
}

extension QueryIncluding {
  /// The same, with the target of a link.
  @_alwaysEmitIntoClient
  public func including<Value: _Related>(
    _ path: any KeyPath<M, Value> & Sendable
  ) -> QueryIncluding<M, repeat each Included, Value._Included> {
    adding(IncludedRelation<M, Value._Included>.links(path))
  }

  /// The same, with the objects that link to the results.
  @_alwaysEmitIntoClient
  public func including<Source: Model>(
    _ inverse: Inverse<M, Source>
  ) -> QueryIncluding<M, repeat each Included, [Source]> {
    adding(
      IncludedRelation<M, [Source]> { (objects, reader) throws(StoreError) in
        // No key path: the compiler supports none with packs of types (6.3).
        try reader.sources(of: inverse, objects.map { $0.id })
      })
  }

  /// The same, with the objects that link to the results, by the name of the inverse.
  @_alwaysEmitIntoClient
  public func including<Source: Model>(
    _ inverse: KeyPath<M.Type, Inverse<M, Source>>
  ) -> QueryIncluding<M, repeat each Included, [Source]> {
    including(M.self[keyPath: inverse])
  }

  /// The same, with the target of a link, and the targets of its links.
  ///
  /// - Parameters:
  ///   - path: The link.
  ///   - next: The links to follow from there, of all objects: fetching throws where its query has a condition,
  ///     an order or a limit.
  @_alwaysEmitIntoClient
  public func including<Target: Model, each Next: Sendable>(
    _ path: any KeyPath<M, Link<Target>> & Sendable,
    _ next: QueryIncluding<Target, repeat each Next>
  ) -> QueryIncluding<M, repeat each Included, (Target, repeat each Next)> {
    return adding(
      IncludedRelation<M, (Target, repeat each Next)> { (objects, reader) throws(StoreError) in
        let ids = objects.map { $0[keyPath: path].id }
        let tuples = try next.tuples(of: ids, from: reader)
        var included: [(Target, repeat each Next)] = []
        for id in ids {
          guard let tuple = tuples.tuple(of: id) else { throw .missing(Target.self, id) }
          included.append(tuple)
        }
        return included
      })
  }

  /// The same, with the target of an optional link, and the targets of its links.
  ///
  /// - Parameters:
  ///   - path: The link.
  ///   - next: The links to follow from there, of all objects: fetching throws where its query has a condition,
  ///     an order or a limit.
  @_alwaysEmitIntoClient
  public func including<Target: Model, each Next: Sendable>(
    _ path: any KeyPath<M, Link<Target>?> & Sendable,
    _ next: QueryIncluding<Target, repeat each Next>
  ) -> QueryIncluding<M, repeat each Included, (Target, repeat each Next)?> {
    return adding(
      IncludedRelation<M, (Target, repeat each Next)?> { (objects, reader) throws(StoreError) in
        let links = objects.map { $0[keyPath: path] }
        let tuples = try next.tuples(of: links.compactMap { $0?.id }, from: reader)
        return links.map { link in link.flatMap { tuples.tuple(of: $0.id) } }
      })
  }

  /// The same, with the targets of a list of links, and the targets of their links.
  ///
  /// - Parameters:
  ///   - path: The list of links.
  ///   - next: The links to follow from there, of all objects: fetching throws where its query has a condition,
  ///     an order or a limit.
  @_alwaysEmitIntoClient
  public func including<Target: Model, each Next: Sendable>(
    _ path: any KeyPath<M, Links<Target>> & Sendable,
    _ next: QueryIncluding<Target, repeat each Next>
  ) -> QueryIncluding<M, repeat each Included, [(Target, repeat each Next)]> {
    return adding(
      IncludedRelation<M, [(Target, repeat each Next)]> { (objects, reader) throws(StoreError) in
        let lists = objects.map { $0[keyPath: path] }
        let tuples = try next.tuples(of: Array(lists.joined()), from: reader)
        return lists.map { list in list.compactMap { tuples.tuple(of: $0) } }
      })
  }

  /// The same, with the objects that link to the results, and the targets of the links of those.
  ///
  /// - Parameters:
  ///   - inverse: The inverse of a link to the objects.
  ///   - next: The links to follow from there, of all objects: fetching throws where its query has a condition,
  ///     an order or a limit.
  @_alwaysEmitIntoClient
  public func including<Source: Model, each Next: Sendable>(
    _ inverse: Inverse<M, Source>, _ next: QueryIncluding<Source, repeat each Next>
  ) -> QueryIncluding<M, repeat each Included, [(Source, repeat each Next)]> {
    return adding(
      IncludedRelation<M, [(Source, repeat each Next)]> { (objects, reader) throws(StoreError) in
        try next.checkIsOfAll()
        let sources = try reader.sources(of: inverse, objects.map { $0.id })
        // An object is in several lists if it links to several objects.
        var distinct: [Source.ID: Source] = [:]
        for source in sources.joined() { distinct[source.id] = source }
        let tuples = try IncludedTuples(Array(distinct.values), next, from: reader)
        return sources.map { list in list.compactMap { tuples.tuple(of: $0.id) } }
      })
  }

  @usableFromInline
  func checkIsOfAll() throws(StoreError) {
    guard query == M.all else {
      throw .queryInvalid(
        model: ModelName(M.self).name,
        reason: "including follows links to all objects, without a condition, an order or a limit")
    }
  }

  /// The objects with some ids, with the targets of their links.
  @_alwaysEmitIntoClient
  func tuples(
    of ids: [M.ID], from reader: _Reader
  ) throws(StoreError) -> IncludedTuples<M, repeat each Included> {
    try checkIsOfAll()
    return try IncludedTuples(try reader.related(M.self, ids), self, from: reader)
  }
}

/// Objects with the targets of their links, found by their ids.
@usableFromInline
struct IncludedTuples<M: Model, each Included: Sendable> {
  @usableFromInline let tuples: [(M, repeat each Included)]
  @usableFromInline var places: [M.ID: Int] = [:]

  /// - Parameter query: The links to follow.
  @_alwaysEmitIntoClient
  init(
    _ objects: [M], _ query: QueryIncluding<M, repeat each Included>, from reader: _Reader
  ) throws(StoreError) {
    tuples = try query.tuples(objects, from: reader)
    for (place, object) in objects.enumerated() { places[object.id] = place }
  }

  @_alwaysEmitIntoClient
  func tuple(of id: M.ID) -> (M, repeat each Included)? { places[id].map { tuples[$0] } }
}

// MARK: What links lead to

/// A type that ``Query/including(_:)`` follows: a ``Link``, an optional one, or ``Links``. For the store's own use.
public protocol _Related: PropertyValue {
  /// The target model of the links.
  associatedtype _Target: Model
  /// The type of the fetched targets.
  associatedtype _Included: Sendable
  /// The ids of the targets.
  var _targets: [_Target.ID] { get }
  /// The targets with these ids, combined.
  func _included(_ targets: [_Target.ID: _Target]) throws(StoreError) -> _Included
}

extension Link: _Related {
  /// The id.
  public var _targets: [Target.ID] { [id] }
  /// The target.
  public func _included(_ targets: [Target.ID: Target]) throws(StoreError) -> Target {
    guard let target = targets[id] else { throw .missing(Target.self, id) }
    return target
  }
}

extension Optional: _Related where Wrapped: _Related {
  /// The ids of the targets.
  public var _targets: [Wrapped._Target.ID] { self?._targets ?? [] }
  /// The target; nil for a link that is nil.
  public func _included(
    _ targets: [Wrapped._Target.ID: Wrapped._Target]
  ) throws(StoreError) -> Wrapped._Included? {
    try self?._included(targets)
  }
}

extension Links: _Related {
  /// The ids, in their order.
  public var _targets: [Target.ID] { Array(self) }
  /// The targets, in the order of the links.
  public func _included(_ targets: [Target.ID: Target]) throws(StoreError) -> [Target] {
    compactMap { targets[$0] }
  }
}

extension IncludedRelation {
  /// The targets of a link or a list of links.
  @_alwaysEmitIntoClient
  static func links<Value: _Related>(
    _ path: any KeyPath<M, Value> & Sendable
  ) -> IncludedRelation<M, Value._Included> where Included == Value._Included {
    IncludedRelation { (objects, reader) throws(StoreError) in
      let values = objects.map { $0[keyPath: path] }
      var targets: [Value._Target.ID: Value._Target] = [:]
      for target in try reader.related(Value._Target.self, values.lazy.flatMap { $0._targets }) {
        targets[target.id] = target
      }
      var included: [Value._Included] = []
      included.reserveCapacity(values.count)
      for value in values { included.append(try value._included(targets)) }
      return included
    }
  }
}

extension StoreError {
  /// The error for a link without a target.
  @usableFromInline
  static func missing<M: Model>(_ type: M.Type, _ id: M.ID) -> StoreError {
    .notFound(model: String(describing: type), id: "\(id)")
  }
}
