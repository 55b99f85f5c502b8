// The models of odd.roost, as `roost models` prints them.
// Left out, for a is a value itself: Model.a.b.

import Foundation
import Roost

enum Odd {
  struct Date: Roost.Model {
    let id: Swift.String
    var id2: Int
    var self_: Swift.String
    var init_: Bool
    var twoWords2: Foundation.Date
    var two_words: Int
    var twoWords: Double
    var `let`: Float
    var hashValue_: UInt64
    var _1st: Link<OrderItems2>?
    var _31m: Swift.String
    static let models = Inverse(\Model.schema_)
    static let schema = Schema(
      Date.init,
      Key("code", \.id),
      Field("id", \.id2),
      Field("self", \.self_),
      Field("init", \.init_),
      Field("two words", \.twoWords2),
      Field("two_words", \.two_words),
      Field("twoWords", \.twoWords),
      Field("let", \.let),
      Field("hashValue", \.hashValue_, .default(18446744073709551615)),
      Field("1st", \._1st),
      Field("\u{1B}[31m\u{202E}", \._31m, .default("\u{1B}\\(1)")))
  }

  struct OrderItems2: Roost.Model {
    let id: Int
    var Model_: Link<Model>
    var String_: String
    static let dates = Inverse(\Date._1st, "dates")
    static let schema = Schema(
      OrderItems2.init,
      Key("id", \.id),
      Field("Model", \.Model_),
      Field("String", \.String_))
  }

  struct Model: Roost.Model {
    let id: UUID
    var schema_: Links<Date> = []
    var a: Int
    static let orderItems2s = Inverse(\OrderItems2.Model_, "orderItems2s")
    static let schema = Schema(
      Model.init,
      Key("id", \.id),
      Field("schema", \.schema_),
      Field("a", \.a))
  }

  struct `class`: Roost.Model {
    let id: Foundation.Date
    static let schema = Schema(
      `class`.init,
      Key("id", \.id))
  }

  struct OrderItems: Roost.Model {
    let id: Int
    static let schema = Schema(
      OrderItems.init,
      Key("id", \.id))
  }

  struct IDModel: Roost.Model {
    let id: Int
    static let schema = Schema(
      IDModel.init,
      Key("id", \.id))
  }

  struct String: Embedded {
    var Key: Swift.String
    var Data_: Data
    static let fields = Fields(
      String.init,
      Part("Key", \.Key),
      Part("Data", \.Data_))
  }

  /// Opens a store with all of these models.
  static func openStore(_ path: Swift.String) throws -> Store {
    try Store(
      path, models: Date.self, OrderItems2.self, Model.self, `class`.self, OrderItems.self,
      IDModel.self
    ) {
      MigrationStep("Names of models for Swift") {
        try $0.renameModel("order items", to: "OrderItems2")
        try $0.renameModel("ID", to: "IDModel")
      }
    }
  }
}
