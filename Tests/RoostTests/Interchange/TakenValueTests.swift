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

  @Test(arguments: ["id,code\n2,5\n3,2\n", "id,code\n2,5\n3,5\n", "id,code\n2,5\n9,6\n"])
  func theErrorOfATakenValueNamesItsLine(text: String) throws {
    let store = try makeStore()
    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.insert(Ware.self, from: .text(text), as: .csv) }
    }
    guard case .malformedText(let problem)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let isOfCode = !text.contains("9")
    #expect(problem.line == 3 && problem.field == (isOfCode ? "code" : "id"), "\(problem)")
    #expect(try store.snapshot().count(Ware.all) == 1)
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

  @Test func withoutAStoreWhatIsMistakenIsLeftOutWithItsLine() throws {
    let text = "id,code\n1,5\nx,6\n2,\n3,7\n"
    var refused: [String] = []
    let wares = try Ware.read(
      from: .text(text), as: .csv, leavingOut: { refused.append("\($0.line) \($0.field)") })
    #expect(wares.map(\.id) == [1, 3] && refused == ["3 id", "4 code"])
  }

  struct Visitor: Model {
    let id: Int
    var name: String
    static let pets = Inverse(\Pet.owner, "pets")
    static let schema = Schema(
      Visitor.init, Key("id", \.id, .assigned), Field("name", \.name))
  }

  struct Pet: Model {
    let id: Int
    var name: String
    var owner: Link<Visitor>
    static let schema = Schema(
      Pet.init, Key("id", \.id, .assigned), Field("name", \.name), Field("owner", \.owner))
  }

  /// 0 is the placeholder of an id that the store gives.
  @Test func noObjectReplacesAnotherThatGotItsIdInTheSameCall() throws {
    let store = try Store(.inMemory, models: Visitor.self, Pet.self)
    let visitors = (0..<3).map { Visitor(id: $0, name: "V\($0)") }
    #expect(throws: StoreError.duplicateKey(model: "Visitor", field: "id", value: "1")) {
      try store.write { try $0.upsert(contentsOf: visitors) }
    }
    func line(_ error: StoreError?) -> Int? {
      guard case .malformedText(let problem)? = error, problem.field == "id" else { return nil }
      return problem.line
    }
    let csv = "id,name\n0,A\n1,B\n2,C\n"
    let flat = #expect(throws: StoreError.self) {
      try store.write { try $0.upsert(Visitor.self, from: .text(csv), as: .csv) }
    }
    #expect(line(flat) == 3)
    let json = """
      {"id": 0, "name": "A", "pets": [{"name": "Rex"}]}
      {"id": 1, "name": "B", "pets": [{"name": "Tom"}]}
      """
    let nested = #expect(throws: StoreError.self) {
      try store.write {
        _ = try $0.upsert(Visitor.self, from: .text(json), as: .ndjson) {
          $0.pets(replacing: true)
        }
      }
    }
    #expect(line(nested) == 2, "\(String(describing: nested))")
    #expect(try store.snapshot().count(Visitor.all) == 0)
    // In another call it is the object that is meant.
    let stored = try store.write { try $0.upsert(Visitor(id: 0, name: "A")) }
    try store.write {
      try $0.upsert(contentsOf: [Visitor(id: stored.id, name: "B"), Visitor(id: 0, name: "C")])
    }
    let all = try store.snapshot().fetch(Visitor.all.order(by: \.id))
    #expect(all.map(\.name) == ["B", "C"])
  }
}
