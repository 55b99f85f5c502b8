/// A query, and the links of what it finds that are to be followed: made by ``Query/including(_:)``.
///
/// ```swift
/// let dogs = Dog.where { $0.age > 3 }.including(\.owner, \.toys)
/// for (dog, owner, toys) in try snapshot.fetch(dogs) { print(dog.name, owner.name, toys.count) }
/// ```
///
/// What it finds are tuples: an object, and what each of its links leads to, so that nothing can be asked for that was not
/// fetched. A ``Link`` gives an object, an optional one an object or nil, ``Links`` give an array in their order, and an
/// ``Inverse`` an array in the order of the objects' keys. All targets of one link are fetched in one pass over their
/// model, however many they are, and each target once.
public struct QueryIncluding<M: Model, each Included: Sendable>: Sendable {
  let query: Query<M>
  @usableFromInline let relations: (repeat IncludedRelation<M, each Included>)

  @usableFromInline init(_ query: Query<M>, _ relation: repeat IncludedRelation<M, each Included>) {
    self.query = query
    relations = (repeat each relation)
  }

  /// Objects with what their links lead to.
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

/// Finds what links of objects lead to: for each object one result.
@usableFromInline
struct IncludedRelation<M: Model, Included: Sendable>: Sendable {
  @usableFromInline typealias Load = @Sendable ([M], _Reader) throws(StoreError) -> [Included]

  let load: Load

  @usableFromInline init(load: @escaping Load) { self.load = load }
}

/// What ``ObjectReader/fetch(_:)`` takes beside a ``Query``: a ``QueryIncluding`` or a ``QuerySelection``. Of no use outside of
/// the store.
///
/// A protocol, for the compiler does not find the types of a long chain of links by themselves (6.3).
public protocol _IncludingQuery: Sendable {
  /// The model that the query is of.
  associatedtype _Object: Model
  /// An object, and what each of its links leads to; or some fields of an object.
  associatedtype _Tuple
  /// All that it finds.
  func _fetch(from reader: _Reader) throws(StoreError) -> [_Tuple]
}

extension QueryIncluding: _IncludingQuery {
  /// The model that the query is of.
  public typealias _Object = M
  /// An object, and what each of its links leads to.
  public typealias _Tuple = (M, repeat each Included)

  /// All that it finds.
  public func _fetch(from reader: _Reader) throws(StoreError) -> [(M, repeat each Included)] {
    try tuples(try reader.context.objects(of: query), from: reader)
  }
}

extension ObjectReader {
  /// The objects that a query finds, in its order, each with what its links lead to: see ``QueryIncluding``.
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

// All of these are compiled into the programs that use them, for most use none and are to be no larger for it.

extension Query {
  /// The objects of this query with what links of theirs lead to: see ``QueryIncluding``.
  @_alwaysEmitIntoClient
  public func including<each Value: _Related>(
    _ path: repeat any KeyPath<M, each Value> & Sendable
  ) -> QueryIncluding<M, repeat (each Value)._Included> {
    QueryIncluding<M, repeat (each Value)._Included>(
      self, repeat IncludedRelation<M, (each Value)._Included>.links(each path))
  }

  /// The objects of this query with those that link to them.
  @_alwaysEmitIntoClient
  public func including<Source: Model>(
    _ inverse: Inverse<M, Source>
  ) -> QueryIncluding<M, [Source]> {
    QueryIncluding<M>(self).including(inverse)
  }

  /// The objects of this query with what a link leads to, and with what links of that lead to.
  ///
  /// ```swift
  /// let dogs = Dog.all.including(\.owner, Person.all.including(\.city))
  /// for (dog, (owner, city)) in try snapshot.fetch(dogs) { … }
  /// ```
  ///
  /// - Parameter next: The links to follow from there, of all objects: its query has no condition, order or limit.
  @_alwaysEmitIntoClient
  public func including<Target: Model, each Next: Sendable>(
    _ path: any KeyPath<M, Link<Target>> & Sendable,
    _ next: QueryIncluding<Target, repeat each Next>
  ) -> QueryIncluding<M, (Target, repeat each Next)> {
    QueryIncluding<M>(self).including(path, next)
  }

  /// The objects of this query with what an optional link leads to, and with what links of that lead to.
  ///
  /// - Parameter next: The links to follow from there, of all objects: its query has no condition, order or limit.
  @_alwaysEmitIntoClient
  public func including<Target: Model, each Next: Sendable>(
    _ path: any KeyPath<M, Link<Target>?> & Sendable,
    _ next: QueryIncluding<Target, repeat each Next>
  ) -> QueryIncluding<M, (Target, repeat each Next)?> {
    QueryIncluding<M>(self).including(path, next)
  }

  /// The objects of this query with what a list of links leads to, and with what links of that lead to.
  ///
  /// - Parameter next: The links to follow from there, of all objects: its query has no condition, order or limit.
  @_alwaysEmitIntoClient
  public func including<Target: Model, each Next: Sendable>(
    _ path: any KeyPath<M, Links<Target>> & Sendable,
    _ next: QueryIncluding<Target, repeat each Next>
  ) -> QueryIncluding<M, [(Target, repeat each Next)]> {
    QueryIncluding<M>(self).including(path, next)
  }

