internal import RoostImport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads the models of a Realm file from its classes, and from its values what types hold them exactly.
struct RealmModels {
  private let source: RealmSource
  private var set = ModelSet()
  private var choices: Set<EnumChoice>
  private let values: RealmValueScan
  /// The places of what has been declared, by class.
  private var models: [String: Int] = [:]
  private var structs: [String: Int] = [:]

  /// - Parameter enums: The properties that become enums.
  init(_ source: RealmSource, enums: [EnumChoice]) throws {
    self.source = source
    choices = Set(enums)
    values = try RealmValueScan(source, enums: choices)
  }

  /// The models, and how they are read.
  mutating func read() throws -> ModelSet {
    var mapping = ModelSet.Mapping(
      module: "RoostImport", objectType: "RealmSource.Object", method: "objects", source: ".realm")
    for one in source.classes {
      switch one.kind {
      case .object: models[one.name] = set.add(declaration(.model, of: one))
      case .embedded where mustBeModel(one):
        models[one.name] = set.add(declaration(.model, of: one))
        set.remarks.append("\(one.name) is embedded in Realm, where it can be what no struct can.")
      case .embedded: break
      case .asymmetric:
        set.remarks.append("Left out: \(one.name), whose objects are not in the file.")
        mapping.ignored.append(one.name)
      }
    }
    for one in source.classes {
      guard let place = models[one.name] else { continue }
      set.declarations[place].properties = try properties(of: one, isModel: true)
    }
    var known: [String: [String]] = [:]
    for one in source.classes {
      known[one.name] = one.properties.filter { [.string, .int].contains($0.type) }.map(\.name)
    }
    if let error = EnumChoice.unknown(choices, "property", among: known) { throw error }
    try source.checkUnchanged()
    set.mapping = mapping
    return set
  }

  private func declaration(_ kind: Declaration.Kind, of one: RealmSource.Class) -> Declaration {
    var declaration = Declaration(kind, one.name)
    declaration.source = one.name
    return declaration
  }

  /// Whether an embedded class cannot be a struct: it is in a dictionary, in itself, or in a collection and has links.
  private func mustBeModel(_ one: RealmSource.Class) -> Bool {
    if contained(in: one, []).contains(one.name) { return true }
    for user in source.classes {
      for property in user.properties where property.type == .embedded(one.name) {
        if property.collection == .dictionary { return true }
        if property.collection != nil, hasLinks(one) { return true }
      }
    }
    return false
  }

  /// The embedded classes that are in a class, at any depth.
  private func contained(in one: RealmSource.Class, _ known: Set<String>) -> Set<String> {
    var known = known
    for case .embedded(let name) in one.properties.map(\.type) where known.insert(name).inserted {
      if let inner = source.class(name) { known = contained(in: inner, known) }
    }
    return known
  }

  private func hasLinks(_ one: RealmSource.Class) -> Bool {
    let all = [one] + contained(in: one, []).compactMap { source.class($0) }
    return all.contains { one in
      one.properties.contains { property in
        switch property.type {
        case .link: true
        case .embedded(let name): models[name] != nil
        default: false
        }
      }
    }
  }

  // MARK: Properties

  private mutating func properties(
    of one: RealmSource.Class, isModel: Bool
  ) throws -> [ModelProperty] {
    var properties: [ModelProperty] = []
    let hasNullKey = hasNullKey(one)
    if isModel, one.primaryKey == nil || hasNullKey {
      var key = ModelProperty("id", .int, isKey: true)
      key.reading = hasNullKey ? .objectKey : .id
      properties.append(key)
    }
    for found in one.properties {
      guard var property = try property(found, of: one) else {
        set.remarks.append("Left out: \(one.name).\(found.name), a \(found).")
        continue
      }
      if isModel, found.isPrimaryKey {
        property.isIndexed = false
        if hasNullKey {
          property.isUnique = true
          set.remarks.append(
            "\(one.name).\(found.name) is null in an object, so that the number that Realm gives objects is the key."
          )
        } else {
          property.isKey = true
          property.type = property.type.unwrapped
          property.reading = .id
        }
      }
      properties.append(property)
    }
    return properties
  }

  /// Whether an object's primary key is null, which no key of a model can be.
  private func hasNullKey(_ one: RealmSource.Class) -> Bool {
    one.primaryKey.map { values.hasNull(one.name, $0) } ?? false
  }

  private mutating func property(
    _ found: RealmSource.Property, of one: RealmSource.Class
  ) throws -> ModelProperty? {
    switch (found.type, found.collection) {
    case (.link(let target), let collection), (.embedded(let target), let collection):
      return try linked(found, to: target, collection)
    default: break
    }
    var element = SwiftType.string
    let isAny = found.type == .mixed || values.needsAny(one.name, found.name)
    if isAny, found.collection == nil || found.type != .mixed {
      element = .declared(any())
      var property = ModelProperty(found.name, element)
      property.reading = .value(found.name)
      return property
    }
    element = isAny ? .declared(any()) : type(found, of: one)
    element = element.optional(found.isOptional && !isAny)
    var property = ModelProperty(found.name, element)
    switch found.collection {
    case nil:
      if let chosen = try chosen(found, of: one) {
        property.type = SwiftType.declared(chosen).optional(found.isOptional)
      }
      property.isIndexed = found.index == .general
    case .list: property.type = .array(element)
    case .set: property.type = .set(element)
    case .dictionary: property.type = .dictionary(key: .string, value: element)
    }
    property.reading = .value(found.name)
    return property
  }

