import Roost
import RoostEngine
import RoostTestSupport
import Testing

/// A model with every kind of index, whose objects come and go.
private struct Member: Model {
  let id: Int
  var name: String
  var code: Int?
  var age: Int
  var note: String?
  var team: Link<Team>?
  static let schema = Schema(
    Member.init, Key("id", \.id), Field("name", \.name, .indexed), Field("code", \.code, .unique),
    Field("age", \.age), Field("note", \.note), Field("team", \.team))
}

private struct Team: Model {
  let id: Int
  var name: String
  static let members = Inverse(\Member.team)
  static let schema = Schema(Team.init, Key("id", \.id), Field("name", \.name))
}

/// Random changes in every form, made to a store and to a dictionary.
@Suite struct ChangeOracleTests {
  @Test(arguments: 0..<6)
  func aStoreIsWhatItsChangesMakeOfIt(seed: Int) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/members.roost"
      let store = try Store(.file(path), models: Member.self, Team.self)
      var run = Run(seed: UInt64(seed))
      try store.write { transaction in
        try transaction.insert(contentsOf: (0..<5).map { Team(id: $0, name: "team \($0)") })
      }
      for _ in 0..<30 {
        try store.write { try run.change($0) }
        try store.read { try run.compare($0) }
      }
      let findings = try Engine.open(path).snapshot().verify()
      #expect(findings == [])
      store.close()
    }
  }

  @Test func aValueThatAFieldHasAlreadyIsNotWritten() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/members.roost"
      let store = try Store(.file(path), models: Member.self, Team.self)
      let member = Member(id: 1, name: "Ann", code: 7, age: 30, note: "kept", team: nil)
      try store.write { try $0.insert(member) }
      let before = try Engine.open(path).snapshot().version.transaction
      try store.write { (transaction) throws in
        try transaction.update(Member.self, id: 1, set: \.age, to: 31)
        try transaction.update(Member.self, id: 1, set: \.age, to: 30)
        try transaction.update(Member.self, id: 1, set: \.code, to: 7)
        #expect(throws: StoreError.notFound(model: "Member", id: "2")) {
          try transaction.update(Member.self, id: 2, set: \.age, to: 30)
        }
      }
      #expect(try Engine.open(path).snapshot().version.transaction == before)
      try store.write { _ = try $0.update(Member.self, id: 1, set: \.age, to: 31) }
      #expect(try Engine.open(path).snapshot().version.transaction > before)
      #expect(try store.read { try $0.fetch(Member.self, id: 1)?.age } == 31)
      store.close()
    }
  }

  @Test func refusesToSetWhatIsNotAField() throws {
    let store = try Store(.inMemory, models: Member.self, Team.self)
    try store.write { transaction in
      try transaction.insert(Member(id: 1, name: "Ann", code: 7, age: 30, note: nil, team: nil))
      #expect(throws: StoreError.changedKey(model: "Member", id: "1")) {
        try transaction.update(Member.self, id: 1, set: \.id, to: 1)
      }
      #expect(
        throws: StoreError.unknownField(
          model: "Member", property: (\Member.name.count).propertyName)
      ) {
        try transaction.update(Member.self, id: 1, set: \.name.count, to: 4)
      }
    }
  }
}

/// A store's members as they must be, and the changes that make them so.
private struct Run {
  private var generator: SeededGenerator
  private var members: [Int: Member] = [:]
  private static let ids = 0..<900

  init(seed: UInt64) { generator = SeededGenerator(seed: seed &* 7919 &+ 3) }

