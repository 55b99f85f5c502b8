import Roost
import Testing

private struct Lodging: Embedded {
  var city: String
  var isOwn: Bool
  var isOld: Bool?
  static let fields = Fields(
    Lodging.init, Part("city", \.city), Part("isOwn", \.isOwn), Part("isOld", \.isOld))
}

private struct Member: Model {
  let id: Int
  var isDirty: Bool
  var isNew: Bool
  var isSure: Bool?
  var age: Int
  var home: Lodging
  var second: Lodging?
  var former: [Lodging]
  var leader: Link<Member>?
  static let followers = Inverse(\Member.leader)
  static let posts = Inverse(\Message.author)
  static let schema = Schema(
    Member.init, Key("id", \.id), Field("isDirty", \.isDirty), Field("isNew", \.isNew),
    Field("isSure", \.isSure), Field("age", \.age), Field("home", \.home),
    Field("second", \.second), Field("former", \.former), Field("leader", \.leader))
}

private struct Message: Model {
  let id: Int
  var author: Link<Member>
  var isRead: Bool
  static let schema = Schema(
    Message.init, Key("id", \.id), Field("author", \.author), Field("isRead", \.isRead))
}

private struct Seat: Model {
  let id: Int
  var number: Int
  var isTaken: Bool
  var isGone: Bool
  static let schema = Schema(
    Seat.init, Key("id", \.id), Field("number", \.number), Field("isTaken", \.isTaken),
    Field("isGone", \.isGone))
  static let indexes: [Index<Seat>] = [
    .unique(\.number, where: { $0.isTaken && !$0.isGone })
  ]
}

/// Members with each combination of the flags, each with the member before as its leader.
private let members = (0..<64).map { id in
  Member(
    id: id, isDirty: id & 1 == 0, isNew: id & 2 == 0, isSure: [nil, true, false][id % 3],
    age: id % 7, home: Lodging(city: "Delft", isOwn: id & 4 == 0, isOld: nil),
    second: id & 8 == 0 ? nil : Lodging(city: "Gouda", isOwn: id & 16 == 0, isOld: id & 1 == 0),
    former: (0..<id % 3).map { Lodging(city: "Breda", isOwn: $0 == 1, isOld: nil) },
    leader: id % 5 == 0 ? nil : Link(id: id - 1))
}
private let messages = (0..<90).map { id in
  Message(id: id, author: Link(id: id * 7 % 50), isRead: id % 3 == 0)
}

private func leader(_ member: Member) -> Member? { member.leader.map { members[$0.id] } }

@Suite struct ConditionTests {
  private let store: Store

  init() throws {
    store = try Store(.inMemory, models: Member.self, Message.self)
    try store.write {
      try $0.insert(contentsOf: members)
      try $0.insert(contentsOf: messages)
    }
  }

