/// The model that a Core Data store was last saved with, from its table `Z_MODELCACHE`.
struct CachedModel {
  private var byName: [String: Entity] = [:]
  private var byRenamingIdentifier: [String: Entity] = [:]

  struct Entity {
    var name: String
    var renamingIdentifier: String?
    /// By name, with those of its parents.
    var properties: [String: Property]
  }

  struct Property {
    var name: String
    var renamingIdentifier: String?
    var kind: Kind
    /// Whether the model lets objects have no value.
    var isOptional = true

    /// The names that a store may have it under: its own, and that of an older model.
    var storedNames: [String] {
      [name] + [renamingIdentifier].compactMap { $0 == name ? nil : $0 }
    }
  }

  enum Kind {
    case attribute(type: Int, isTransient: Bool)
    case relationship(Relationship)
    /// A fetched property, which is not stored.
    case fetched
  }

  struct Relationship {
    var destination: String
    var inverse: String?
    var isToMany: Bool
    var isOrdered: Bool
    /// What becomes of the other objects when one is deleted: 1 nullifies their link, 2 deletes them, 3 refuses.
    var deleteRule: Int?
  }

  /// The most bytes that a model takes when it is expanded. Models of large apps take some hundred thousand.
  private static let bytesMax = 16 << 20

  /// nil if the content is damaged: then only the names of tables and columns are known.
  init?(_ content: [UInt8]) {
    guard let bytes = Inflater.expand(content, bytesMax: Self.bytesMax),
      var archive = KeyedArchive(bytes, bytesReadMax: 4 * Self.bytesMax),
      let model = archive.fields(of: archive.root),
      let entities = Self.values(model["NSEntities"], &archive)
    else { return nil }
    for number in entities {
      guard let entity = Self.entity(number, &archive) else { return nil }
      byName[entity.name] = entity
      if let name = entity.renamingIdentifier { byRenamingIdentifier[name] = entity }
    }
  }

  /// The entity that a store has under a name, which may be that of an older model.
  func entity(stored name: String) -> Entity? { byName[name] ?? byRenamingIdentifier[name] }

  /// The values of an archived dictionary.
  private static func values(_ place: Int?, _ archive: inout KeyedArchive) -> [Int]? {
    if let values = archive.elements(place) { return values }
    // An `NSKnownKeysDictionary` has its values in an archived array.
    guard let number = archive.reference(place), let fields = archive.fields(of: number) else {
      return nil
    }
    return archive.elements(fields["values"])
  }

  private static func entity(_ number: Int, _ archive: inout KeyedArchive) -> Entity? {
    guard let fields = archive.fields(of: number), let name = archive.text(fields["NSEntityName"]),
      let properties = values(fields["NSProperties"], &archive)
    else { return nil }
    var entity = Entity(
      name: name, renamingIdentifier: archive.text(fields["NSRenamingIdentifier"]), properties: [:])
    for number in properties {
      guard let property = property(number, &archive) else { return nil }
      entity.properties[property.name] = property
    }
    return entity
  }

  private static func property(_ number: Int, _ archive: inout KeyedArchive) -> Property? {
    guard let fields = archive.fields(of: number), let name = archive.text(fields["NSPropertyName"])
    else { return nil }
    let kind: Kind
    if let type = archive.integer(fields["NSAttributeType"]) {
      kind = .attribute(type: type, isTransient: archive.isTrue(fields["NSIsTransient"]))
    } else if let destination = archive.text(fields["_NSDestinationEntityName"]) {
      kind = .relationship(
        Relationship(
          destination: destination, inverse: archive.text(fields["_NSInverseRelationshipName"]),
          isToMany: archive.integer(fields["NSMaxCount"]) != 1,
          isOrdered: archive.isTrue(fields["NSIsOrdered"]),
          deleteRule: archive.integer(fields["NSDeleteRule"])))
    } else {
      kind = .fetched
    }
    return Property(
      name: name, renamingIdentifier: archive.text(fields["NSRenamingIdentifier"]), kind: kind,
      isOptional: archive.isTrue(fields["NSIsOptional"]))
  }
}
