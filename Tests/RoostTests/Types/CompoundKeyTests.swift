import Foundation
import Roost
import RoostInterchange
import RoostTestSupport
import Testing

private struct Seat: Model {
  struct ID: CompoundKey {
    var hall: String
    var row: Int16
    var number: UInt?
    var since: Date
    static let parts = KeyParts(
      ID.init, KeyPart("hall", \.hall), KeyPart("row", \.row), KeyPart("number", \.number),
      KeyPart("since", \.since))
  }
  let id: ID
  var guest: String?
  var neighbour: Link<Seat>?
  static let schema = Schema(
    Seat.init, Key("id", \.id), Field("guest", \.guest), Field("neighbour", \.neighbour))
}

extension Seat.ID {
  fileprivate static func random(_ random: inout SeededGenerator) -> Seat.ID {
    let halls = ["", "a", "a\0", "a\0b", "ab", "\u{1}", "ä", "b", "\0", "\0\u{1}"]
    let numbers: [UInt?] = [nil, 0, 1, 255, 256, .max]
    return Seat.ID(
      hall: halls.randomElement(using: &random) ?? "",
      row: [Int16.min, -256, -1, 0, 1, 255, .max].randomElement(using: &random) ?? 0,
      number: numbers.randomElement(using: &random) ?? nil,
      since: Date(
        timeIntervalSinceReferenceDate: [-1.5, -0.0, 0, 1, 1e9].randomElement(using: &random) ?? 0))
  }

  /// The order that is meant: of texts by their bytes, of nil before all.
  fileprivate static func precedes(_ a: Seat.ID, _ b: Seat.ID) -> Bool {
    if a.hall != b.hall { return a.hall.utf8.lexicographicallyPrecedes(b.hall.utf8) }
    if a.row != b.row { return a.row < b.row }
    switch (a.number, b.number) {
    case (nil, nil): break
    case (nil, _): return true
    case (_, nil): return false
    case (let first?, let second?): if first != second { return first < second }
    }
    return a.since < b.since
  }
}

private struct Pair: CompoundKey {
  let number: Double
  let name: String
  static let parts = KeyParts(Pair.init, KeyPart("number", \.number), KeyPart("name", \.name))
}

private struct HoldsPair: Model {
  let id: Pair
  static let schema = Schema(HoldsPair.init, Key("id", \.id))
}

private struct Swapped: CompoundKey {
  let first: String
  let second: String
  static let parts = KeyParts(
    Swapped.init, KeyPart("second", \.second), KeyPart("first", \.first))
}

private struct HoldsSwapped: Model {
  let id: Swapped
  static let schema = Schema(HoldsSwapped.init, Key("id", \.id))
}

/// Seats in other versions of a program.
private enum Other {
  struct Seat: Model {
    struct ID: CompoundKey {
      var hall: String
      var row: Int16
      static let parts = KeyParts(ID.init, KeyPart("hall", \.hall), KeyPart("row", \.row))
    }
    let id: ID
    static let schema = Schema(Seat.init, Key("id", \.id))
  }
}

/// Keys of several values.
@Suite struct CompoundKeyTests {
  @Test(arguments: [UInt64](1...10))
  func aCompoundKeyDoesWhatADictionaryDoes(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try withTemporaryDirectory { directory in
      let path = directory + "/seats.roost"
      var configuration = Configuration()
      configuration.durability = .relaxed
      var seats: [Seat.ID: Seat] = [:]
      for _ in 0..<3 {
        let store = try Store(.file(path), models: Seat.self, configuration: configuration)
        for _ in 0..<40 {
          let id = Seat.ID.random(&random)
          let seat = Seat(
            id: id, guest: random.chance(1, in: 2) ? nil : "g\(random.next() % 9)",
            neighbour: seats.keys.sorted(by: Seat.ID.precedes).randomElement(using: &random)
              .map { Link(id: $0) })
          try store.write { transaction in
            #expect(try transaction.fetch(Seat.self, id: id) == seats[id])
            if seats[id] != nil {
              #expect(throws: StoreError.self) { try transaction.insert(seat) }
              if !seats.values.contains(where: { $0.neighbour?.id == id }), random.chance(1, in: 2)
              {
                #expect(try transaction.delete(Seat.self, id: id))
                seats[id] = nil
                return
              }
            }
            try transaction.upsert(seat)
            seats[id] = seat
          }
        }
        try Self.check(store, seats, &random)
        #expect(try store.verify() == [])
        store.close()
      }
    }
  }

