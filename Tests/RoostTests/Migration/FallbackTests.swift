import Roost
import RoostInterchange
import RoostTestSupport
import Testing

/// A letter as the newer release has it.
private enum New {
  enum State: String, Storable, CaseIterable { case draft, sent, failed, scheduled, bounced }
  struct Stamp: Embedded, Hashable {
    var state: State
    var count: Int
    static let fields = Fields(Stamp.init, Part("state", \.state), Part("count", \.count))
  }
  struct Letter: Model, Equatable {
    let id: Int
    var text: String
    var state: State
    var previous: State?
    var stamp: Stamp
    static let schema = Schema(
      Letter.init, Key("id", \.id), Field("text", \.text), Field("state", \.state),
      Field("previous", \.previous), Field("stamp", \.stamp))
  }
}

/// As the older one has it, whose enum has three of the five cases.
private enum Old {
  enum State: String, StorableWithFallback, CaseIterable {
    case draft, sent, failed
    static let fallback = State.failed
  }
  struct Stamp: Embedded, Hashable {
    var state: State
    var count: Int
    static let fields = Fields(Stamp.init, Part("state", \.state), Part("count", \.count))
  }
  struct Letter: Model, Equatable {
    let id: Int
    var text: String
    var state: State
    var previous: State?
    var stamp: Stamp
    static let schema = Schema(
      Letter.init, Key("id", \.id), Field("text", \.text), Field("state", \.state),
      Field("previous", \.previous), Field("stamp", \.stamp))
  }
}

/// The older one's enum without a fallback.
private enum Strict {
  enum State: String, Storable, CaseIterable { case draft, sent, failed }
  struct Letter: Model, Equatable {
    let id: Int
    var text: String
    var state: State
    static let schema = Schema(
      Letter.init, Key("id", \.id), Field("text", \.text), Field("state", \.state))
  }
}

@Suite struct FallbackTests {
  private func withPath(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { try body($0 + "/letters.roost") }
  }

  private func open<M: Model>(_ model: M.Type, _ path: String) throws(StoreError) -> Store {
    try Store(.file(path), models: model)
  }

  private func letter(_ id: Int, _ state: New.State) -> New.Letter {
    New.Letter(
      id: id, text: "letter \(id)", state: state, previous: state,
      stamp: New.Stamp(state: state, count: id))
  }

  @Test func whatAnEnumHasNoCaseForIsAnErrorOfItsObjectAndSurvivesUpdatesOfOtherFields() throws {
    try withPath { path in
      try open(New.Letter.self, path).write { transaction in
        try transaction.insert(contentsOf: [letter(1, .sent), letter(2, .bounced)])
      }
      let store = try open(Strict.Letter.self, path)
      let snapshot = store.snapshot()
      #expect(try snapshot.find(Strict.Letter.self, id: 1).state == .sent)
      let expected = StoreError.undecodable(model: "Letter", field: "state", value: "bounced")
      #expect(throws: expected) { try snapshot.find(Strict.Letter.self, id: 2) }
      try store.write { try $0.update(Strict.Letter.self, id: 2, set: \.text, to: "changed") }
      let read = try open(New.Letter.self, path).snapshot().find(New.Letter.self, id: 2)
      #expect(read.state == .bounced && read.text == "changed")
    }
  }

  @Test func whatAnEnumHasNoCaseForReadsAsItsFallback() throws {
    try withPath { path in
      try open(New.Letter.self, path).write { transaction in
        try transaction.insert(
          contentsOf: New.State.allCases.enumerated().map { letter($0.offset, $0.element) })
      }
      let snapshot = try open(Old.Letter.self, path).snapshot()
      let states: [Old.State] = [.draft, .sent, .failed, .failed, .failed]
      let letters = try snapshot.fetch(Old.Letter.all)
      #expect(letters.map(\.state) == states)
      #expect(letters.map(\.previous) == states)
      #expect(letters.map(\.stamp.state) == states)
      #expect(try snapshot.rows(Old.Letter.all).map { try $0.state } == states)
      #expect(try snapshot.values(of: Old.Letter.all) { $0.stamp.state } == states)
      // Queries compare what is stored.
      #expect(try snapshot.count(Old.Letter.where { $0.state == .failed }) == 1)
      #expect(try snapshot.count(Old.Letter.where { $0.state != .failed }) == 4)
    }
  }

