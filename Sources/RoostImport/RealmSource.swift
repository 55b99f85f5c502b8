package import RealmFile
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A `.realm` file to import from, read without Realm.
///
/// ```swift
/// let source = try RealmSource(url)
/// var people = try source.objects("Person")
/// while let person = try people.next() {
///   let name: String = try person["name"]
///   let age: Int? = try person["age"]
/// }
/// ```
///
/// Formats 10, 11 and 20 to 24 are read: those of realm-core 6 to 14 and 20, and so of every SDK since 2020. The file is
/// only read, in its newest committed state; nothing is written beside it. It must not be in use meanwhile: Realm reuses the
/// space of older states. ``checkUnchanged()`` says whether it was.
///
/// A damaged file gives an error or other values, but never ends the program. Nor does it take any amount of memory: a source
/// keeps 8 MB of pages, and the definitions of the classes, the columns of up to 256 objects and a value take at most
/// `valueBytesMax` bytes each.
public final class RealmSource: Sendable {
  /// The classes in the file, in its order.
  public let classes: [Class]
  /// The number of the file's format; nil if no transaction was ever committed to it.
  public var format: Int? { database.format }

  package let database: StoredDatabase
  let path: String
  /// All tables by key, with the name of their class, and that class's place if it is one of ``classes``.
  private let tables: [UInt32: TableName]
  private let byName: [String: Int]
  private let counts: Mutex<[Rounding.Place: Int]>

  private struct TableName {
    var name: String
    var isEmbedded: Bool
  }

  /// Opens a file, and reads which classes it has.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - key: The 64 bytes of the key of an encrypted file. Reading one needs the package's trait `RealmEncryption`.
  ///   - valueBytesMax: The most memory that reading one value may take, some 100 bytes for each element of a
  ///     collection, which is read whole. Damaged files can claim any number of elements.
  /// - Throws: If the file cannot be opened, is no Realm file, has a format that is not read, is damaged, or was
  ///   encrypted with another key.
  public convenience init(
    _ url: URL, key: Data? = nil, valueBytesMax: Int = 256 << 20
  ) throws(RealmError) {
    try self.init(
      path: url.path, key: key, valueBytesMax: valueBytesMax, naming: .classes)
  }

  /// Opens a file, of which each table is a class, or only those that an app declared.
  package init(
    path: String, key: Data?, valueBytesMax: Int, naming: ClassNaming
  ) throws(RealmError) {
    do {
      database = try StoredDatabase(
        path: path, key: key.map { Array($0) }, bytesMax: valueBytesMax)
    } catch {
      throw RealmError(error, path: path)
    }
    var tables: [UInt32: TableName] = [:]
    for table in database.tables {
      tables[table.key] = TableName(
        name: naming.className(of: table) ?? table.name, isEmbedded: table.kind == .embedded)
    }
    var classes: [Class] = []
    var byName: [String: Int] = [:]
    for table in database.tables {
      guard let name = naming.className(of: table) else { continue }
      byName[name] = byName[name] ?? classes.count
      classes.append(Class(table, name: name, in: database, naming))
    }
    self.path = path
    self.tables = tables
    self.classes = classes
    self.byName = byName
    counts = Mutex([:])
  }

  /// The class of this name; nil if the file has none.
  public func `class`(_ name: String) -> Class? { byName[name].map { classes[$0] } }

  /// The version of the schema that the app set when it last opened the file; nil if none was set.
  ///
  /// - Throws: If the file is damaged.
  public var schemaVersion: UInt64? {
    get throws(RealmError) {
      guard let table = database.tables.first(where: { $0.name == "metadata" }),
        let column = table.columns.firstIndex(where: { $0.name == "version" && $0.type == .int })
      else { return nil }
      do {
        var cursor = database.cursor(over: table)
        guard let cluster = try cursor.next(),
          case .int(let version) = try cluster.value(at: 0, column: column)
        else { return nil }
        return UInt64(bitPattern: version)
      } catch {
        throw RealmError(error, path: path)
      }
    }
  }

  /// The number of objects of a class, as the file states it, without reading them.
  ///
  /// - Throws: If there is no such class, or the file is damaged.
  public func count(of className: String) throws(RealmError) -> Int {
    let table = try definition(className).table
    do { return Int(clamping: try database.count(of: table)) } catch {
      throw RealmError(error, path: path)
    }
  }