  /// The type that holds all values of a property.
  private func type(_ found: RealmSource.Property, of one: RealmSource.Class) -> SwiftType {
    let isExact = values.isExact(one.name, found.name)
    return switch found.type {
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: isExact ? .date : .library("RealmValue.Timestamp", module: "RoostImport")
    case .decimal: isExact ? .decimal : .library("RealmValue.Decimal128", module: "RoostImport")
    case .objectID: .library("RealmValue.ObjectID", module: "RoostImport")
    case .uuid: .uuid
    case .mixed, .link, .embedded: .declared(0)
    }
  }

  private mutating func linked(
    _ found: RealmSource.Property, to target: String, _ collection: RealmSource.Property.Collection?
  ) throws -> ModelProperty? {
    let isKnown = models[target] != nil || source.class(target)?.kind == .embedded
    guard isKnown else { return nil }
    var property = ModelProperty(found.name, .int)
    if collection == .dictionary {
      property.type = .dictionary(key: .string, value: .optional(.int))
      property.reading = .linkDictionary(found.name)
      set.remarks.append("\(found.name) has the object keys of \(target), as Realm numbers them.")
    } else if let model = models[target] {
      property.type = collection == nil ? .optional(.link(model)) : .links(model)
      if source.class(target).map(hasNullKey) ?? false {
        property.reading =
          collection == nil ? .linkByObjectKey(found.name) : .linksByObjectKey(found.name)
      } else {
        property.reading = collection == nil ? .link(found.name) : .links(found.name)
      }
      if collection == nil { property.deleteRule = "nullify" }
    } else {
      let place = try embedded(target)
      property.type =
        collection == nil ? .optional(.declared(place)) : .array(.declared(place))
      property.reading =
        collection == nil ? .embedded(found.name, place) : .embeddedList(found.name, place)
    }
    return property
  }

  private mutating func embedded(_ name: String) throws -> Int {
    if let known = structs[name] { return known }
    guard let one = source.class(name) else { return 0 }
    let properties = try properties(of: one, isModel: false)
    var declaration = declaration(.embedded, of: one)
    declaration.properties = properties
    let place = set.add(declaration)
    structs[name] = place
    return place
  }

  private mutating func any() -> Int {
    set.declarations.firstIndex { $0.kind == .helper(.realmValue) }
      ?? set.add(Declaration(.helper(.realmValue), "AnyValue"))
  }

  private mutating func chosen(
    _ found: RealmSource.Property, of one: RealmSource.Class
  ) throws -> Int? {
    let choice = EnumChoice(model: one.name, field: found.name)
    guard [.string, .int].contains(found.type), choices.remove(choice) != nil else { return nil }
    var declaration = Declaration(
      .cases(try choice.cases(values.cases(choice))), found.name)
    declaration.qualifier = one.name
    return set.add(declaration)
  }
}

/// What the values of a Realm file need of the types that they are read as.
struct RealmValueScan {
  private struct Place: Hashable {
    var className: String
    var property: String
  }

  /// Properties with times or decimal numbers that `Date` and `Decimal` do not have.
  private var inexact: Set<Place> = []
  /// Properties with texts that are not UTF-8, or that Swift takes for the same.
  private var any: Set<Place> = []
  private var null: Set<Place> = []
  private var values: [EnumChoice: Set<EnumValue>] = [:]

  /// Reads all objects.
  init(_ source: RealmSource, enums: Set<EnumChoice>) throws {
    for one in source.classes where one.kind != .asymmetric {
      var objects = try source.objects(one.name)
      while let object = try objects.next() {
        for property in one.properties {
          // Numbers have nothing to look for.
          let choice = EnumChoice(model: one.name, field: property.name)
          guard property.needsLook || enums.contains(choice) else { continue }
          let value = try object.value(property.name)
          look(at: value, Place(className: one.name, property: property.name))
          if enums.contains(choice) { note(value, choice) }
        }
      }
    }
  }

  func isExact(_ className: String, _ property: String) -> Bool {
    !inexact.contains(Place(className: className, property: property))
  }

  func needsAny(_ className: String, _ property: String) -> Bool {
    any.contains(Place(className: className, property: property))
  }

  func hasNull(_ className: String, _ property: String) -> Bool {
    null.contains(Place(className: className, property: property))
  }

  func cases(_ choice: EnumChoice) -> [EnumValue] { Array(values[choice] ?? []) }

  private mutating func note(_ value: RealmValue, _ choice: EnumChoice) {
    guard values[choice, default: []].count <= EnumChoice.casesMax else { return }
    switch value {
    case .string(let text): values[choice, default: []].insert(.text(text))
    case .int(let number): values[choice, default: []].insert(.integer(number))
    default: break
    }
  }

  private mutating func look(at value: RealmValue, _ place: Place) {
    switch value {
    case .null: null.insert(place)
    case .malformedString: any.insert(place)
    case .date:
      if case .exact = Date.decode(realm: value) {} else { inexact.insert(place) }
    case .decimal:
      if case .exact = Decimal.decode(realm: value) {} else { inexact.insert(place) }
    case .list(let values): for value in values { look(at: value, place) }
    case .set(let values):
      for value in values { look(at: value, place) }
      if Set<RealmValue>(values).count < values.count { any.insert(place) }
    case .dictionary(let entries):
      for entry in entries {
        if case .string = entry.key {} else { any.insert(place) }
        look(at: entry.value, place)
      }
      if Set(entries.map(\.key)).count < entries.count { any.insert(place) }
    default: break
    }
  }
}

extension RealmSource.Property {
  /// Whether its values can be such that the usual type does not hold them.
  fileprivate var needsLook: Bool {
    switch type {
    case .date, .decimal, .string: true
    case .mixed: false
    default: isPrimaryKey && isOptional || collection == .dictionary
    }
  }
}