  /// How an object is written that was read, changed and given back.
  enum Way: CaseIterable, Sendable {
    case closure, queried, object, upsert, replaceAll, structure, text
  }

  @Test(arguments: Way.allCases)
  func whatAnEnumHasNoCaseForStaysWhereTheObjectIsWritten(_ way: Way) throws {
    try withPath { path in
      try open(New.Letter.self, path).write { transaction in
        try transaction.insert(
          contentsOf: New.State.allCases.enumerated().map { letter($0.offset, $0.element) })
      }
      let store = try open(Old.Letter.self, path)
      try store.write { transaction in
        var letters = try transaction.fetch(Old.Letter.all)
        for place in letters.indices {
          letters[place].text = "changed"
          letters[place].stamp.count += 1
        }
        switch way {
        case .closure:
          for letter in letters {
            try transaction.update(Old.Letter.self, id: letter.id) {
              $0.text = letter.text
              $0.stamp.count += 1
            }
          }
        case .queried:
          try transaction.update(Old.Letter.all) {
            $0.text = "changed"
            $0.stamp.count += 1
          }
        case .object: for letter in letters { try transaction.update(letter) }
        case .upsert: try transaction.upsert(contentsOf: letters)
        case .replaceAll: try transaction.replaceAll(letters, of: Old.Letter.all)
        case .structure:
          for letter in letters {
            try transaction.update(Old.Letter.self, id: letter.id, set: \.text, to: letter.text)
            try transaction.update(Old.Letter.self, id: letter.id, set: \.stamp, to: letter.stamp)
          }
        case .text:
          var text: [UInt8] = []
          try transaction.export(Old.Letter.all, to: TextOutput { text += $0 }, as: .json)
          try transaction.upsert(Old.Letter.self, from: .bytes(text), as: .json)
          for letter in letters {
            try transaction.update(Old.Letter.self, id: letter.id, set: \.text, to: letter.text)
            try transaction.update(
              Old.Letter.self, id: letter.id, set: \.stamp.count, to: letter.stamp.count)
          }
        }
      }
      let found = try open(New.Letter.self, path).snapshot().fetch(New.Letter.all)
      let expected = New.State.allCases.enumerated().map { id, state in
        var letter = letter(id, state)
        letter.text = "changed"
        letter.stamp.count += 1
        return letter
      }
      #expect(found == expected)
      #expect(try store.verify().isEmpty)
    }
  }

  @Test func theFallbackItselfIsStoredWhereThePropertyAloneIsSetOrAnotherCaseWasThere() throws {
    try withPath { path in
      try open(New.Letter.self, path).write { transaction in
        try transaction.insert(
          contentsOf: [letter(1, .bounced), letter(2, .sent), letter(3, .bounced)])
      }
      try open(Old.Letter.self, path).write { transaction in
        try transaction.update(Old.Letter.self, id: 1, set: \.state, to: .failed)
        try transaction.update(Old.Letter.self, id: 1, set: \.stamp.state, to: .failed)
        try transaction.update(Old.Letter.self, id: 2) {
          $0.state = .failed
          $0.previous = .failed
        }
        try transaction.update(Old.Letter.self, id: 3) {
          $0.state = .draft
          $0.previous = nil
        }
        // What is new has what it is given.
        try transaction.delete(Old.Letter.self, id: 3)
        try transaction.insert(
          Old.Letter(
            id: 3, text: "", state: .failed, previous: nil,
            stamp: Old.Stamp(state: .failed, count: 0)))
      }
      let found = try open(New.Letter.self, path).snapshot().fetch(New.Letter.all)
      #expect(found.map(\.state) == [.failed, .failed, .failed])
      #expect(found.map(\.previous) == [.bounced, .failed, nil])
      #expect(found.map(\.stamp.state) == [.failed, .sent, .failed])
    }
  }

