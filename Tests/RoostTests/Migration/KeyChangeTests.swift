import Foundation
import Roost
import RoostTestSupport
import Synchronization
import Testing

/// A step that makes another field the key: what it does once, and what it refuses.
@Suite struct KeyChangeTests {
  enum Old {
    struct Person: Model {
      let id: Int
      var email: String
      var code: String?
      var score: Double
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("email", \.email), Field("code", \.code),
        Field("score", \.score))
    }
    struct Dog: Model {
      let id: Int
      var owner: Link<Person>
      static let schema = Schema(Dog.init, Key("id", \.id), Field("owner", \.owner))
    }
  }
  enum New {
    struct Person: Model {
      let email: String
      var id: String { email }
      var number: Int
      static let schema = Schema(
        Person.init, Key("email", \.email), Field("id", \.number, .unique))
    }
    struct Dog: Model {
      let id: Int
      var owner: Link<Person>
      static let schema = Schema(Dog.init, Key("id", \.id), Field("owner", \.owner))
    }
  }

  private func withPeople(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      do {
        let store = try Store(.file(path), models: Old.Person.self, Old.Dog.self)
        try store.write { tx in
          for id in 1...3000 {
            try tx.insert(
              Old.Person(
                id: id, email: id == 2999 ? "7@example.org" : "\(id)@example.org",
                code: id == 1800
                  ? nil : id == 1801 ? String(repeating: "c", count: 1024) : "c\(id)",
                score: 0))
            try tx.insert(Old.Dog(id: id, owner: Link(id: 3001 - id)))
          }
        }
      }
      try body(path)
    }
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test func whatCannotBeAKeyIsSaidAndTheFileStays() throws {
    try withPeople { path in
      let before = try bytes(path)
      func failure(_ body: @escaping @Sendable (Migration) throws -> Void) -> MigrationFailure? {
        do {
          _ = try Store(.file(path), models: Old.Person.self, Old.Dog.self) {
            MigrationStep("key", body: body)
          }
        } catch {
          if case .migrationFailed(let failure) = error { return failure }
        }
        return nil
      }
      #expect(
        failure { try $0.changeKey(of: "Person", to: "email") }
          == MigrationFailure(
            step: "key", model: "Person", id: nil, field: "email",
            reason: MigrationFailure.equalValues("7@example.org")))
      #expect(
        failure { try $0.changeKey(of: "Person", to: "code") }
          == MigrationFailure(
            step: "key", model: "Person", id: "1800", field: "code",
            reason: "It has no value, and every object has a key."))
      #expect(
        failure {
          try $0.makeRequired("code", of: "Person", default: "none")
          try $0.changeKey(of: "Person", to: "code")
        }
          == MigrationFailure(
            step: "key", model: "Person", id: "1801", field: "code",
            reason: "It is longer than a key can be, which has at most 1023 bytes."))
      #expect(
        failure { try $0.changeKey(of: "Person", to: "score") }
          == MigrationFailure(
            step: "key", model: "Person", id: nil, field: "score",
            reason: "It stores Double, which cannot be a key; an integer, a text or a UUID can."))
      #expect(
        failure { migration in
          try migration.rewrite("Dog") { _, _ in
            try migration.changeKey(of: "Person", to: "email")
          }
        }
          == MigrationFailure(
            step: "key", model: "Person", id: nil, field: "email",
            reason: "The key cannot change while objects are gone through. Change it before or "
              + "afterwards."))
      #expect(
        failure { try $0.rewrite("Person") { _, new in try new.set("id", to: 7) } }
          == MigrationFailure(
            step: "key", model: "Person", id: "1", field: "id",
            reason: "It is the key. Change another field, and make that the key by `changeKey`."))
      #expect(
        failure { try $0.convert("id", of: "Person", from: Int.self, to: Int.self) { $0 / 2 } }
          == MigrationFailure(
            step: "key", model: "Person", id: nil, field: "id",
            reason: MigrationFailure.equalValues("1")))
      #expect(try bytes(path) == before)
      // Of what the file does not have, nothing is done.
      let store = try Store(.file(path), models: Old.Person.self, Old.Dog.self) {
        MigrationStep("key") {
          try $0.changeKey(of: "Person", to: "mail")
          try $0.changeKey(of: "Cat", to: "name")
          try $0.changeKey(of: "Person", to: "id")
        }
      }
      #expect(try store.snapshot().find(Old.Person.self, id: 7).email == "7@example.org")
    }
  }

  @Test func theStepSaysWhatBecomesOfEqualValues() throws {
    try withPeople { path in
      let store = try Store(.file(path), models: New.Person.self, New.Dog.self) {
        MigrationStep("people are known by their addresses") {
          try $0.changeKey(of: "Person", to: "email") { first, other in
            #expect(try first.value("id", as: Int.self) == 7)
            try other.set("email", to: "other@example.org")
          }
          try $0.remove("code", of: "Person")
          try $0.remove("score", of: "Person")
        }
      }
      let snapshot = store.snapshot()
      #expect(try snapshot.count(New.Person.all) == 3000)
      for dog in try snapshot.fetch(New.Dog.all) {
        #expect(try snapshot.find(New.Person.self, id: dog.owner.id).number == 3001 - dog.id)
      }
      #expect(try snapshot.find(New.Dog.self, id: 2).owner.id == "other@example.org")
      // The old key is unique because the model says so, and new objects get surrogates behind the old keys.
      #expect(throws: StoreError.duplicateKey(model: "Person", field: "id", value: "7")) {
        try store.write { try $0.insert(New.Person(email: "new", number: 7)) }
      }
      try store.write { try $0.insert(New.Person(email: "new", number: 0)) }
      #expect(try store.snapshot().find(New.Person.self, id: "new").number == 0)
      #expect(try store.verify() == [])
    }
  }

  @Test func theErrorOfAnotherKeyHasTheStepToPaste() throws {
    struct Person: Model {
      let email: String
      var id: String { email }
      var number: Int
      static let schema = Schema(Person.init, Key("email", \.email), Field("id", \.number))
    }
    struct Dog: Model {
      let name: String
      var id: String { name }
      static let schema = Schema(Dog.init, Key("name", \.name))
    }
    try withPeople { path in
      let error = StoreError.migrationRequired([
        .otherKey(
          model: "Person", stored: "\"id\", Int", field: "email", declared: "String",
          isStored: true),
        .otherKey(
          model: "Dog", stored: "\"id\", Int", field: "name", declared: "String", isStored: false),
      ])
      #expect(throws: error) { try Store(.file(path), models: Person.self, Dog.self) }
      #expect(
        error.message == """
          The file does not fit the models, and was left as it is.
          The key of Person is declared as "email", String, and stored as "id", Int.
          The key of Dog is declared as "name", String, and stored as "id", Int.
          Add a step to the plan that the store is opened with, such as:
          MigrationStep("email becomes the key of Person") {
            try $0.changeKey(of: "Person", to: "email")
          }
          MigrationStep("name becomes the key of Dog") {
            try $0.add("name", to: "Dog", default: <#String#>)
            try $0.rewrite("Dog") { old, new in try new.set("name", to: <#String#>) }
            try $0.changeKey(of: "Dog", to: "name")
          }
          """)
    }
  }

  @Test func aDryRunTellsOfAnotherKey() throws {
    try withPeople { path in
      let report = try Store.dryRun(
        at: .file(path), models: New.Person.self, New.Dog.self
      ) {
        MigrationStep("emails are unique") {
          try $0.makeUnique("email", of: "Person") { _, other in
            try other.set("email", to: "other@example.org")
          }
        }
        MigrationStep("another key") { try $0.changeKey(of: "Person", to: "email") }
        MigrationStep("dogs are counted anew") {
          try $0.convert("id", of: "Dog", from: Int.self, to: Int.self) { -$0 }
        }
      }
      #expect(
        report.parts.map(\.changes) == [
          [.indexAdded(model: "Person", fields: ["email"], isUnique: true)],
          [
            .keyChanged(model: "Person", from: "id", to: "email"),
            .indexRemoved(model: "Person", fields: ["email"], isUnique: true),
          ],
          [],
        ])
      typealias Counts = MigrationReport.ObjectCounts
      #expect(
        report.parts.map(\.objects) == [
          [Counts(model: "Person", inserted: 0, deleted: 0, changed: 1)],
          [Counts(model: "Person", inserted: 0, deleted: 0, changed: 3000)],
          [Counts(model: "Dog", inserted: 0, deleted: 0, changed: 3000)],
        ])
    }
  }

  @Test func progressIsToldOfTheModelAndOfWhatLinksToIt() throws {
    try withPeople { path in
      let reports = Mutex<[MigrationProgress]>([])
      let note: @Sendable (MigrationProgress) -> Void = { report in
        reports.withLock { $0.append(report) }
      }
      var configuration = Configuration()
      configuration.reportsMigration = note
      _ = try Store(
        .file(path), models: Old.Person.self, Old.Dog.self, configuration: configuration,
        migrations: {
          MigrationStep("key") {
            try $0.convert("id", of: "Person", from: Int.self, to: Int.self) { $0 * 3 }
          }
        })
      let last = reports.withLock { $0.last }
      #expect(last?.step == "key" && last?.model == "Dog" && last?.done == 3000)
      #expect(reports.withLock { $0.allSatisfy { $0.done <= $0.total } })
    }
  }
}
