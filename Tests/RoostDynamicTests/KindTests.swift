import Foundation
import Roost
import RoostDynamic
import RoostTestSupport
import Testing

/// Writes without models of values whose kinds the file has.
@Suite struct KindTests {
  private enum Tender: CaseNamed, Equatable {
    case cash, card(number: String)
    enum Kind: String, Sortable { case cash, card }
    var kind: Kind { self == .cash ? .cash : .card }
  }

  private struct Bill: Model {
    let id: Int
    var note: String
    var tender: Tender
    var refund: Tender?
    static let schema = Schema(
      Bill.init, Key("id", \.id), Field("note", \.note), Field("tender", \.tender),
      Field("refund", \.refund))
  }

  private func withFile(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/bills.roost"
      do {
        let store = try Store(.file(path), models: Bill.self)
        try store.write { tx in
          for id in 0..<4 {
            try tx.insert(
              Bill(
                id: id, note: "", tender: id == 0 ? .cash : .card(number: "\(id)"), refund: nil))
          }
        }
      }
      try body(path)
    }
  }

  @Test func aKindIsAField() throws {
    try withFile { path in
      let store = try DynamicStore(path)
      let snapshot = try store.snapshot()
      let table = try #require(snapshot.tables.first { $0.name == "Bill" })
      #expect(
        table.fields.map(\.name)
          == ["id", "note", "tender", "tender.kind", "refund", "refund.kind"])
      var lines: [UInt8] = []
      var dump = snapshot.dump()
      while let part = try dump.next() { lines += part.lines }
      #expect(
        String(decoding: lines, as: UTF8.self).hasPrefix(
          #"{"table":"Bill","id":0,"note":"","tender":"{\"cash\":{}}","tender.kind":"cash","refund":null,"#
        ))
    }
  }

  @Test func aValueThatIsWrittenWithoutItsKindGetsItWhenTheStoreIsOpened() throws {
    try withFile { path in
      do {
        let store = try DynamicStore(path, access: .write)
        try store.write { transaction in
          try transaction.update(1, of: "Bill", ["tender": .json(#"{"cash":{}}"#)])
          try transaction.update(
            2, of: "Bill",
            ["refund": .json(#"{"card":{"number":"9"}}"#), "refund.kind": .string("card")])
          try transaction.update(3, of: "Bill", ["note": "other"])
          try transaction.insert(
            ["id": 4, "note": "", "tender": .json(#"{"card":{"number":"5"}}"#)], into: "Bill")
          let kinds = try (1...4).map {
            try transaction.object("Bill", .int($0))?["tender.kind"]
          }
          #expect(kinds == [.null, .string("card"), .string("card"), .null])
        }
      }
      let store = try Store(.file(path), models: Bill.self)
      let snapshot = store.snapshot()
      func ids(_ condition: (QueryRoot<Bill>) -> QueryCondition) throws -> [Int] {
        try snapshot.fetch(Bill.where(condition).order(by: \.id)).map(\.id)
      }
      #expect(try ids { $0.tender.kind == .cash } == [0, 1])
      #expect(try ids { $0.tender.kind == .card } == [2, 3, 4])
      #expect(try ids { $0.refund.kind == .card } == [2])
      #expect(try store.verify() == [])
    }
  }

  @Test func aFieldIsRemovedWithItsKinds() throws {
    try withFile { path in
      let store = try DynamicStore(path, access: .write)
      try store.write { _ = try $0.removeField("tender", from: "Bill") }
      let table = try #require(try store.snapshot().tables.first { $0.name == "Bill" })
      #expect(table.fields.map(\.name) == ["id", "note", "refund", "refund.kind"])
    }
  }
}
