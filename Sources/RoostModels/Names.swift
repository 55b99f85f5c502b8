/// The names in Swift of everything that is printed: identifiers, each once where it stands.
struct Names {
  /// The name of each declared type.
  private(set) var types: [String] = []
  /// The names of each declaration's properties.
  private(set) var properties: [[String]] = []
  /// The names of the cases of each enum.
  private(set) var cases: [[EnumValue: String]] = []
  /// The other directions of links, in each model that they lead to.
  private(set) var inverses: [[(name: String, source: Int, path: [String], isOfList: Bool)]] = []
  /// The models that are called otherwise in the file.
  private(set) var renamed: [(stored: String, name: String)] = []
  private var taken: Set<String> = []

  /// - Parameter keepsIdentifiers: Whether names that are identifiers stay as they are.
  init(_ set: ModelSet, keepsIdentifiers: Bool) {
    types = [String](repeating: "", count: set.declarations.count)
    nameTypes(set, keepsIdentifiers)
    for declaration in set.declarations {
      properties.append(properties(of: declaration, keepsIdentifiers))
      cases.append(Self.cases(of: declaration))
    }
    inverses = types.map { _ in [] }
    nameInverses(set)
  }

  /// A name of a library, with its module where a declared type has the name too.
  func library(_ name: String, _ module: String) -> String {
    let first = name.prefix { $0 != "." }
    return taken.contains(String(first)) ? "\(module).\(name)" : name
  }

  /// A type as it is written.
  func text(_ type: SwiftType) -> String {
    switch type {
    case .library(let name, let module): library(name, module)
    case .declared(let place): SwiftName.declared(types[place])
    case .link(let place): "\(library("Link", "Roost"))<\(SwiftName.declared(types[place]))>"
    case .links(let place): "\(library("Links", "Roost"))<\(SwiftName.declared(types[place]))>"
    case .optional(let type): text(type) + "?"
    case .array(let type): "[\(text(type))]"
    case .set(let type): "\(library("Set", "Swift"))<\(text(type))>"
    case .dictionary(let key, let value): "[\(text(key)): \(text(value))]"
    }
  }

  // MARK: Types

  private mutating func nameTypes(_ set: ModelSet, _ keepsIdentifiers: Bool) {
    // A model keeps its name before others get one.
    var rest: [Int] = []
    for (place, declaration) in set.declarations.enumerated() {
      let name = SwiftName.type(declaration.name, keepsIdentifiers: keepsIdentifiers)
      if declaration.kind == .model, name == declaration.name {
        take(name, for: place)
      } else {
        rest.append(place)
      }
    }
    for place in rest {
      let declaration = set.declarations[place]
      // The name of a field begins in lower case.
      let keeps = keepsIdentifiers && declaration.kind == .model
      var name = SwiftName.type(declaration.name, keepsIdentifiers: keeps)
      if taken.contains(name), !declaration.qualifier.isEmpty {
        name = SwiftName.type(declaration.qualifier, keepsIdentifiers: keeps) + name
      }
      take(name, for: place)
      if declaration.kind == .model, declaration.source == nil {
        renamed.append((declaration.name, types[place]))
      }
    }
  }

  private mutating func take(_ name: String, for place: Int) {
    types[place] = Self.unique(name, in: &taken)
  }

  /// A name, with a number behind it where it is taken.
  private static func unique(_ name: String, in taken: inout Set<String>) -> String {
    var (found, number) = (name, 2)
    while !taken.insert(found).inserted {
      found = "\(name)\(number)"
      number += 1
    }
    return found
  }

  // MARK: Properties

  private func properties(of declaration: Declaration, _ keeps: Bool) -> [String] {
    var taken: Set<String> = declaration.kind == .model ? ["id"] : []
    func name(of property: ModelProperty) -> String {
      let name = SwiftName.property(
        property.shownName ?? property.name, keepsIdentifiers: keeps)
      // The compiler would look for the property in its own type.
      return self.taken.contains(name) || Self.libraryTypes.contains(name) ? name + "_" : name
    }
    // Names that stay as they are go before those that are made.
    var names = declaration.properties.map { property -> String? in
      if property.isKey { return "id" }
      let name = name(of: property)
      return name == property.name && taken.insert(name).inserted ? name : nil
    }
    for (place, property) in declaration.properties.enumerated() where names[place] == nil {
      names[place] = Self.unique(name(of: property), in: &taken)
    }
    return names.map { $0 ?? "" }
  }

  private static let libraryTypes: Set<String> = [
    "Blob", "Bool", "Data", "Date", "Decimal", "Double", "Duration", "Float", "Int", "Link",
    "Links", "Set", "String", "UInt64", "UUID", "RealmValue",
  ]

  private static func cases(of declaration: Declaration) -> [EnumValue: String] {
    guard case .cases(let values) = declaration.kind else { return [:] }
    var names: [EnumValue: String] = [:]
    var taken: Set<String> = []
    for value in values {
      let name =
        switch value {
        case .text(let text): SwiftName.property(text, keepsIdentifiers: false)
        case .integer(let number):
          number < 0 ? "minus\(number.magnitude)" : "value\(number)"
        }
      names[value] = unique(name, in: &taken)
    }
    return names
  }

  // MARK: Inverses

  private mutating func nameInverses(_ set: ModelSet) {
    var found: [(target: Int, source: Int, path: [String], name: String?, isOfList: Bool)] = []
    for (place, declaration) in set.declarations.enumerated() where declaration.kind == .model {
      for link in links(of: place, in: set) {
        found.append((link.target, place, link.path, link.name, link.isOfList))
      }
    }
    for target in types.indices {
      let links = found.filter { $0.target == target }
      var taken = Set(properties[target])
      for link in links {
        var name = link.name ?? SwiftName.plural(types[link.source])
        let others = links.filter { $0.source == link.source }.count
        if link.name == nil, others > 1 || link.source == target {
          name += "By" + link.path.map(SwiftName.capitalized).joined()
        }
        name = SwiftName.property(Self.unique(name, in: &taken), keepsIdentifiers: true)
        inverses[target].append((name, link.source, link.path, link.isOfList))
      }
    }
  }

  /// The links of a declaration, with the properties that lead to each, and the name for the way back; none within structs that may be missing.
  private func links(
    of place: Int, in set: ModelSet
  ) -> [(target: Int, path: [String], name: String?, isOfList: Bool)] {
    var links: [(target: Int, path: [String], name: String?, isOfList: Bool)] = []
    for (property, name) in zip(set.declarations[place].properties, properties[place]) {
      switch property.type {
      case .link(let target), .optional(.link(let target)):
        links.append((target, [name], property.inverseName, false))
      case .links(let target): links.append((target, [name], property.inverseName, true))
      case .declared(let part) where set.declarations[part].kind == .embedded:
        links += self.links(of: part, in: set).map {
          ($0.target, [name] + $0.path, $0.name, $0.isOfList)
        }
      default: break
      }
    }
    return links
  }
}