  private func check(
    _ condition: (QueryRoot<Member>) -> QueryCondition, _ place: SourceLocation = #_sourceLocation,
    _ plain: (Member) -> Bool
  ) throws {
    let query = Member.where(condition)
    let expected = members.filter(plain).map(\.id)
    #expect(!expected.isEmpty && expected.count < members.count, sourceLocation: place)
    for query in [query, try query.readBack(in: store)] {
      #expect(
        try store.snapshot().fetch(query).map(\.id) == expected, "\(query)", sourceLocation: place)
    }
  }

  @Test func aFieldThatIsTrueOrFalseIsACondition() throws {
    try check({ $0.isDirty }) { $0.isDirty }
    try check({ !$0.isDirty }) { !$0.isDirty }
    try check({ $0.isDirty && $0.age > 3 }) { $0.isDirty && $0.age > 3 }
    try check({ $0.age > 3 || !($0.isDirty && !$0.isNew) }) {
      $0.age > 3 || !($0.isDirty && !$0.isNew)
    }
    try check({ $0.isSure == true && $0.isNew }) { $0.isSure == true && $0.isNew }
  }

  @Test func aFieldBehindLinksIsAConditionThatIsFalseWithoutATarget() throws {
    try check({ $0.leader.isDirty }) { leader($0)?.isDirty == true }
    try check({ !$0.leader.isDirty }) { leader($0)?.isDirty != true }
    try check({ $0.leader.leader.isDirty && $0.isNew }) {
      leader($0).flatMap(leader)?.isDirty == true && $0.isNew
    }
  }

  @Test func aPartOfAStructIsAConditionThatIsFalseWithoutTheStruct() throws {
    try check({ $0.home.isOwn }) { $0.home.isOwn }
    try check({ !$0.second.isOwn }) { $0.second?.isOwn != true }
    try check({ $0.second.isOld == true }) { $0.second?.isOld == true }
    try check({ $0.leader.second.isOwn }) { leader($0)?.second?.isOwn == true }
    try check({ $0.former.contains { $0.isOwn && $0.city == "Breda" } }) {
      $0.former.contains { $0.isOwn }
    }
  }

  @Test func anInverseIsAMemberOfTheObjectAndOfWhatALinkLeadsTo() throws {
    func posts(_ member: Member?) -> [Message] { messages.filter { $0.author.id == member?.id } }
    try check({ $0.posts.contains { $0.isRead } }) { posts($0).contains { $0.isRead } }
    try check({ $0.posts.where { !$0.isRead }.count >= 2 }) {
      posts($0).filter { !$0.isRead }.count >= 2
    }
    try check({ $0.leader.posts.isEmpty && $0.isDirty }) { posts(leader($0)).isEmpty && $0.isDirty }
    try check({ member in member.followers.contains { $0.isNew && $0.age > member.age } }) {
      member in
      members.contains { $0.leader?.id == member.id && $0.isNew && $0.age > member.age }
    }
    #expect(Member.where { $0.posts.isEmpty } == Member.where { $0[Member.posts].isEmpty })
  }

  @Test func aConditionOfAFieldIsTheQueryThatComparesItWithTrue() {
    #expect(Member.where { $0.isDirty } == Member.where { $0.isDirty == true })
    #expect(Member.where { !$0.isDirty } == Member.where { $0.isDirty != true })
    #expect("\(Member.where { $0.leader.isDirty })" == "Member where leader.isDirty == true")
  }

  @Test func aFieldThatIsTrueOrFalseIsAlsoAValue() throws {
    let snapshot = store.snapshot()
    try check({ $0.isDirty == $0.isNew }) { $0.isDirty == $0.isNew }
    try check({ $0.isDirty != $0.isNew && $0.isDirty.in([true]) }) { $0.isDirty && !$0.isNew }
    let ordered = try snapshot.fetch(Member.all.order { $0.isDirty }.order { !$0.isNew }).map(\.id)
    let groups = [1, 3, 0, 2].flatMap { rest in members.filter { $0.id % 4 == rest } }
    #expect(ordered == groups.map(\.id))
    let counts = try snapshot.groups(Member.all.grouped { $0.isDirty }, { $0.count })
    #expect(counts.map(\.key) == [false, true])
    #expect(try snapshot.values(of: Member.all, { $0.isNew }) == members.map(\.isNew))
    try store.write { tx in
      try tx.update(Member.where { $0.isDirty }, set: \.isNew, to: { !$0.isNew })
      try tx.update(Member.where { !$0.isDirty }, set: \.isNew, to: { $0.isDirty })
    }
    #expect(
      try store.snapshot().fetch(Member.all).map(\.isNew)
        == members.map { $0.isDirty && !$0.isNew })
  }

  @Test func aUniqueIndexOfSomeObjectsTakesAFieldAsItsCondition() throws {
    let store = try Store(.inMemory, models: Seat.self)
    try store.write { tx in
      for id in 1...3 { try tx.insert(Seat(id: id, number: 7, isTaken: id == 3, isGone: false)) }
      try tx.insert(Seat(id: 4, number: 7, isTaken: true, isGone: true))
    }
    #expect(throws: StoreError.self) {
      try store.write { try $0.insert(Seat(id: 5, number: 7, isTaken: true, isGone: false)) }
    }
    #expect(try store.snapshot().count(Seat.where { $0.isTaken && !$0.isGone }) == 1)
  }
}