  private static func check(
    _ store: Store, _ seats: [Seat.ID: Seat], _ random: inout SeededGenerator
  ) throws {
    let snapshot = store.snapshot()
    let ordered = seats.values.sorted { Seat.ID.precedes($0.id, $1.id) }
    #expect(try snapshot.fetch(Seat.all.order(by: \.id)) == ordered)
    for _ in 0..<30 {
      let id = Seat.ID.random(&random)
      func check(_ condition: (QueryRoot<Seat>) -> QueryCondition, _ isMeant: (Seat) -> Bool) throws
      {
        let found = try snapshot.fetch(Seat.where(condition).order(by: \.id))
        #expect(found == ordered.filter(isMeant))
      }
      try check({ $0.id == id }) { $0.id == id }
      try check({ $0.id < id }) { Seat.ID.precedes($0.id, id) }
      try check({ $0.id >= id }) { !Seat.ID.precedes($0.id, id) }
      try check({ $0.id.begins(with: id.hall) }) { $0.id.hall == id.hall }
      try check({ $0.id.begins(with: id.hall, id.row) }) {
        $0.id.hall == id.hall && $0.id.row == id.row
      }
      try check({ $0.id.begins(with: id.hall, id.row, id.number) }) {
        $0.id.hall == id.hall && $0.id.row == id.row && $0.id.number == id.number
      }
      try check({ $0.neighbour == Link(id: id) }) { $0.neighbour?.id == id }
      try check({ $0.neighbour.id.begins(with: id.hall) }) { $0.neighbour?.id.hall == id.hall }
    }
  }

