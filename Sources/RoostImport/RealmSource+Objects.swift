internal import RealmFile

extension RealmSource {
  /// Goes through the objects of a class in the order of their object keys.
  ///
  /// It holds the columns of up to 256 objects at a time, those that were read.
  public struct Objects {
    private let source: RealmSource
    private let definition: Class
    private var cursor: StoredCursor
    private var cluster: StoredCluster?
    private var row = 0

    init(_ source: RealmSource, _ definition: Class) {
      self.source = source
      self.definition = definition
      cursor = source.database.cursor(over: definition.table)
    }

    /// The next object; nil after the last one.
    ///
    /// - Throws: If the file is damaged; also at the end, if there were not as many objects as the file states.
    public mutating func next() throws(RealmError) -> Object? {
      do {
        if cluster == nil || row == cluster?.count {
          cluster = try cursor.next()
          row = 0
        }
        guard let cluster else { return nil }
        defer { row += 1 }
        return Object(source, definition, cluster, row: row, key: try cluster.key(at: row))
      } catch {
        throw RealmError(error, path: source.path)
      }
    }
  }

  /// An object in the file, whose values are read when they are asked for.
  ///
  /// It is for one thread: objects that ``Objects`` returned one after another share what they have read.
  public struct Object {
    /// The class of the object.
    public let `class`: Class
    /// The object key, which Realm gives every object: what identifies one without a primary key.
    public let key: Int64
    private let source: RealmSource
    private let cluster: StoredCluster
    private let row: Int

    init(_ source: RealmSource, _ definition: Class, _ cluster: StoredCluster, row: Int, key: Int64)
    {
      self.source = source
      self.class = definition
      self.cluster = cluster
      self.row = row
      self.key = key
    }

    /// The link that names the object.
    public var link: RealmValue.Link { RealmValue.Link(className: `class`.name, key: key) }

    /// A property's value as the Swift type that the place asks for: `let name: String? = try person["name"]`.
    ///
    /// Integers of any width are read from an Int that fits, a `Double` also from a Float, a `Date` from a time (rounded to
    /// its steps, which ``RealmSource/roundings`` counts), a `Decimal` from a Decimal128 that fits, arrays also from sets.
    /// Otherwise, types are not converted.
    ///
    /// - Throws: If the class has no such property, the type cannot hold the value, null included, or the file is damaged.
    public subscript<Value: RealmDecodable>(property: String) -> Value {
      get throws(RealmError) {
        let stored = try value(property)
        switch Value.decode(realm: stored) {
        case .exact(let value): return value
        case .rounded(let value):
          source.countRounding(`class`.name, property)
          return value
        case .mismatch: throw mismatch(property, stored.kind, Value.self)
        case .outOfRange:
          throw mismatch(property, stored.kind + " that this type does not have", Value.self)
        }
      }
    }

    /// A property's value as the file has it.
    ///
    /// A collection is read whole.
    ///
    /// - Throws: If the class has no such property, or the file is damaged.
    public func value(_ property: String) throws(RealmError) -> RealmValue {
      guard let place = `class`.place(of: property) else {
        throw .unknownProperty(className: `class`.name, property: property)
      }
      return try value(at: place)
    }

    /// The values of all properties, in the order of the class's `properties`.
    ///
    /// - Throws: If the file is damaged.
    public var values: [RealmValue] {
      get throws(RealmError) {
        var values: [RealmValue] = []
        for place in `class`.properties.indices { values.append(try value(at: place)) }
        return values
      }
    }

    /// The object that a property links to, or has embedded; nil for null.
    ///
    /// - Throws: If the class has no such property, its value is neither a link nor null, or the file is damaged.
    public func object(_ property: String) throws(RealmError) -> Object? {
      guard let link: RealmValue.Link = try self[property] else { return nil }
      return try source.object(link)
    }

    /// The primary key; of an object whose class has none, the object key.
    ///
    /// - Throws: If the type cannot hold the key, or the file is damaged.
    public func id<Key: RealmDecodable>(as type: Key.Type = Key.self) throws(RealmError) -> Key {
      if let property = `class`.primaryKey { return try self[property] }
      guard case .exact(let key) = Key.decode(realm: .int(key)) else {
        throw .mismatch(
          className: `class`.name, property: "object key", object: key, declared: "Int",
          found: "an Int", asked: "\(Key.self)")
      }
      return key
    }

    /// The ``id(as:)`` of the object that a property links to; nil for null.
    ///
    /// - Throws: If the class has no such property, its value is no link, the type cannot hold the key, or the file is
    ///   damaged.
    public func key<Key: RealmDecodable>(
      of property: String, as type: Key.Type = Key.self
    ) throws(RealmError) -> Key? {
      try object(property)?.id()
    }

    /// The ``id(as:)`` of each object in a list or a set of links, in the order of the file.
    ///
    /// - Throws: As ``key(of:as:)``.
    public func keys<Key: RealmDecodable>(
      of property: String, as type: Key.Type = Key.self
    ) throws(RealmError) -> [Key] {
      let links: [RealmValue.Link] = try self[property]
      var keys: [Key] = []
      keys.reserveCapacity(links.count)
      for link in links {
        if let object = try source.object(link) { keys.append(try object.id()) }
      }
      return keys
    }

    /// The objects in a list or a set of embedded objects, or of links, in the order of the file.
    ///
    /// - Throws: If the class has no such property, its values are no objects, or the file is damaged.
    public func objects(_ property: String) throws(RealmError) -> [Object] {
      let links: [RealmValue.Link] = try self[property]
      var objects: [Object] = []
      for link in links {
        if let object = try source.object(link) { objects.append(object) }
      }
      return objects
    }

    /// The objects that link to this one by a property of a class, which is one of the class's `inverses`.
    ///
    /// One that links twice is there twice.
    ///
    /// - Throws: If the class has no such inverse, or the file is damaged.
    public func sources(
      in className: String, by property: String
    ) throws(RealmError) -> [RealmValue.Link] {
      let inverse = Inverse(className: className, property: property)
      guard let backlinks = `class`.backlinks(inverse) else {
        throw .unknownProperty(className: className, property: property)
      }
      do {
        return try cluster.backlinks(at: row, backlinks).map {
          RealmValue.Link(className: className, key: $0)
        }
      } catch {
        throw RealmError(error, path: source.path)
      }
    }

    private func value(at place: Int) throws(RealmError) -> RealmValue {
      let stored: StoredValue
      do { stored = try cluster.value(at: row, column: place) } catch {
        throw RealmError(error, path: source.path)
      }
      return try source.value(stored)
    }

    private func mismatch<Value>(
      _ property: String, _ found: String, _ asked: Value.Type
    ) -> RealmError {
      .mismatch(
        className: `class`.name, property: property, object: key,
        declared: `class`.property(property)?.description ?? "", found: found, asked: "\(asked)")
    }
  }
}
