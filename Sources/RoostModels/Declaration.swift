/// The models of a file, to be printed as Swift.
struct ModelSet {
  /// Models, embedded structs, compound keys, enums and helpers, in the order in which they are printed. Types refer to them
  /// by their place.
  var declarations: [Declaration] = []
  /// The values that the file keeps under names, and their types.
  var namedValues: [(name: String, type: SwiftType)] = []
  /// The names of the migration steps that were run in the file, which a program that opens it must have.
  var steps: [String] = []
  /// What is not printed, and why: a comment.
  var remarks: [String] = []
  /// Where the objects come from; nil where they are in the store already.
  var mapping: Mapping?

  /// A library that the objects are imported with.
  struct Mapping {
    /// The module.
    var module: String
    /// The type that an embedded struct is read from; nil if the source has no embedded structs.
    var objectType: String?
    /// The beginning of a line for a class or a table: `importer.objects`.
    var method: String
    /// What stands before the name of the class or the table.
    var label = ""
    /// How a file is named as a source: `.realm`.
    var source: String
    /// Whether the file is read with a key.
    var takesKey = false
    /// Classes without a model.
    var ignored: [String] = []
  }

  /// Adds a declaration, and returns its place.
  mutating func add(_ declaration: Declaration) -> Int {
    declarations.append(declaration)
    return declarations.count - 1
  }
}

/// A type to be declared.
struct Declaration {
  /// What it is.
  enum Kind: Equatable {
    case model
    case embedded
    case compoundKey
    /// The cases of an enum, by their values.
    case cases([EnumValue])
    /// A ``/Roost/CaseNamed`` type around JSON.
    case caseNamed
    /// A type whose text is fixed.
    case helper(Helper)
  }

  var kind: Kind
  /// The name in the file, or one from which the name in Swift is made.
  var name: String
  /// The name in front, if the name alone is taken.
  var qualifier = ""
  /// A comment above it.
  var comment: String?
  var properties: [ModelProperty] = []
  /// Indexes of several fields or of some objects.
  var indexes: [ModelIndex] = []
  /// The class or the table in a foreign file; nil where the objects are in the store already.
  var source: String?
  /// The entities whose objects become it, where it is of several ones.
  var variants: [Variant] = []

  /// An entity of several that become one model.
  struct Variant {
    var source: String
    /// The places of the properties that its objects have.
    var properties: Set<Int>
  }

  init(_ kind: Kind, _ name: String) {
    self.kind = kind
    self.name = name
  }

  /// The classes, tables or entities whose objects become it, each with the places of the properties that these have.
  var sources: [Variant] {
    guard variants.isEmpty else { return variants }
    return source.map { [Variant(source: $0, properties: Set(properties.indices))] } ?? []
  }
}

/// A value that a case of an enum stands for.
enum EnumValue: Hashable {
  case text(String)
  case integer(Int64)
}

/// A property of a model, a part of an embedded struct, or a part of a compound key.
struct ModelProperty: Hashable {
  /// The name in the file.
  var name: String
  /// What the name in Swift is made of, if it is not the name in the file.
  var shownName: String?
  var type: SwiftType
  var isKey = false
  var isIndexed = false
  var isUnique = false
  /// The default as a literal.
  var defaultValue: DefaultValue?
  /// The rule for a link, where it is not that of all links or lists.
  var deleteRule: String?
  /// Whether a link becomes nil if its target is missing.
  var nullifiesMissingTarget = false
  /// The name for the other direction of a link.
  var inverseName: String?
  /// How it is read from a foreign file.
  var reading: Reading?

  init(_ name: String, _ type: SwiftType, isKey: Bool = false) {
    self.name = name
    self.type = type
    self.isKey = isKey
  }
}

/// The default of a field.
enum DefaultValue: Hashable {
  case literal(String)
  /// A case of an enum.
  case value(EnumValue)
}

/// An index of several fields, or of some objects.
struct ModelIndex: Hashable {
  /// The names in the file of each field and of what it is in, `["address", "city"]`.
  var fields: [[String]]
  var isUnique = false
  var conditions: [Condition] = []

  struct Condition: Hashable {
    var field: [String]
    /// The operator, as `==`.
    var sign: String
    var value: DefaultValue
  }
}

/// A type in Swift.
indirect enum SwiftType: Hashable, Sendable {
  /// A type of a library, with the module that it is in.
  case library(String, module: String)
  /// A declared type, by its place.
  case declared(Int)
  case link(Int)
  case links(Int)
  case optional(SwiftType)
  case array(SwiftType)
  case set(SwiftType)
  case dictionary(key: SwiftType, value: SwiftType)

  static let bool = SwiftType.library("Bool", module: "Swift")
  static let int = SwiftType.library("Int", module: "Swift")
  static let uint = SwiftType.library("UInt64", module: "Swift")
  static let double = SwiftType.library("Double", module: "Swift")
  static let float = SwiftType.library("Float", module: "Swift")
  static let string = SwiftType.library("String", module: "Swift")
  static let duration = SwiftType.library("Duration", module: "Swift")
  static let data = SwiftType.library("Data", module: "Foundation")
  static let date = SwiftType.library("Date", module: "Foundation")
  static let uuid = SwiftType.library("UUID", module: "Foundation")
  static let decimal = SwiftType.library("Decimal", module: "Foundation")
  static let blob = SwiftType.library("Blob", module: "Roost")

  /// The type, or its optional.
  func optional(_ isOptional: Bool) -> SwiftType { isOptional ? .optional(self) : self }

  /// The type without its optional.
  var unwrapped: SwiftType { if case .optional(let type) = self { type } else { self } }
}