  /// The objects of this query with those that link to them, and with what links of those lead to.
  ///
  /// - Parameter next: The links to follow from there, of all objects: its query has no condition, order or limit.
  @_alwaysEmitIntoClient
  public func including<Source: Model, each Next: Sendable>(
    _ inverse: Inverse<M, Source>, _ next: QueryIncluding<Source, repeat each Next>
  ) -> QueryIncluding<M, [(Source, repeat each Next)]> {
    QueryIncluding<M>(self).including(inverse, next)
  }
}

extension QueryIncluding {
  /// The same, and what a link leads to.
  @_alwaysEmitIntoClient
  public func including<Value: _Related>(
    _ path: any KeyPath<M, Value> & Sendable
  ) -> QueryIncluding<M, repeat each Included, Value._Included> {
    adding(IncludedRelation<M, Value._Included>.links(path))
  }

  /// The same, and the objects that link to what is found.
  @_alwaysEmitIntoClient
  public func including<Source: Model>(
    _ inverse: Inverse<M, Source>
  ) -> QueryIncluding<M, repeat each Included, [Source]> {
    adding(
      IncludedRelation<M, [Source]> { (objects, reader) throws(StoreError) in
        // No key path: the compiler makes none where there are packs of types (6.3).
        try reader.sources(of: inverse, objects.map { $0.id })
      })
  }

  /// The same, and what a link leads to, with what links of that lead to.
  ///
  /// - Parameter next: The links to follow from there, of all objects: its query has no condition, order or limit.
  @_alwaysEmitIntoClient
  public func including<Target: Model, each Next: Sendable>(
    _ path: any KeyPath<M, Link<Target>> & Sendable,
    _ next: QueryIncluding<Target, repeat each Next>
  ) -> QueryIncluding<M, repeat each Included, (Target, repeat each Next)> {
    next.checkIsOfAll()
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

  /// The same, and what an optional link leads to, with what links of that lead to.
  ///
  /// - Parameter next: The links to follow from there, of all objects: its query has no condition, order or limit.
  @_alwaysEmitIntoClient
  public func including<Target: Model, each Next: Sendable>(
    _ path: any KeyPath<M, Link<Target>?> & Sendable,
    _ next: QueryIncluding<Target, repeat each Next>
  ) -> QueryIncluding<M, repeat each Included, (Target, repeat each Next)?> {
    next.checkIsOfAll()
    return adding(
      IncludedRelation<M, (Target, repeat each Next)?> { (objects, reader) throws(StoreError) in
        let links = objects.map { $0[keyPath: path] }
        let tuples = try next.tuples(of: links.compactMap { $0?.id }, from: reader)
        return links.map { link in link.flatMap { tuples.tuple(of: $0.id) } }
      })
  }

  /// The same, and what a list of links leads to, with what links of that lead to.
  ///
  /// - Parameter next: The links to follow from there, of all objects: its query has no condition, order or limit.
  @_alwaysEmitIntoClient
  public func including<Target: Model, each Next: Sendable>(
    _ path: any KeyPath<M, Links<Target>> & Sendable,
    _ next: QueryIncluding<Target, repeat each Next>
  ) -> QueryIncluding<M, repeat each Included, [(Target, repeat each Next)]> {
    next.checkIsOfAll()
    return adding(
      IncludedRelation<M, [(Target, repeat each Next)]> { (objects, reader) throws(StoreError) in
        let lists = objects.map { $0[keyPath: path] }
        let tuples = try next.tuples(of: Array(lists.joined()), from: reader)
        return lists.map { list in list.compactMap { tuples.tuple(of: $0) } }
      })
  }

  /// The same, and the objects that link to what is found, with what links of those lead to.
  ///
  /// - Parameter next: The links to follow from there, of all objects: its query has no condition, order or limit.
  @_alwaysEmitIntoClient
  public func including<Source: Model, each Next: Sendable>(
    _ inverse: Inverse<M, Source>, _ next: QueryIncluding<Source, repeat each Next>
  ) -> QueryIncluding<M, repeat each Included, [(Source, repeat each Next)]> {
    next.checkIsOfAll()
    return adding(
      IncludedRelation<M, [(Source, repeat each Next)]> { (objects, reader) throws(StoreError) in
        let sources = try reader.sources(of: inverse, objects.map { $0.id })
        // An object is in several lists where it links to several objects.
        var distinct: [Source.ID: Source] = [:]
        for source in sources.joined() { distinct[source.id] = source }
        let tuples = try IncludedTuples(Array(distinct.values), next, from: reader)
        return sources.map { list in list.compactMap { tuples.tuple(of: $0.id) } }
      })
  }

  @usableFromInline
  func checkIsOfAll() {
    precondition(
      query == M.all, "Links are followed to all objects; a condition belongs to the query itself.")
  }

  /// The objects with some ids, with what their links lead to.
  @_alwaysEmitIntoClient
  func tuples(
    of ids: [M.ID], from reader: _Reader
  ) throws(StoreError) -> IncludedTuples<M, repeat each Included> {
    try IncludedTuples(try reader.related(M.self, ids), self, from: reader)
  }
}

/// Objects with what their links lead to, found by their ids.
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

/// What ``Query/including(_:)`` follows: a ``Link``, an optional one, or ``Links``. Of no use outside of the store.
public protocol _Related: PropertyValue {
  /// The model that the links lead to.
  associatedtype _Target: Model
  /// What is fetched of them.
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
  /// The error where a link leads to no object.
  @usableFromInline
  static func missing<M: Model>(_ type: M.Type, _ id: M.ID) -> StoreError {
    .notFound(model: String(describing: type), id: "\(id)")
  }
}
