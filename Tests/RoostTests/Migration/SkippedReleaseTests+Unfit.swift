import Roost
import RoostTestSupport
import Testing

/// Files that do not fit the models after all steps: no step was run.
extension SkippedReleaseTests {
  /// Steps that leave the file unfit for the models: the first one changes every object.
  private func wrong(_ stepCount: Int) -> MigrationPlan {
    let steps = [
      MigrationStep("1") {
        try $0.rewrite("Person") { old, new in
          try new.set("home.city", to: old.value("home.city", as: String.self) + "!")
        }
      },
      MigrationStep("2") { try $0.add("note", to: "Person", default: "") },
      MigrationStep("3") { _ in },
    ]
    return MigrationPlan { for step in steps.prefix(stepCount) { step } }
  }

  @Test(arguments: [1, 2, 3], [0, 10])
  func anOpeningThatDoesNotFitRunsNoStep(_ stepCount: Int, keeps: Int) throws {
    try withFile(.first) { path in
      var configuration = Configuration()
      configuration.keepsBeforeMigration = keeps
      let plan = wrong(stepCount)
      let error = StoreError.migrationRequired([
        .otherType(model: "Person", field: "years", stored: "Int", declared: "String")
      ])
      for _ in 0..<2 {
        #expect(throws: error) {
          try Store(.file(path), models: V3.Person.self, configuration: configuration) { plan }
        }
      }
      do {
        let store = try Store(.file(path), models: V1.Person.self)
        #expect(try store.history == [] && store.versions == [] && store.keptFields == [])
        let people = try store.snapshot().fetch(V1.Person.all)
        #expect(people.count == Self.count)
        #expect(people.allSatisfy { $0.age == $0.id && $0.home.city == "C\($0.id % 3)" })
        #expect(try store.verify() == [])
        // The file is as good as any: keys, links and indexes are what they were.
        let last = try store.snapshot().find(V1.Person.self, id: Self.count - 1)
        try store.write { try $0.delete(V1.Person.self, id: last.id) }
        try store.write { try $0.insert(last) }
      }
      let store = try Store(.file(path), models: V3.Person.self, configuration: configuration) {
        MigrationStep("0") {
          try $0.convert("years", of: "Person", from: Int.self, to: String.self) { "\($0)" }
          try $0.rename("place", of: "Person", to: "home")
        }
        plan
      }
      let people = try store.snapshot().fetch(V3.Person.all)
      #expect(people.allSatisfy { $0.years == "\($0.id)" && $0.place.town == "C\($0.id % 3)!" })
      #expect(try store.history.count == stepCount + 1)
      #expect(try store.versions.count == (keeps > 0 ? 1 : 0))
      #expect(try store.verify() == [])
    }
  }

  @Test func anOpeningThatFindsObjectsWithoutAValueRunsNoStep() throws {
    struct Person: Model {
      let id: Int
      var friend: Link<Person>
      static let schema = Schema(Person.init, Key("id", \.id), Field("friend", \.friend))
    }
    try withFile(.first) { path in
      let plan = wrong(3)
      #expect(
        throws: StoreError.migrationRequired([
          .missingValues(
            model: "Person", field: "friend", objects: 1, declared: "Link<Person>")
        ])
      ) { try Store(.file(path), models: Person.self) { plan } }
      let store = try Store(.file(path), models: V1.Person.self)
      #expect(try store.history == [] && store.versions == [])
    }
  }

  @Test func anOpeningThatFindsValuesThatAreNotUniqueRunsNoStep() throws {
    struct Person: Model {
      let id: Int
      var age: Int
      var home: V1.Place
      var friend: Link<Person>?
      var note: String
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("age", \.age, .unique), Field("home", \.home),
        Field("friend", \.friend), Field("note", \.note))
    }
    try withFile(.first) { path in
      let plan = MigrationPlan {
        wrong(2)
        MigrationStep("all of an age") {
          try $0.rewrite("Person") { _, new in try new.set("age", to: 7) }
        }
      }
      let error = StoreError.migrationRequired([
        .duplicateValues(model: "Person", field: "age", value: "7")
      ])
      for _ in 0..<2 {
        #expect(throws: error) { try Store(.file(path), models: Person.self) { plan } }
      }
      let store = try Store(.file(path), models: V1.Person.self)
      #expect(try store.history == [] && store.versions == [])
    }
  }

  @Test func aStepThatFailsLeavesTheStepsBeforeIt() throws {
    struct Stop: Error {}
    try withFile(.first) { path in
      let plan = wrong(2)
      #expect(throws: StoreError.self) {
        try Store(.file(path), models: V1.Person.self) {
          plan
          MigrationStep("stop") { _ in throw Stop() }
        }
      }
      let store = try Store(.file(path), models: V1.Person.self) { plan }
      #expect(try store.history.map(\.name) == ["1", "2"])
      #expect(try store.versions.map(\.name) == ["before 1"])
    }
  }
}
