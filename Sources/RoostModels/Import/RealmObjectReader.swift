internal import Roost
internal import RoostDynamic
internal import RoostImport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads from objects of a Realm file what the fields of their models have.
struct RealmObjectReader {
  let tables: ModelTables

  /// The values of an object, by the names of the fields of its model.
  func values(of object: RealmSource.Object, _ model: Int) throws -> [String: DynamicValue] {
    var values: [String: DynamicValue] = [:]
    try read(object, model, within: nil, into: &values)
    return values
  }

  private func read(
    _ object: RealmSource.Object, _ place: Int, within path: String?,
    into values: inout [String: DynamicValue]
  ) throws {
    for (property, ownName) in tables.properties(of: place) {
      let name = path.map { "\($0).\(ownName)" } ?? ownName
      guard case .embedded(let source, let part) = property.reading else {
        values[name] = try value(of: property, in: object)
        continue
      }
      let embedded = try object.object(source)
      values[name] = .bool(embedded != nil)
      // Parts of a missing struct have no values.
      if let embedded { try read(embedded, part, within: name, into: &values) }
    }
  }

  private func value(
    of property: ModelProperty, in object: RealmSource.Object
  ) throws -> DynamicValue {
    switch property.reading {
    case .objectKey: return .int(object.key)
    case .id:
      guard let source = object.class.primaryKey else { return .int(object.key) }
      return try value(source, of: object, as: property.type)
    case .value(let source): return try value(source, of: object, as: property.type)
    case .link(let source), .linkByObjectKey(let source):
      return try object.object(source).map { try key(of: $0, property.type) } ?? .null
    case .links(let source), .linksByObjectKey(let source):
      return .list(try object.objects(source).map { try key(of: $0, property.type) })
    case .linkDictionary(let source):
      let links: [String: RealmValue.Link?] = try object[source]
      return .dictionary(
        links.map { key, link in
          DynamicValue.Entry(.string(key), link.map { .int($0.key) } ?? .null)
        })
    case .embeddedList(let source, let part):
      return .list(
        try object.objects(source).map { embedded in
          var parts: [String: DynamicValue] = [:]
          try read(embedded, part, within: nil, into: &parts)
          return .record(parts.map { DynamicValue.Part($0.key, $0.value) })
        })
    default: return .null
    }
  }

  /// The key of a link's target.
  private func key(of object: RealmSource.Object, _ type: SwiftType) throws -> DynamicValue {
    switch type.unwrapped {
    case .link(let model), .links(let model):
      guard let key = tables.key(of: model) else { return .null }
      return try value(of: key, in: object)
    default: return .null
    }
  }

  private func value(
    _ property: String, of object: RealmSource.Object, as type: SwiftType
  ) throws -> DynamicValue {
    guard let value = value(try object.value(property), as: type) else {
      throw ModelsError(
        "\(object.class.name) \(object.key): the value of \(property) is not of its type; was the file changed meanwhile?"
      )
    }
    return value
  }

  // MARK: Types

  /// A value as a type reads it; nil for one that the type does not have.
  private func value(_ value: RealmValue, as type: SwiftType) -> DynamicValue? {
    switch (type, value) {
    case (.optional, .null): return .null
    case (.optional(let type), _): return self.value(value, as: type)
    case (.declared, _): return DynamicValue(opaque: AnyRealmValue(value))
    case (.array(let type), .list(let values)), (.array(let type), .set(let values)),
      (.set(let type), .list(let values)), (.set(let type), .set(let values)):
      let elements = values.compactMap { self.value($0, as: type) }
      return elements.count == values.count ? .list(elements) : nil
    case (.dictionary(let keyType, let valueType), .dictionary(let entries)):
      let found = entries.compactMap { entry -> DynamicValue.Entry? in
        guard let key = self.value(entry.key, as: keyType),
          let value = self.value(entry.value, as: valueType)
        else { return nil }
        return DynamicValue.Entry(key, value)
      }
      return found.count == entries.count ? .dictionary(found) : nil
    case (.library(let name, _), _): return Self.value(value, named: name)
    default: return nil
    }
  }

  private static func value(_ value: RealmValue, named type: String) -> DynamicValue? {
    switch (type, value) {
    case ("Bool", .bool(let bool)): .bool(bool)
    case ("Int", .int(let integer)): .int(integer)
    case ("Float", .float(let float)): .float(float)
    case ("Double", .double(let double)): .double(double)
    case ("String", .string(let text)): .string(text)
    case ("Data", .data(let data)): .data(data)
    case ("UUID", .uuid(let uuid)): .uuid(uuid)
    case ("RealmValue.ObjectID", .objectID(let id)): .string(id.stored)
    case ("RealmValue.Timestamp", .date(let time)): .data(time.stored)
    case ("RealmValue.Decimal128", .decimal(let number)): .data(number.stored)
    case ("Date", .date):
      if case .exact(let date) = Date.decode(realm: value) { .date(date) } else { nil }
    case ("Decimal", .decimal):
      if case .exact(let number) = Decimal.decode(realm: value) { .decimal(number) } else { nil }
    default: nil
    }
  }
}
