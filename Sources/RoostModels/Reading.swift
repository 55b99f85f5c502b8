/// How a property is read from an object of a foreign file.
enum Reading: Hashable {
  /// The primary key, or what takes its place.
  case id
  /// The number that Realm gives an object.
  case objectKey
  /// A value as it is.
  case value(String)
  /// The name of the entity.
  case entity
  /// Data that may be in a file of its own.
  case externalData(String)
  /// A date in a column, in the form of this name.
  case date(String, form: String)
  /// The target of a link.
  case link(String)
  /// The targets of a list of links.
  case links(String)
  /// The target of a link, by the number that Realm gives it.
  case linkByObjectKey(String)
  /// The targets of a list of links, by the numbers that Realm gives them.
  case linksByObjectKey(String)
  /// The numbers that Realm gives the targets of a dictionary of links.
  case linkDictionary(String)
  /// The targets that a table between two others leads to.
  case linksThrough(table: String, from: String, to: String)
  /// An embedded object, as the struct at this place.
  case embedded(String, Int)
  /// A list of embedded objects, as the struct at this place.
  case embeddedList(String, Int)
  /// A compound key, made of its parts: the key at this place.
  case parts(Int)

  /// The expression that reads it: `try $0.object("address").map(readAddress)`.
  ///
  /// - Parameters:
  ///   - object: What stands for the object.
  ///   - names: The names of the declared types.
  func text(of object: String, _ names: Names) -> String {
    let int = names.library("Int", "Swift")
    return switch self {
    case .id: "try \(object).id()"
    case .objectKey: "\(int)(\(object).key)"
    case .entity: "\(object).entity"
    case .externalData(let name): "try \(object).externalData(\(name.swiftLiteral))"
    case .value(let name): "try \(object)[\(name.swiftLiteral)]"
    case .date(let name, let form): "try \(object).date(\(name.swiftLiteral), as: .\(form))"
    case .link(let name): "try \(object).link(\(name.swiftLiteral))"
    case .links(let name): "try \(object).links(\(name.swiftLiteral))"
    case .linkByObjectKey(let name):
      "try \(object).object(\(name.swiftLiteral)).map { \(names.library("Link", "Roost"))(id: \(int)($0.key)) }"
    case .linksByObjectKey(let name):
      "\(names.library("Links", "Roost"))(ids: try \(object).objects(\(name.swiftLiteral)).map { \(int)($0.key) })"
    case .linkDictionary(let name):
      "try (\(object)[\(name.swiftLiteral)] as [\(names.library("String", "Swift")): \(names.library("RealmValue", "RoostImport")).Link?]).mapValues { $0.map { \(int)($0.key) } }"
    case .linksThrough(let table, let from, let to):
      "try \(object).links(through: \(table.swiftLiteral), from: \(from.swiftLiteral), to: \(to.swiftLiteral))"
    case .embedded(let name, let place):
      "try \(object).object(\(name.swiftLiteral)).map(read\(names.types[place]))"
    case .embeddedList(let name, let place):
      "try \(object).objects(\(name.swiftLiteral)).map(read\(names.types[place]))"
    case .parts: ""
    }
  }
}
