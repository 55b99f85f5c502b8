import Foundation
import Roost
import RoostTestSupport
import Synchronization
import Testing

/// Steps that take data in from elsewhere: another store, JSON, what a closure counts up.
@Suite struct TakingInTests {
  /// What another program keeps in a store of its own.
  enum Other {
    struct Town: Model {
      let code: String
      var id: String { code }
      var name: String
      var isCapital: Bool?
      static let schema = Schema(
        Town.init, Key("code", \.code), Field("name", \.name), Field("isCapital", \.isCapital))
    }
    struct Contact: Model {
      let id: Int
      var name: String
      var tags: [String]
      var home: Link<Town>?
      var visited: Links<Town>
      static let schema = Schema(
        Contact.init, Key("id", \.id), Field("name", \.name), Field("tags", \.tags),
        Field("home", \.home), Field("visited", \.visited))
    }
  }
  enum Old {
    struct Person: Model {
      let id: Int
      var city: String
      static let schema = Schema(Person.init, Key("id", \.id), Field("city", \.city))
    }
  }
  enum New {
    struct City: Model {
      let code: String
      var id: String { code }
      var name: String
      static let schema = Schema(City.init, Key("code", \.code), Field("name", \.name))
    }
    struct Person: Model {
      let id: Int
      var name: String
      var tags: [String]
      var home: Link<City>?
      var visited: Links<City>
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("name", \.name), Field("tags", \.tags),
        Field("home", \.home, .onTargetDelete(.nullify)), Field("visited", \.visited))
    }
  }

  private func withStores(_ body: (_ path: String, _ other: String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let (path, other) = (directory + "/people.roost", directory + "/contacts.roost")
      do {
        let store = try Store(.file(path), models: Old.Person.self)
        try store.write { tx in
          try tx.insert(contentsOf: (0..<3000).map { Old.Person(id: $0, city: "C\($0 % 7)") })
        }
        let contacts = try Store(.file(other), models: Other.Contact.self, Other.Town.self)
        try contacts.write { tx in
          for number in 0..<9 {
            try tx.insert(
              Other.Town(
                code: "C\(number)", name: "Town \(number)", isCapital: number == 3 ? true : nil))
          }
          for id in 0..<5000 {
            try tx.insert(
              Other.Contact(
                id: id, name: "N\(id)", tags: ["t\(id % 3)", "u"],
                home: id % 5 == 0 ? nil : Link(id: "C\(id % 9)"),
                visited: Links(ids: (0..<id % 4).map { "C\((id + $0) % 9)" })))
          }
        }
      }
      try body(path, other)
    }
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test func anotherStoreIsReadByNamesAndItsLinksAreFollowed() throws {
    try withStores { path, other in
      let before = try bytes(other)
      let store = try Store(.file(path), models: New.Person.self, New.City.self) {
        MigrationStep("contacts come from the other app") { migration in
          var configuration = Configuration()
          configuration.isReadOnly = true
          let contacts = try Store(.file(other), configuration: configuration)
          try migration.addModel("City", key: "code", String.self)
          try migration.add("name", to: "City", default: "")
          try migration.addLink("home", to: "Person", target: "City")
          try migration.addLink("visited", to: "Person", target: "City", isList: true)
          try migration.add("name", to: "Person", default: "")
          try migration.add("tags", to: "Person", default: [String]())
          try migration.forEach("Town", in: contacts) { town in
            #expect(
              try town.value("isCapital", as: Bool?.self)
                == (try town.value("code") == "C3" ? true : nil))
            try migration.insert(into: "City") {
              try $0.set("code", to: try town.value("code", as: String.self))
              try $0.set("name", to: try town.value("name", as: String.self))
            }
          }
          // Those that were there are of the cities too.
          try migration.rewrite("Person") { old, new in
            let code = try old.value("city", as: String.self)
            try new.set("home", to: try migration.object(of: "City", id: code))
          }
          try migration.forEach("Contact", in: contacts) { contact in
            func city(_ town: MigrationObject) throws -> MigrationObject? {
              try migration.object(of: "City", id: try town.value("code", as: String.self))
            }
            try migration.insert(into: "Person") {
              try $0.set("id", to: 10_000 + (try contact.value("id", as: Int.self)))
              try $0.set("city", to: "")
              try $0.set("name", to: try contact.value("name", as: String.self))
              try $0.set("tags", to: try contact.value("tags", as: [String].self))
              try $0.set("home", to: try contact.object("home").flatMap(city))
              try $0.set("visited", to: try contact.objects("visited").compactMap(city))
            }
          }
          // What links to an object of the other store is found there.
          try migration.forEach("Town", in: contacts) { town in
            let number = Int(try town.value("code", as: String.self).dropFirst()) ?? 0
            #expect(
              try town.objects(of: "Contact", linkingBy: "home").map {
                try $0.value("id", as: Int.self)
              }
                == (0..<5000).filter { $0 % 9 == number && $0 % 5 != 0 })
          }
          try migration.forEach("Nobody", in: contacts) { _ in
            Issue.record("There is no such model.")
          }
          try migration.remove("city", of: "Person")
        }
      }
      let snapshot = store.snapshot()
      #expect(try snapshot.count(New.City.all) == 9)
      #expect(try snapshot.count(New.Person.all) == 8000)
      for person in try snapshot.fetch(New.Person.all) {
        let id = person.id - 10_000
        let expected =
          id < 0
          ? New.Person(
            id: person.id, name: "", tags: [], home: Link(id: "C\(person.id % 7)"), visited: [])
          : New.Person(
            id: person.id, name: "N\(id)", tags: ["t\(id % 3)", "u"],
            home: id % 5 == 0 ? nil : Link(id: "C\(id % 9)"),
            visited: Links(ids: (0..<id % 4).map { "C\((id + $0) % 9)" }))
        #expect(person == expected)
      }
      #expect(try store.verify() == [])
      #expect(try bytes(other) == before)
    }
  }

  @Test func whatIsWrongInAnotherStoreNamesItsObject() throws {
    try withStores { path, other in
      let before = try bytes(path)
      func failure(_ body: @escaping @Sendable (Migration, Store) throws -> Void)
        -> MigrationFailure?
      {
        let error = #expect(throws: StoreError.self) {
          _ = try Store(.file(path), models: Old.Person.self) {
            MigrationStep("in") { try body($0, try Store(.file(other))) }
          }
        }
        guard case .migrationFailed(let failure)? = error else { return nil }
        return failure
      }
      struct Unfit: Error, CustomStringConvertible { let description = "no more towns" }
      #expect(
        failure { migration, other in
          try migration.forEach("Town", in: other) {
            if try $0.value("code", as: String.self) == "C4" { throw Unfit() }
          }
        }
          == MigrationFailure(
            step: "in", model: "Town", id: "C4", field: nil, reason: "no more towns"))
      #expect(
        failure { migration, other in
          try migration.forEach("Town", in: other) { _ = try $0.value("name", as: Int.self) }
        }
          == MigrationFailure(
            step: "in", model: "Town", id: "C0", field: "name",
            reason: "It stores String, not Int."))
      #expect(
        failure { migration, other in
          try migration.addModel("Town", key: "code", String.self)
          try migration.addLink("town", to: "Person", target: "Town")
          try migration.forEach("Town", in: other) { town in
            try migration.rewrite("Person") { _, new in try new.set("town", to: town) }
          }
        }
          == MigrationFailure(
            step: "in", model: "Person", id: "0", field: "town",
            reason: "The Town is an object of another store. Insert one like it, and link to that.")
      )
      #expect(
        failure { migration, _ in _ = try migration.object(of: "Person", id: "7") }
          == MigrationFailure(
            step: "in", model: "Person", id: nil, field: "id", reason: "It stores Int, not String.")
      )
      #expect(try bytes(path) == before)
    }
  }

  @Test func jsonAndWhatAClosureReadsBecomeObjects() throws {
    struct City: Decodable {
      let code: String
      let name: String
    }
    let json = Data(#"[{"code": "C1", "name": "Aachen"}, {"code": "C2", "name": "Bonn"}]"#.utf8)
    try withStores { path, _ in
      let store = try Store(.file(path), models: New.City.self) {
        MigrationStep("cities") { migration in
          try migration.addModel("City", key: "code", String.self)
          try migration.add("name", to: "City", default: "")
          for city in try JSONDecoder().decode([City].self, from: json) {
            try migration.insert(into: "City") {
              try $0.set("code", to: city.code)
              try $0.set("name", to: city.name)
            }
          }
          try migration.addLink("home", to: "Person", target: "City")
          try migration.rewrite("Person") { old, new in
            let code = try old.value("city", as: String.self)
            let known = try migration.object(of: "City", id: code)
            let city =
              try known
              ?? migration.insert(into: "City") { try $0.set("code", to: code) }
            try new.set("home", to: city)
          }
          #expect(try migration.object(of: "City", id: "C9")?.model == nil)
          #expect(try migration.object(of: "Person", id: 3000)?.model == nil)
          #expect(try migration.object(of: "Person", id: 2999)?.value("city") == "C3")
          #expect(try migration.object(of: "Street", id: 1)?.model == nil)
        }
      }
      let cities = try store.snapshot().fetch(New.City.all.order(by: \.code))
      #expect(cities.map(\.code) == (0..<7).map { "C\($0)" })
      #expect(cities.map(\.name) == ["", "Aachen", "Bonn", "", "", "", ""])
      #expect(try store.verify() == [])
    }
  }
}