  @Test func groupsOfWhatAnEnumHasNoCaseForAreOneForEachStoredValue() throws {
    try withPath { path in
      try open(New.Letter.self, path).write { transaction in
        try transaction.insert(
          contentsOf: (0..<50).map { letter($0, New.State.allCases[$0 % 5]) })
      }
      let snapshot = try open(Old.Letter.self, path).snapshot()
      let groups = try snapshot.groups(Old.Letter.all.grouped(by: \.state)) { $0.count }
      #expect(groups.map(\.values) == [10, 10, 10, 10, 10])
      #expect(groups.filter { $0.key == .failed }.count == 3)
      #expect(try Set(snapshot.distinct(of: Old.Letter.all, \.state)).count == 3)
      #expect(try snapshot.distinct(of: Old.Letter.all, \.state).count == 3)
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func twoReleasesThatWriteInTurnLoseNoCase(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try withPath { path in
      var model: [Int: New.Letter] = [:]
      for _ in 0..<12 {
        let isOld = Bool.random(using: &random)
        let newer = try open(New.Letter.self, path)
        let older = isOld ? try open(Old.Letter.self, path) : nil
        for _ in 0..<20 {
          let id = Int.random(in: 0..<30, using: &random)
          guard let older else {
            let letter = letter(id, New.State.allCases.randomElement(using: &random) ?? .draft)
            try newer.write { try $0.upsert(letter) }
            model[id] = letter
            continue
          }
          guard var expected = model[id] else { continue }
          let isStateSet = Bool.random(using: &random)
          let state = Old.State.allCases.randomElement(using: &random) ?? .draft
          let count = Int.random(in: 0..<100, using: &random)
          try older.write { transaction in
            try transaction.update(Old.Letter.self, id: id) {
              $0.stamp.count = count
              if isStateSet { $0.state = state }
            }
          }
          expected.stamp.count = count
          let isKnown = Old.State(rawValue: expected.state.rawValue) != nil
          if isStateSet, isKnown || state != .fallback {
            expected.state = New.State(rawValue: state.rawValue) ?? .draft
          }
          model[id] = expected
        }
        let found = try newer.snapshot().fetch(New.Letter.all)
        #expect(found == model.values.sorted { $0.id < $1.id }, "seed \(seed)")
      }
    }
  }

  @Test func keysAndElementsHaveNoFallback() throws {
    try withPath { path in
      try open(New.Shelf.self, path).write { transaction in
        try transaction.insert(contentsOf: [
          New.Shelf(id: .draft, states: [.draft, .sent]),
          New.Shelf(id: .sent, states: [.sent, .bounced]), New.Shelf(id: .bounced, states: []),
        ])
      }
      let rows = try open(Old.Shelf.self, path).snapshot().rows(Old.Shelf.all)
      #expect(try rows[0].states == [.draft, .sent])
      #expect(throws: StoreError.undecodable(model: "Shelf", field: "states", value: "bounced")) {
        try rows[1].states
      }
      #expect(throws: StoreError.undecodable(model: "Shelf", field: "id", value: "bounced")) {
        try rows[2].id
      }
    }
  }
}

extension New {
  fileprivate struct Shelf: Model {
    let id: State
    var states: [State]
    static let schema = Schema(Shelf.init, Key("id", \.id), Field("states", \.states))
  }
}

extension Old {
  fileprivate struct Shelf: Model {
    let id: State
    var states: [State]
    static let schema = Schema(Shelf.init, Key("id", \.id), Field("states", \.states))
  }
}
