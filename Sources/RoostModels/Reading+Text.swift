extension Reading {
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
    case .rowID: "try \(object).rowID()"
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
    case .linksThrough(let table, let from, let to, let order):
      "try \(object).links(through: \(table.swiftLiteral), from: \(from.swiftLiteral), to: \(to.swiftLiteral)"
        + (order.map { ", orderedBy: \($0.swiftLiteral)" } ?? "") + ")"
    case .embedded(let name, let place):
      "try \(object).object(\(name.swiftLiteral)).map(read\(names.types[place]))"
    case .embeddedList(let name, let place):
      "try \(object).objects(\(name.swiftLiteral)).map(read\(names.types[place]))"
    case .parts: ""
    }
  }
}