  private mutating func pick(_ range: Range<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  private mutating func member(_ id: Int) -> Member {
    Member(
      id: id, name: "name \(pick(0..<40))", code: generator.chance(1, in: 2) ? pick(0..<4000) : nil,
      age: pick(0..<90), note: note(),
      team: generator.chance(1, in: 4) ? nil : Link(id: pick(0..<5)))
  }

  private mutating func note() -> String? {
    switch pick(0..<6) {
    case 0: nil
    case 1: String(repeating: "long ", count: pick(300..<500))
    default: "note \(pick(0..<1000))"
    }
  }

  private func isTaken(_ code: Int?, by id: Int) -> Bool {
    code != nil && members.values.contains { $0.code == code && $0.id != id }
  }

  /// One transaction of a few or of many changes.
  mutating func change(_ transaction: WriteTransaction) throws {
    let count = generator.chance(1, in: 3) ? pick(1..<4) : pick(20..<500)
    let weights = [pick(1..<10), pick(1..<10), pick(0..<10), pick(0..<3)]
    for _ in 0..<count {
      var choice = pick(0..<weights.reduce(0, +))
      let kind = weights.firstIndex { weight in
        defer { choice -= weight }
        return choice < weight
      }
      switch kind {
      case 0: try insert(transaction)
      case 1: try update(transaction)
      case 2: try delete(transaction)
      default: try deleteMany(transaction)
      }
      if generator.chance(1, in: 60) { try look(transaction) }
    }
  }

  private mutating func insert(_ transaction: WriteTransaction) throws {
    let member = member(pick(Self.ids))
    if members[member.id] != nil {
      #expect(
        throws: StoreError.duplicateKey(model: "Member", field: "id", value: "\(member.id)")
      ) { try transaction.insert(member) }
    } else if isTaken(member.code, by: member.id) {
      #expect(
        throws: StoreError.duplicateKey(
          model: "Member", field: "code", value: "\(member.code ?? 0)")
      ) { try transaction.insert(member) }
    } else {
      try transaction.insert(member)
      members[member.id] = member
    }
  }

  private mutating func update(_ transaction: WriteTransaction) throws {
    let id = pick(Self.ids)
    let new = member(id)
    let isThere = members[id] != nil
    switch pick(0..<6) {
    case 0:
      try found(id) { try transaction.update(Member.self, id: id, set: \.name, to: new.name) }
      members[id]?.name = new.name
    case 1:
      try found(id) { try transaction.update(Member.self, id: id, set: \.age, to: new.age) }
      members[id]?.age = new.age
    case 2:
      try found(id) { try transaction.update(Member.self, id: id, set: \.note, to: new.note) }
      members[id]?.note = new.note
    case 3:
      try found(id) { try transaction.update(Member.self, id: id, set: \.team, to: new.team) }
      members[id]?.team = new.team
    case 4 where isThere && isTaken(new.code, by: id):
      #expect(
        throws: StoreError.duplicateKey(model: "Member", field: "code", value: "\(new.code ?? 0)")
      ) { try transaction.update(Member.self, id: id, set: \.code, to: new.code) }
    case 4:
      try found(id) { try transaction.update(Member.self, id: id, set: \.code, to: new.code) }
      members[id]?.code = new.code
    default:
      let changed = try found(id) {
        try transaction.update(Member.self, id: id) {
          $0.name = new.name
          $0.note = new.note
        }
      }
      members[id]?.name = new.name
      members[id]?.note = new.note
      #expect(changed == members[id])
    }
  }

  /// What a change of a member gives; nil where there is no such member, as the change says.
  @discardableResult
  private func found<Result>(_ id: Int, _ change: () throws -> Result) throws -> Result? {
    do {
      let result = try change()
      #expect(members[id] != nil)
      return result
    } catch StoreError.notFound(model: "Member", id: "\(id)") where members[id] == nil {
      return nil
    }
  }

  private mutating func delete(_ transaction: WriteTransaction) throws {
    let id = pick(Self.ids)
    #expect(try transaction.delete(Member.self, id: id) == (members.removeValue(forKey: id) != nil))
  }

  private mutating func deleteMany(_ transaction: WriteTransaction) throws {
    if generator.chance(1, in: 3) {
      let age = pick(0..<90)
      let deleted = members.values.filter { $0.age == age }.map(\.id)
      for id in deleted { members[id] = nil }
      #expect(try transaction.delete(Member.where { $0.age == age }) == deleted.count)
      return
    }
    // Some of them twice, and some that are not there.
    let ids = (0..<pick(0..<150)).map { _ in pick(Self.ids) }
    var count = 0
    for id in ids where members.removeValue(forKey: id) != nil { count += 1 }
    #expect(try transaction.delete(Member.self, ids: ids) == count)
  }

  /// Reads one object, which need not be applied.
  private mutating func look(_ transaction: WriteTransaction) throws {
    let id = pick(Self.ids)
    #expect(try transaction.fetch(Member.self, id: id) == members[id])
    guard generator.chance(1, in: 3) else { return }
    try compare(transaction)
  }

  /// Compares everything, also through the indexes.
  func compare(_ reader: some ObjectReader) throws {
    let expected = members.values.sorted { $0.id < $1.id }
    #expect(try reader.fetch(Member.all.order(by: \.id)) == expected)
    for name in ["name 0", "name 17", "name 39"] {
      #expect(
        try reader.count(Member.where { $0.name == name })
          == expected.filter { $0.name == name }.count)
    }
    for team in 0..<6 {
      let members = expected.filter { $0.team?.id == team }
      #expect(try reader.count(Member.where { $0.team == Link(id: team) }) == members.count)
      #expect(try reader.count(Team.members, of: team) == members.count)
      #expect(try reader.fetch(Team.members(of: team).order(by: \.id)) == members)
    }
    #expect(
      try reader.count(Member.where { $0.code > 2000 })
        == expected.filter { $0.code.map { $0 > 2000 } ?? false }.count)
  }
}
