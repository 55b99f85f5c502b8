import Roost
import RoostInterchange
import Testing

/// Objects of a text whose id, or another unique value, an object of the store or of the text has.
@Suite struct TakenValueTests {
  struct Ware: Model {
    let id: Int
    var code: Int
    static let schema = Schema(Ware.init, Key("id", \.id), Field("code", \.code, .unique))
  }

  private func makeStore() throws -> Store {
    let store = try Store(.inMemory, models: Ware.self)
    try store.write { _ = try $0.insert(Ware(id: 9, code: 2)) }
    return store
  }

  @Test func aTakenCodeIsNotTakenForAnIdOfTheSameNumber() throws {
    let store = try makeStore()
    #expect(throws: StoreError.duplicateKey(model: "Ware", field: "code", value: "2")) {
      try store.write { try $0.insert(Ware.self, from: .text("id,code\n2,5\n3,2\n"), as: .csv) }
    }
  }

  @Test func whatIsTakenIsLeftOutWithItsLine() throws {
    let text = "id,code\n1,5\n1,6\n2,5\n3,7\n"
    var refused: [String] = []
    let store = try makeStore()
    let count = try store.write { transaction in
      try transaction.insert(
        Ware.self, from: .text(text), as: .csv,
        leavingOut: { refused.append("\($0.line) \($0.field)") })
    }
    #expect(count == 2 && refused == ["3 id", "4 code"])
  }
}