  @Test func beginningWithWhatTheKeyDoesNotBeginWithIsAnError() throws {
    let snapshot = try Store(.inMemory, models: Seat.self).snapshot()
    let queries = [
      Seat.where { $0.id.begins(with: 7) },
      Seat.where { $0.id.begins(with: "a", 1 as Int16, 2 as UInt?, Date(), 3) },
      Seat.where { !$0.neighbour.id.begins(with: 1.5) },
    ]
    for query in queries {
      let error = #expect(throws: StoreError.self) { try snapshot.fetch(query) }
      #expect(
        "\(try #require(error))".contains("begins(with:) takes the first parts of the key"),
        "\(String(describing: error))")
    }
  }

  @Test(arguments: [TextFormat.json, .ndjson, .csv])
  func aCompoundKeyPassesThroughText(_ format: TextFormat) throws {
    var random = SeededGenerator(seed: 3)
    let store = try Store(.inMemory, models: Seat.self)
    try store.write { transaction in
      for number in 0..<20 {
        let id = Seat.ID.random(&random)
        try transaction.upsert(Seat(id: id, guest: "g\(number)", neighbour: Link(id: id)))
      }
    }
    let snapshot = store.snapshot()
    var text: [UInt8] = []
    try snapshot.export(Seat.all, to: TextOutput { text += $0 }, as: format)
    let copy = try Store(.inMemory, models: Seat.self)
    try copy.write { _ = try $0.insert(Seat.self, from: .bytes(text), as: format) }
    let seats = try snapshot.fetch(Seat.all)
    #expect(try copy.read { try $0.fetch(Seat.all) } == seats)
    for seat in seats { #expect(try Seat(dictionary: seat.dictionary()) == seat) }
  }

  @Test func aTextThatHasThePartsIsToldWhatReadsThem() throws {
    func expected(_ text: String, _ format: TextFormat) -> String? {
      let error = #expect(throws: StoreError.self) {
        try Seat.read(from: .text(text), as: format)
      }
      guard case .malformedText(let problem)? = error else { return nil }
      return problem.expected
    }
    let words = "an object of its parts"
    let names = " (for one of another name, set `names` of the format)"
    #expect(
      expected("hall,row\na,1\n", .csv)
        == "a column \"id\", \(words) as JSON (`Store.open(…, importing:)` reads columns of parts)"
        + names)
    #expect(expected(#"{"hall": "a", "row": 1}"#, .ndjson) == words)
    #expect(expected(#"{"id": 7}"#, .ndjson) == words)
    #expect(expected(#"{"id": {"hall": "a"}}"#, .ndjson) == "an integer of 64 bits")
  }

  @Test func inATextAKeyIsAnObjectOfItsParts() throws {
    let id = Seat.ID(
      hall: "a", row: 7, number: nil, since: Date(timeIntervalSinceReferenceDate: 0))
    let seat = Seat(id: id, guest: "Ann", neighbour: Link(id: id))
    let store = try Store(.inMemory, models: Seat.self)
    try store.write { try $0.insert(seat) }
    let object = #"{"hall":"a","row":7,"number":null,"since":"2001-01-01T00:00:00Z"}"#
    func text(_ format: TextFormat) throws -> String {
      var bytes: [UInt8] = []
      try store.snapshot().export(Seat.all, to: TextOutput { bytes += $0 }, as: format)
      return String(decoding: bytes, as: UTF8.self)
    }
    let json = try text(.ndjson)
    #expect(json == #"{"id":\#(object),"guest":"Ann","neighbour":\#(object)}"# + "\n")
    // Base64, which it was before, is read too.
    let base64 = try #require(try seat.dictionary()["id"] as? Data).base64EncodedString()
    for text in [json, json.replacingOccurrences(of: object, with: "\"\(base64)\"")] {
      #expect(try Seat.read(from: .text(text), as: .ndjson) == [seat])
    }
    let csv = try text(.csv)
    let cell = "\"" + object.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    #expect(csv == "id,guest,neighbour\r\n\(cell),Ann,\(cell)\r\n")
    #expect(try Seat.read(from: .text(csv), as: .csv) == [seat])
  }

  @Test func errorsShowTheParts() throws {
    let store = try Store(.inMemory, models: Seat.self)
    let id = Seat.ID(
      hall: "main", row: -7, number: nil, since: Date(timeIntervalSinceReferenceDate: 0))
    try store.write { try $0.insert(Seat(id: id, guest: nil, neighbour: nil)) }
    #expect(
      throws: StoreError.duplicateKey(
        model: "Seat", field: "id", value: "(main, -7, nil, 2001-01-01T00:00:00Z)")
    ) { try store.write { try $0.insert(Seat(id: id, guest: nil, neighbour: nil)) } }
  }

  private struct HoldsLink: Model {
    struct ID: CompoundKey {
      let seat: Link<Seat>
      let day: Int
      static let parts = KeyParts(ID.init, KeyPart("seat", \.seat), KeyPart("day", \.day))
    }
    let id: ID
    static let schema = Schema(HoldsLink.init, Key("id", \.id))
  }

  @Test func whoOrdersByAPartOfTheKeyIsToldThatItIsStoredWhole() throws {
    let store = try Store(.inMemory, models: Seat.self)
    let error = #expect(throws: StoreError.self) {
      try store.snapshot().fetch(Seat.all.order(by: \.id.row))
    }
    #expect("\(try #require(error))".contains("a key is stored whole. Order by the key"))
  }

  @Test func refusesWhatNoKeyMayHave() {
    #expect(
      throws: StoreError.schemaInvalid(
        model: "HoldsPair",
        reason: "\"id\" has a part \"number\" of type Double, which no key may have.")
    ) { _ = try Store(.inMemory, models: HoldsPair.self) }
    #expect(throws: StoreError.self) { _ = try Store(.inMemory, models: HoldsSwapped.self) }
    #expect(
      throws: StoreError.schemaInvalid(
        model: "HoldsLink",
        reason: "\"id\" has a part \"seat\" of type Link, which no key may have: "
          + "keep the target's id in the key, and the link in a field.")
    ) { _ = try Store(.inMemory, models: Seat.self, HoldsLink.self) }
  }

  @Test func otherPartsAreAMismatch() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/seats.roost"
      try Store(.file(path), models: Seat.self).close()
      #expect(
        throws: StoreError.migrationRequired([
          .otherType(
            model: "Seat", field: "id",
            stored: "(hall: String, row: Int, number: UInt, since: Date)",
            declared: "(hall: String, row: Int)")
        ])
      ) { _ = try Store(.file(path), models: Other.Seat.self) }
    }
  }

  @Test func aKeyThatIsTooLongIsRefused() throws {
    let store = try Store(.inMemory, models: Seat.self)
    let long = Seat.ID(
      hall: String(repeating: "x", count: 1100), row: 0, number: nil, since: Date())
    #expect(throws: StoreError.valueTooLong(model: "Seat", field: "id", limit: 1023)) {
      try store.write { try $0.insert(Seat(id: long, guest: nil, neighbour: nil)) }
    }
  }
}
