package import RealmFile

extension RealmSource {
  /// A class in the file.
  public struct Class: Equatable, Sendable {
    /// The name.
    public let name: String
    /// What its objects are.
    public let kind: Kind
    /// The properties, in the order of the file. Properties that link back have no values; see ``inverses``.
    public let properties: [Property]
    /// The name of the primary key; nil if the class has none.
    public let primaryKey: String?
    /// The properties of other classes, or of this one, that link to objects of this class.
    ///
    /// Realm keeps them for every link, whether or not the app declares `LinkingObjects`.
    public let inverses: [Inverse]

    package let table: StoredTable
    private let byName: [String: Int]
    /// The columns of backlinks that ``inverses`` are read from.
    private let backlinks: [Inverse: StoredBacklinks]

    /// What the objects of a class are.
    public enum Kind: Hashable, Sendable {
      /// Objects of their own.
      case object
      /// Embedded objects: each belongs to one property of one object.
      case embedded
      /// Objects that are sent to a server, and not kept in the file.
      case asymmetric
    }

    /// The property of this name; nil if there is none.
    public func property(_ name: String) -> Property? { byName[name].map { properties[$0] } }

    /// Whether the texts of the property at a place are stored as numbers of a list of all of them.
    package func isEnumerated(_ place: Int) -> Bool { table.columns[place].isEnumerated }

    func place(of property: String) -> Int? { byName[property] }

    func backlinks(_ inverse: Inverse) -> StoredBacklinks? { backlinks[inverse] }
  }

  /// A property of a class that links to another class.
  public struct Inverse: Hashable, Sendable {
    /// The class whose objects link.
    public var className: String
    /// The property by which they do.
    public var property: String
  }

  /// A property of a class.
  public struct Property: Hashable, Sendable {
    /// The name of the column in the file, which an app may have chosen to be another than that of its property in Swift.
    public let name: String
    /// The type of the values, or of the elements.
    public let type: ValueType
    /// Whether values, or elements, may be null.
    public let isOptional: Bool
    /// The collection; nil for a single value.
    public let collection: Collection?
    /// Whether it is the primary key of its class.
    public let isPrimaryKey: Bool
    /// Whether there is a search index on it: a general one or one for words.
    public let index: Index

    /// The type of values.
    public enum ValueType: Hashable, Sendable {
      /// A Bool.
      case bool
      /// An integer.
      case int
      /// A floating-point number of 32 bits.
      case float
      /// A floating-point number of 64 bits.
      case double
      /// A text.
      case string
      /// Binary data.
      case data
      /// A point in time.
      case date
      /// A decimal number.
      case decimal
      /// An ObjectId.
      case objectID
      /// A UUID.
      case uuid
      /// A value of any type, also links, lists and dictionaries.
      case mixed
      /// A link to an object of a class.
      case link(to: String)
      /// An embedded object of a class.
      case embedded(String)
    }

    /// A kind of collection.
    public enum Collection: Hashable, Sendable {
      /// A list.
      case list
      /// A set.
      case set
      /// A dictionary with text keys.
      case dictionary
    }

    /// A kind of search index.
    public enum Index: Hashable, Sendable {
      /// None.
      case none
      /// One that finds values. A primary key always has one.
      case general
      /// One that finds words in texts.
      case fullText
    }
  }
}

extension RealmSource.Property: CustomStringConvertible {
  /// The type, as Realm's SDK for Swift names it: `String?`, `List<Dog>`, `Map<String, Int>`.
  public var description: String {
    let element = type.name + (isOptional && type != .mixed ? "?" : "")
    return switch collection {
    case nil: element
    case .list: "List<\(element)>"
    case .set: "MutableSet<\(element)>"
    case .dictionary: "Map<String, \(element)>"
    }
  }
}

extension RealmSource.Property.ValueType {
  fileprivate var name: String {
    switch self {
    case .bool: "Bool"
    case .int: "Int"
    case .float: "Float"
    case .double: "Double"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .decimal: "Decimal128"
    case .objectID: "ObjectId"
    case .uuid: "UUID"
    case .mixed: "AnyRealmValue"
    case .link(let name), .embedded(let name): name
    }
  }
}

extension RealmSource.Class {
  init(
    _ table: StoredTable, name: String, in database: StoredDatabase, _ naming: ClassNaming
  ) {
    self.name = name
    self.table = table
    kind =
      switch table.kind {
      case .object: .object
      case .embedded: .embedded
      case .asymmetric: .asymmetric
      }
    var properties: [RealmSource.Property] = []
    var byName: [String: Int] = [:]
    for (index, column) in table.columns.enumerated() {
      byName[column.name] = byName[column.name] ?? index
      properties.append(
        RealmSource.Property(column, isPrimaryKey: table.primaryKey == index, in: database, naming))
    }
    self.properties = properties
    self.byName = byName
    primaryKey = table.primaryKey.map { properties[$0].name }
    var inverses: [RealmSource.Inverse] = []
    var backlinks: [RealmSource.Inverse: StoredBacklinks] = [:]
    for column in table.backlinks {
      guard let source = database.table(column.table),
        let className = naming.className(of: source),
        let property = database.columnName(column.column, of: column.table)
      else { continue }
      let inverse = RealmSource.Inverse(className: className, property: property)
      inverses.append(inverse)
      backlinks[inverse] = column
    }
    self.inverses = inverses
    self.backlinks = backlinks
  }
}

extension RealmSource.Property {
  fileprivate init(
    _ column: StoredColumn, isPrimaryKey: Bool, in database: StoredDatabase, _ naming: ClassNaming
  ) {
    let target = column.target.flatMap { database.table($0) }
    let targetName = target.map { naming.className(of: $0) ?? $0.name } ?? ""
    name = column.name
    type =
      switch column.type {
      case .bool: .bool
      case .int: .int
      case .float: .float
      case .double: .double
      case .string: .string
      case .data: .data
      case .date: .date
      case .decimal: .decimal
      case .objectID: .objectID
      case .uuid: .uuid
      case .mixed, .typedLink, .backlink: .mixed
      case .link, .linkList:
        target?.kind == .embedded ? .embedded(targetName) : .link(to: targetName)
      }
    isOptional = column.isNullable
    collection =
      switch column.collection {
      case .list: .list
      case .set: .set
      case .dictionary: .dictionary
      case nil: nil
      }
    self.isPrimaryKey = isPrimaryKey
    index =
      switch column.index {
      case .none: .none
      case .general: .general
      case .fulltext: .fullText
      }
  }
}