  /// Goes through the objects of a class in the order of their object keys.
  ///
  /// Embedded objects are in this order too, beside no object that they belong to.
  ///
  /// - Throws: If there is no such class.
  public func objects(_ className: String) throws(RealmError) -> Objects {
    Objects(self, try definition(className))
  }

  /// The object that a link names; nil if there is none.
  ///
  /// Reads a few nodes of the tree of the class's objects.
  ///
  /// - Throws: If there is no such class, or the file is damaged.
  public func object(_ link: RealmValue.Link) throws(RealmError) -> Object? {
    let definition = try definition(link.className)
    do {
      guard let found = try database.find(link.key, in: definition.table) else { return nil }
      return Object(self, definition, found.cluster, row: found.row, key: link.key)
    } catch {
      throw RealmError(error, path: path)
    }
  }

  /// Throws ``RealmError/changed(path:)`` if the file was written to since it was opened: what was read may then be partly of one state
  /// and partly of another.
  public func checkUnchanged() throws(RealmError) {
    do { try database.checkUnchanged() } catch { throw RealmError(error, path: path) }
  }

  private func definition(_ name: String) throws(RealmError) -> Class {
    guard let index = byName[name] else { throw .unknownClass(name) }
    return classes[index]
  }

  /// The public form of a value.
  func value(_ stored: StoredValue) throws(RealmError) -> RealmValue {
    switch stored {
    case .null: return .null
    case .bool(let bool): return .bool(bool)
    case .int(let integer): return .int(integer)
    case .float(let float): return .float(float)
    case .double(let double): return .double(double)
    case .string(let bytes):
      return String(validating: bytes, as: UTF8.self).map { .string($0) }
        ?? .malformedString(Data(bytes))
    case .data(let bytes): return .data(Data(bytes))
    case .date(let seconds, let nanoseconds):
      return .date(RealmValue.Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    case .decimal(let high, let low): return .decimal(RealmValue.Decimal128(high: high, low: low))
    case .objectID(let bytes): return .objectID(RealmValue.ObjectID(bytes: bytes))
    case .uuid(let bytes): return .uuid(UUID(bytes))
    case .link(let table, let key):
      guard let table = tables[table] else {
        throw .damaged(path: path, offset: 0, reason: "a link leads to a table that is not there")
      }
      let link = RealmValue.Link(className: table.name, key: key)
      return table.isEmbedded ? .embedded(link) : .link(link)
    case .list(let elements): return .list(try values(elements))
    case .set(let elements): return .set(try values(elements))
    case .dictionary(let entries):
      var result: [RealmValue.Entry] = []
      result.reserveCapacity(entries.count)
      for entry in entries {
        result.append(RealmValue.Entry(key: try value(entry.key), value: try value(entry.value)))
      }
      return .dictionary(result)
    }
  }

  private func values(_ stored: [StoredValue]) throws(RealmError) -> [RealmValue] {
    var result: [RealmValue] = []
    result.reserveCapacity(stored.count)
    for element in stored { result.append(try value(element)) }
    return result
  }
}

extension RealmSource {
  /// How many values of a property were read as a type that could not hold them exactly.
  public struct Rounding: Hashable, Sendable {
    /// The class.
    public var className: String
    /// The property.
    public var property: String
    /// How often a value was rounded.
    public var count: Int

    struct Place: Hashable {
      var className: String
      var property: String
    }
  }

  /// The properties of which values were rounded so far when they were read, such as times to a `Date`, sorted by name.
  ///
  /// Reading a ``RealmValue``, or a type that holds everything, rounds nothing.
  public var roundings: [Rounding] {
    let counts = counts.withLock { $0 }
    return counts.map {
      Rounding(className: $0.key.className, property: $0.key.property, count: $0.value)
    }.sorted { ($0.className, $0.property) < ($1.className, $1.property) }
  }

  func countRounding(_ className: String, _ property: String) {
    counts.withLock {
      $0[Rounding.Place(className: className, property: property), default: 0] += 1
    }
  }
}

extension UUID {
  /// A UUID of 16 bytes.
  fileprivate init(_ b: [UInt8]) {
    self.init(
      uuid: (
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
        b[14], b[15]
      ))
  }
}
