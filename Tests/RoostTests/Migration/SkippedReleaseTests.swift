import Roost
import RoostTestSupport
import Testing

/// Files that skipped the release with `.was`, and meet a step of a later release that uses the new name.
@Suite struct SkippedReleaseTests {
  enum Release: CaseIterable {
    /// Without `.was`.
    case first
    /// With `.was`, and without a step.
    case second
  }

  enum V1 {
    struct Person: Model {
      let id: Int
      var age: Int
      var home: Place
      var friend: Link<Person>?
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("age", \.age), Field("home", \.home),
        Field("friend", \.friend))
    }
    struct Place: Embedded {
      var city: String
      static let fields = Fields(Place.init, Part("city", \.city))
    }
  }
  enum V2 {
    struct Person: Model {
      let id: Int
      var years: Int
      var place: Place
      var mate: Link<Person>?
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("years", \.years, .was("age")),
        Field("place", \.place, .was("home")), Field("mate", \.mate, .was("friend")))
    }
    struct Place: Embedded {
      var town: String
      static let fields = Fields(Place.init, Part("town", \.town, .was("city")))
    }
  }
  enum V3 {
    struct Person: Model {
      let id: Int
      var years: String
      var place: V2.Place
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("years", \.years, .was("age")),
        Field("place", \.place, .was("home")))
    }
  }
  enum V4 {
    struct Human: Model {
      let id: Int
      var life: String
      static let schema = Schema(
        Human.init, Key("id", \.id), Field("life", \.life, .was("age"), .was("years")))
    }
  }

  static let count = 5000

  /// A file of a release, with objects in several leaves.
  func withFile(_ release: Release, _ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      do {
        let store = try Store(.file(path), models: V1.Person.self)
        try store.write { transaction in
          for id in 0..<Self.count {
            let home = V1.Place(city: "C\(id % 3)")
            let friend: Link<V1.Person>? = id == 0 ? nil : Link(id: id - 1)
            try transaction.insert(V1.Person(id: id, age: id, home: home, friend: friend))
          }
        }
      }
      if release == .second { _ = try Store(.file(path), models: V2.Person.self) }
      try body(path)
    }
  }

  private func expectTexts(_ store: Store, _ text: (Int) -> String = { "\($0)" }) throws {
    let people = try store.snapshot().fetch(V3.Person.all)
    #expect(people.count == Self.count)
    #expect(people.allSatisfy { $0.years == text($0.id) && $0.place.town == "C\($0.id % 3)" })
    #expect(try store.verify() == [])
  }

  @Test(arguments: Release.allCases)
  func aFieldIsConvertedByItsNewName(_ release: Release) throws {
    try withFile(release) { path in
      let plan = MigrationPlan {
        MigrationStep("v3 years is text") {
          try $0.convert("years", of: "Person", from: Int.self, to: String.self) { "\($0)" }
        }
      }
      try plan.validate(models: V3.Person.self)
      let store = try Store(.file(path), models: V3.Person.self) { plan }
      try expectTexts(store)
      #expect(try store.history.map(\.name) == ["v3 years is text"])
    }
  }

  @Test(arguments: Release.allCases)
  func objectsAreRewrittenByNewNames(_ release: Release) throws {
    try withFile(release) { path in
      let store = try Store(.file(path), models: V2.Person.self) {
        MigrationStep("double") {
          try $0.rewrite("Person") { old, new in
            let mates =
              try [old.object("mate")].compactMap(\.self)
              + old.objects(of: "Person", linkingBy: "mate")
            let sum = try mates.reduce(0) { try $0 + $1.value("years", as: Int.self) }
            try new.set("place.town", to: "T\(sum)")
          }
          try $0.rewrite("Person") { old, new in
            try new.set("years", to: 2 * old.value("years", as: Int.self))
          }
        }
      }
      let people = try store.snapshot().fetch(V2.Person.all)
      #expect(people.count == Self.count)
      for person in people {
        let id = person.id
        let sum = max(0, id - 1) + (id + 1 < Self.count ? id + 1 : 0)
        #expect(person.years == 2 * id && person.place.town == "T\(sum)")
        #expect(person.mate?.id == (id == 0 ? nil : id - 1))
      }
      #expect(try store.verify() == [])
    }
  }

  /// An operation that names a field, and the field's name afterwards.
  enum Operation: CaseIterable {
    case rename, copy, makeOptional, makeUnique, changeKey, insert, structRename, existing

    func run(_ migration: Migration) throws {
      switch self {
      case .rename: try migration.rename("years", of: "Person", to: "life")
      case .copy: try migration.copy("years", of: "Person", to: "life")
      case .makeOptional: try migration.makeOptional("years", of: "Person")
      case .makeUnique: try migration.makeUnique("years", of: "Person")
      case .changeKey: try migration.changeKey(of: "Person", to: "years")
      case .insert:
        try migration.insert(into: "Person") {
          try $0.set("id", to: -1)
          try $0.set("years", to: 77)
          try $0.set("place.town", to: "T")
        }
      case .structRename:
        try migration.rename("place", of: "Person", to: "spot")
        try migration.rename("spot", of: "Person", to: "place")
      case .existing: try migration.add("years", to: "Person", default: 5)
      }
    }
  }

  @Test(arguments: Operation.allCases)
  func everyOperationFindsAFieldByItsNewName(_ operation: Operation) throws {
    func change(_ release: Release) throws -> [SchemaChange] {
      var changes: [SchemaChange] = []
      try withFile(release) { path in
        // The plan ends where the models are, whatever the operation leaves.
        let report = try Store.dryRun(at: .file(path), models: V2.Person.self) {
          MigrationStep("operation") { try operation.run($0) }
          MigrationStep("back") {
            switch operation {
            case .rename: try $0.rename("life", of: "Person", to: "years")
            case .copy: try $0.remove("life", of: "Person")
            case .makeOptional: try $0.makeRequired("years", of: "Person", default: 0)
            case .changeKey: try $0.changeKey(of: "Person", to: "id")
            default: break
            }
          }
        }
        #expect(report.parts.map(\.step).prefix(2) == ["operation", "back"])
        changes = report.parts[0].changes
        let objects = report.parts[0].objects
        #expect(objects.map(\.inserted) == (operation == .insert ? [1] : objects.map { _ in 0 }))
      }
      return changes
    }
    let older = try change(.first)
    let newer = try change(.second)
    let renamed: Set<SchemaChange> = [
      .fieldRenamed(model: "Person", field: "age", to: "years"),
      .fieldRenamed(model: "Person", field: "age", to: "life"),
      .fieldRenamed(model: "Person", field: "years", to: "life"),
      .fieldRenamed(model: "Person", field: "home.city", to: "place.town"),
    ]
    #expect(Set(older).subtracting(renamed) == Set(newer).subtracting(renamed))
    #expect(!renamed.isDisjoint(with: older))
  }

  @Test(arguments: Release.allCases)
  func laterStepsTellWhichFieldOfTheModelsANameBelongsTo(_ release: Release) throws {
    try withFile(release) { path in
      let plan = MigrationPlan {
        MigrationStep("text") {
          try $0.convert("years", of: "Person", from: Int.self, to: String.self) { "\($0)" }
        }
        MigrationStep("life") { try $0.rename("years", of: "Person", to: "life") }
        MigrationStep("human") { try $0.renameModel("Person", to: "Human") }
      }
      try plan.validate(models: V4.Human.self)
      let store = try Store(.file(path), models: V4.Human.self) { plan }
      let people = try store.snapshot().fetch(V4.Human.all)
      #expect(people.count == Self.count && people.allSatisfy { $0.life == "\($0.id)" })
      #expect(try store.versions.map(\.name) == ["before text"])
    }
    // By `.was` alone: one release had the first name, another the second.
    try withFile(release) { path in
      let plan = MigrationPlan {
        MigrationStep("human") { try $0.renameModel("Person", to: "Human") }
        MigrationStep("text") {
          try $0.convert("years", of: "Human", from: Int.self, to: String.self) { "\($0)" }
        }
      }
      try plan.validate(models: V4.Human.self)
      let store = try Store(.file(path), models: V4.Human.self) { plan }
      let people = try store.snapshot().fetch(V4.Human.all)
      #expect(people.count == Self.count && people.allSatisfy { $0.life == "\($0.id)" })
    }
  }

  @Test(arguments: Release.allCases)
  func aStepMayUseTheOlderName(_ release: Release) throws {
    try withFile(release) { path in
      let plan = MigrationPlan {
        MigrationStep("text") {
          try $0.convert("age", of: "Person", from: Int.self, to: String.self) { "\($0)" }
        }
      }
      try plan.validate(models: V3.Person.self)
      try expectTexts(try Store(.file(path), models: V3.Person.self) { plan })
    }
  }

  @Test func aFieldThatALaterStepRemovesIsNotMistakenForOneThatHasItsNameSince() throws {
    try withFile(.first) { path in
      // In another file there was a field "years" before "age" took that name.
      let store = try Store(.file(path), models: V2.Person.self) {
        MigrationStep("text") {
          try $0.convert("years", of: "Person", from: Int.self, to: String.self) { "\($0)" }
        }
        MigrationStep("gone") { try $0.remove("years", of: "Person") }
      }
      let people = try store.snapshot().fetch(V2.Person.all)
      #expect(people.count == Self.count && people.allSatisfy { $0.years == $0.id })
    }
  }

  @Test func aFieldOfTheNewNameIsNeverReplaced() throws {
    struct Person: Model {
      let id: Int
      var age: Int
      var years: Int
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("age", \.age), Field("years", \.years, .default(-1)))
    }
    try withFile(.first) { path in
      _ = try Store(.file(path), models: Person.self)
      let store = try Store(.file(path), models: V2.Person.self) {
        MigrationStep("add") {
          try $0.convert("years", of: "Person", from: Int.self, to: Int.self) { $0 - 1 }
        }
      }
      let people = try store.snapshot().fetch(V2.Person.all)
      #expect(people.allSatisfy { $0.years == -2 })
      #expect(try store.keptFields.contains { $0.field == "age" })
    }
  }
}
