import Foundation
import RoostDynamic

/// A store whose names Swift has other meanings for, or none.
enum OddStore {
  static func make(_ path: String) throws {
    let store = try DynamicStore(path, access: .create)
    defer { store.close() }
    try store.write { transaction in
      try transaction.add([
        DynamicTable(
          "Date",
          fields: [
            DynamicField("code", .string, isKey: true), DynamicField("id", .int),
            DynamicField("self", .string), DynamicField("init", .bool),
            DynamicField("two words", .date), DynamicField("two_words", .int),
            DynamicField("twoWords", .double), DynamicField("let", .float),
            DynamicField("hashValue", .uint, defaultValue: .uint(.max)),
            DynamicField("1st", .link(to: "order items"), isOptional: true),
            DynamicField("\u{1B}[31m\u{202E}", .string, defaultValue: "\u{1B}\\(1)"),
          ]),
        DynamicTable(
          "order items",
          fields: [
            DynamicField("id", .int, isKey: true), DynamicField("Model", .link(to: "Model")),
            DynamicField("String.Key", .string), DynamicField("String.Data", .data),
          ]),
        DynamicTable(
          "Model",
          fields: [
            DynamicField("id", .uuid, isKey: true),
            DynamicField("schema", .links(to: "Date"), deleteRule: .nullify),
            DynamicField("a", .int), DynamicField("a.b", .int),
          ]),
        DynamicTable("class", fields: [DynamicField("id", .date, isKey: true)]),
        DynamicTable("OrderItems", fields: [DynamicField("id", .int, isKey: true)]),
        DynamicTable("ID", fields: [DynamicField("id", .int, isKey: true)]),
      ])
      let id = DynamicValue.uuid(
        UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
      try transaction.insert(["id": id, "schema": ["x"], "a": 1, "a.b": 2], into: "Model")
      try transaction.insert(
        ["id": 1, "Model": id, "String.Key": "k", "String.Data": .data(Data([1]))],
        into: "order items")
      try transaction.insert(
        [
          "code": "x", "id": 7, "self": "me", "init": true,
          "two words": .date(Date(timeIntervalSinceReferenceDate: 1)), "two_words": 2,
          "twoWords": 0.5, "let": .float(1.5), "hashValue": .uint(3), "1st": 1,
          "\u{1B}[31m\u{202E}": "odd",
        ], into: "Date")
    }
  }
}
