import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

extension Configuration {
  /// A migration's step gathers next to nothing, as one over very many objects does beside what they are.
  static var littleMemory: Configuration {
    var limits = WriteBufferLimits()
    limits.ascendingBytes = 2000
    limits.scatteredBytes = 3000
    limits.changes = 60
    limits.indexBytes = 3000
    limits.linkChecks = 16
    limits.indexPartBytes = 2000
    limits.indexPartsMerged = 3
    var configuration = Configuration()
    configuration.migrationLimits = limits
    return configuration
  }
}

/// Steps that write what they gather long before they end, compared with plain Swift.
@Suite struct BoundedMigrationTests {
  private enum Old {
    struct Person: Model {
      let id: Int
      var name: String
      var boss: Link<Person>?
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("name", \.name, .indexed), Field("boss", \.boss))
    }
  }
  private enum New {
    struct Person: Model {
      let id: Int
      var name: String
      var boss: Link<Person>?
      var phone: Link<Phone>?
      var calls: Links<Call>
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("name", \.name, .indexed), Field("boss", \.boss),
        Field("phone", \.phone, .onTargetDelete(.nullify)),
        Field("calls", \.calls, .onTargetDelete(.nullify)))
    }
    struct Phone: Model {
      let code: String
      var id: String { code }
      var owner: Link<Person>?
      static let schema = Schema(
        Phone.init, Key("code", \.code), Field("owner", \.owner, .onTargetDelete(.nullify)))
    }
    struct Call: Model {
      let id: Int
      var phone: Link<Phone>?
      var seconds: Int
      static let schema = Schema(
        Call.init, Key("id", \.id), Field("phone", \.phone, .onTargetDelete(.nullify)),
        Field("seconds", \.seconds, .indexed))
    }
  }

  /// What the file has afterwards, in plain Swift.
  private struct Content: Equatable, Sendable {
    struct Person: Equatable, Sendable {
      var name: String
      var boss: Int?
      var phone: String?
      var calls: [Int] = []
    }
    struct Call: Equatable, Sendable {
      var phone: String?
      var seconds: Int
    }
    var people: [Int: Person] = [:]
    var phones: [String: Int?] = [:]
    var calls: [Int: Call] = [:]

    init(count: Int) {
      // Each tenth is a boss.
      for id in 0..<count { people[id] = Person(name: "N\(id % 7)", boss: id / 10 * 10) }
    }

    init(_ store: Store) throws {
      let snapshot = store.snapshot()
      for person in try snapshot.fetch(New.Person.all) {
        people[person.id] = Person(
          name: person.name, boss: person.boss?.id, phone: person.phone?.id,
          calls: Array(person.calls))
      }
      for phone in try snapshot.fetch(New.Phone.all) {
        phones[phone.code] = .some(phone.owner?.id)
      }
      for call in try snapshot.fetch(New.Call.all) {
        calls[call.id] = Call(phone: call.phone?.id, seconds: call.seconds)
      }
    }

    mutating func delete(_ deleted: Set<Int>) {
      for id in deleted { people[id] = nil }
      for (code, owner) in phones {
        if let owner, deleted.contains(owner) { phones[code] = .some(nil) }
      }
    }
  }

  private static let count = 1200

  private func withPeople(_ body: (_ path: String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      let store = try Store(.file(path), models: Old.Person.self)
      try store.write { tx in
        for (id, person) in Content(count: Self.count).people {
          try tx.insert(
            Old.Person(id: id, name: person.name, boss: person.boss.map { Link(id: $0) }))
        }
      }
      store.close()
      try body(path)
    }
  }

  private func open(_ path: String, _ step: MigrationStep) throws -> Store {
    try Store(
      .file(path), models: New.Person.self, New.Phone.self, New.Call.self,
      configuration: .littleMemory
    ) { step }
  }

  private func addModels(_ migration: Migration) throws {
    try migration.addModel("Phone", key: "code", String.self)
    try migration.addLink("owner", to: "Phone", target: "Person")
    try migration.addModel("Call", key: "id", Int.self)
    try migration.addLink("phone", to: "Call", target: "Phone")
    try migration.add("seconds", to: "Call", default: 0)
    try migration.addLink("phone", to: "Person", target: "Phone")
    try migration.addLink("calls", to: "Person", target: "Call", isList: true)
  }

  /// Gives people phones and calls, in the file and in plain Swift.
  private func rewrite(
    _ migration: Migration, _ content: inout Content, _ random: inout SeededGenerator
  ) throws {
    try addModels(migration)
    var deleted: Set<Int> = []
    var seen = 0
    try migration.rewrite("Person") { old, new in
      let id = try old.value("id", as: Int.self)
      seen += 1
      let name = "M\(Int.random(in: 0..<50, using: &random))"
      try new.set("name", to: name)
      content.people[id]?.name = name
      // One that is there, of those that were written and those that wait, or another one.
      let code = "P\(Int.random(in: 0..<Self.count / 2, using: &random))"
      var phone = try migration.object(of: "Phone", id: code)
      #expect((phone != nil) == (content.phones[code] != nil), "\(code)")
      if let phone {
        let owner = try phone.object("owner")?.value("id", as: Int.self)
        #expect(owner == content.phones[code] ?? nil)
        if random.chance(1, in: 4) {
          // It is refused, and nothing else is.
          #expect(throws: StoreError.self) {
            try migration.insert(into: "Phone") { try $0.set("code", to: code) }
          }
        }
      } else {
        phone = try migration.insert(into: "Phone") {
          try $0.set("code", to: code)
          try $0.set("owner", to: old)
        }
        content.phones[code] = .some(id)
      }
      try new.set("phone", to: phone)
      content.people[id]?.phone = code
      var calls: [MigrationObject] = []
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let call = Int(truncatingIfNeeded: random.next())
        let seconds = Int.random(in: 0..<20, using: &random)
        calls += try [
          migration.insert(into: "Call") {
            try $0.set("id", to: call)
            try $0.set("phone", to: phone)
            try $0.set("seconds", to: seconds)
          }
        ].compactMap { $0 }
        content.calls[call] = Content.Call(phone: code, seconds: seconds)
        content.people[id]?.calls.append(call)
      }
      try new.set("calls", to: calls)
      if id % 10 != 0, random.chance(1, in: 6) {
        new.delete()
        deleted.insert(id)
      }
      guard seen % 300 == 0 else { return }
      // All that was inserted so far, while others are gone through.
      var found: [Int: Int] = [:]
      try migration.forEach("Call") { call in
        found[try call.value("id", as: Int.self)] = try call.value("seconds", as: Int.self)
      }
      #expect(found == content.calls.mapValues(\.seconds))
    }
    #expect(seen == Self.count)
    content.delete(deleted)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func insertedObjectsAreThoseOfPlainSwift(seed: UInt64) throws {
    try withPeople { path in
      let expected = Mutex(Content(count: Self.count))
      let store = try open(
        path,
        MigrationStep("phones") { migration in
          var random = SeededGenerator(seed: seed)
          var content = Content(count: Self.count)
          try rewrite(migration, &content, &random)
          expected.withLock { $0 = content }
        })
      #expect(try Content(store) == expected.withLock { $0 }, "seed \(seed)")
      #expect(try store.verify() == [])
      // And the indexes that were kept up meanwhile.
      let content = expected.withLock { $0 }
      for number in 0..<50 {
        let people = content.people.values.filter { $0.name == "M\(number)" }
        #expect(
          try store.snapshot().count(New.Person.where { $0.name == "M\(number)" }) == people.count)
      }
      for id in 0..<60 {
        #expect(
          try store.snapshot().count(Inverse(\New.Phone.owner), of: id)
            == content.phones.values.filter { $0 == id }.count)
      }
    }
  }

  @Test func anErrorAfterItHasWrittenLeavesTheFileAsItWas() throws {
    struct Enough: Error, CustomStringConvertible { let description = "enough" }
    try withPeople { path in
      #expect(
        throws: StoreError.migrationFailed(
          MigrationFailure(step: "phones", model: nil, id: nil, field: nil, reason: "enough"))
      ) {
        _ = try open(
          path,
          MigrationStep("phones") { migration in
            var random = SeededGenerator(seed: 3)
            var content = Content(count: Self.count)
            try rewrite(migration, &content, &random)
            throw Enough()
          })
      }
      let store = try Store(.file(path), models: Old.Person.self)
      #expect(try store.snapshot().count(Old.Person.where { $0.name == "N3" }) == 171)
      #expect(try store.verify() == [])
    }
  }

  /// Links are looked through and forgotten long before the end: those that lose their target must be known then, too.
  @Test(arguments: [false, true])
  func aLinkWithoutItsTargetIsNoticedAtTheEnd(isDeletedFirst: Bool) throws {
    try withPeople { path in
      let error = #expect(throws: StoreError.self) {
        _ = try open(
          path,
          MigrationStep("phones") { migration in
            try addModels(migration)
            var victim: MigrationObject?
            if isDeletedFirst {
              try migration.rewrite("Person") { old, new in
                guard try old.value("id", as: Int.self) == 555 else { return }
                victim = old
                new.delete()
              }
            }
            try migration.rewrite("Person") { old, new in
              let id = try old.value("id", as: Int.self)
              try migration.insert(into: "Phone") {
                try $0.set("code", to: "P\(id)")
                try $0.set("owner", to: id == 700 ? victim ?? old : old)
              }
              // Nine people have it for their boss.
              if !isDeletedFirst, id == 550 { new.delete() }
            }
          })
      }
      guard case .migrationFailed(let failure)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(failure.reason.contains(isDeletedFirst ? "555" : "550"), "\(failure)")
      let store = try Store(.file(path), models: Old.Person.self)
      #expect(try store.snapshot().count(Old.Person.all) == Self.count)
      #expect(try store.verify() == [])
    }
  }

  @Test func aLinkThatIsSetElsewhereInTimeIsNoErrorAtTheEnd() throws {
    try withPeople { path in
      let store = try open(
        path,
        MigrationStep("phones") { migration in
          try addModels(migration)
          let boss = try migration.object(of: "Person", id: 0)
          try migration.rewrite("Person") { old, new in
            let id = try old.value("id", as: Int.self)
            if id / 10 == 55 { try new.set("boss", to: boss) }
            if id == 550 { new.delete() }
            try migration.insert(into: "Phone") {
              try $0.set("code", to: "P\(id)")
              try $0.set("owner", to: old)
            }
          }
        })
      #expect(try store.snapshot().count(New.Person.all) == Self.count - 1)
      #expect(try store.snapshot().count(Inverse(\New.Person.boss), of: 0) == 19)
      #expect(try store.verify() == [])
    }
  }
}
