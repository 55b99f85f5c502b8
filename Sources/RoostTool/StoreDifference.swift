internal import Roost
package import RoostDynamic

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What differs between two versions, of one file or of two.
package struct StoreDifference {
  private let before: DynamicSnapshot
  private let after: DynamicSnapshot

  /// One difference.
  package enum Change {
    /// A model that only the earlier version has.
    case onlyBefore(model: String)
    /// A model that only the later version has.
    case onlyAfter(model: String)
    case inserted(model: String, key: DynamicValue)
    case deleted(model: String, key: DynamicValue)
    case modified(model: String, key: DynamicValue, [Field])

    /// A field with other values.
    package struct Field {
      package let name: String
      package let before: DynamicValue
      package let after: DynamicValue
    }
  }

  package init(from before: DynamicSnapshot, to after: DynamicSnapshot) {
    self.before = before
    self.after = after
  }

  /// Calls a closure for each difference: models in the order of the files, objects in that of the earlier one.
  ///
  /// - Complexity: Each object is looked up in the other version.
  package func forEach(_ body: (Change) throws -> Void) throws {
    // The store's own values say when what happened to it.
    let tables = before.tables.filter { !$0.name.hasPrefix("value:roost.") }
    for table in tables {
      guard let other = after.table(table.name) else {
        try body(.onlyBefore(model: table.name))
        continue
      }
      try compare(table, other, body)
    }
    for table in after.tables
    where !table.name.hasPrefix("value:roost.") && before.table(table.name) == nil {
      try body(.onlyAfter(model: table.name))
    }
  }

  private func compare(
    _ table: DynamicTable, _ other: DynamicTable, _ body: (Change) throws -> Void
  ) throws {
    let names = table.fields.map(\.name)
    let fields = table.fields + other.fields.filter { !names.contains($0.name) }
    for object in try before.objects(.all(table.name)) {
      let key = try object.key
      guard let found = try after.object(table.name, key) else {
        try body(.deleted(model: table.name, key: key))
        continue
      }
      var changes: [Change.Field] = []
      for field in fields where !field.isKey {
        let one = try value(field, of: object, in: table)
        let two = try value(field, of: found, in: other)
        // NaN is not equal to itself.
        if one != two, one.json != two.json {
          changes.append(Change.Field(name: field.name, before: one, after: two))
        }
      }
      if !changes.isEmpty { try body(.modified(model: table.name, key: key, changes)) }
    }
    for object in try after.objects(.all(table.name)) {
      let key = try object.key
      if try before.object(table.name, key) == nil {
        try body(.inserted(model: table.name, key: key))
      }
    }
  }

  /// The value of a field; null where the model does not have it.
  private func value(
    _ field: DynamicField, of object: DynamicObject, in table: DynamicTable
  ) throws -> DynamicValue {
    guard let own = table.field(field.name) else { return .null }
    guard own.type == .blob else { return try object[field.name] }
    let count = try object.byteCount(of: field.name)
    return .data(Data(try object.bytes(of: field.name, in: 0..<count)))
  }
}
