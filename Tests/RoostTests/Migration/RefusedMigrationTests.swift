import Foundation
import Roost
import RoostTestSupport
import Testing

/// What keeps a file from being migrated: each case by its whole error, after which the file is as it was.
@Suite struct RefusedMigrationTests {
  enum Old {
    struct Person: Model {
      let id: Int
      var name: String
      var age: Int?
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("name", \.name), Field("age", \.age))
    }
  }
  enum Retyped {
    struct Person: Model {
      let id: Int
      var name: Int
      static let schema = Schema(Person.init, Key("id", \.id), Field("name", \.name))
    }
  }
  enum Demanding {
    struct Person: Model {
      let id: Int
      var name: String
      var age: Int
      var email: String
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("name", \.name), Field("age", \.age),
        Field("email", \.email))
    }
  }
  enum Grown {
    struct Person: Model {
      let id: Int
      var name: String
      var stars: Int
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("name", \.name), Field("stars", \.stars, .default(0)))
    }
  }

  enum Titled {
    struct Person: Model {
      let id: Int
      var title: String
      static let schema = Schema(Person.init, Key("id", \.id), Field("title", \.title))
    }
  }

  /// Sees that opening a file throws an error, twice, and leaves its bytes and its directory.
  private func expect(
    _ error: (_ path: String) -> StoreError,
    _ open: (String) throws -> Store
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      do {
        let store = try Store(.file(path), models: Old.Person.self) {
          MigrationStep("2026-01") { _ in }
        }
        try store.write { tx in
          for id in 0..<3000 {
            try tx.insert(Old.Person(id: id, name: "N\(id)", age: id % 3 == 0 ? nil : id))
          }
        }
      }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      for _ in 0..<2 { #expect(throws: error(path)) { try open(path) } }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["people.roost"])
    }
  }

  @Test func namesOfAStepThatTheFileDoesNotHave() throws {
    let error = StoreError.migrationRequired([
      .missingField(
        model: "Person", field: "title", declared: "String", undeclared: ["name"], others: [:]),
      .unknownName("Person.nmae", step: "titles"), .unknownName("Pets", step: "titles"),
    ])
    try expect({ _ in error }) {
      try Store(.file($0), models: Titled.Person.self) {
        MigrationStep("2026-01") { _ in }
        MigrationStep("titles") {
          try $0.rename("nmae", of: "Person", to: "title")
          try $0.forEach("Pets") { _ in }
        }
      }
    }
    #expect(
      error.message.contains(
        "The step \"titles\" names Person.nmae, which the file does not have: it did nothing there."
      )
    )
  }

  @Test func aStepThatTheProgramDoesNotKnow() throws {
    try expect({ .fileIsNewer(path: $0, features: [], unknownSteps: ["2026-01"]) }) {
      try Store(.file($0), models: Old.Person.self)
    }
    // A program that has steps of its own does not run them, and needs no rights to be refused.
    for mayWrite in [true, false] {
      try expect({ .fileIsNewer(path: $0, features: [], unknownSteps: ["2026-01"]) }) { path in
        var configuration = Configuration()
        configuration.isReadOnly = !mayWrite
        return try Store(.file(path), models: Old.Person.self, configuration: configuration) {
          MigrationStep("2025-12") { _ in Issue.record("The step was run.") }
        }
      }
    }
  }

  @Test func aTypeThatDiffers() throws {
    try expect({ _ in
      .migrationRequired([
        .otherType(model: "Person", field: "name", stored: "String", declared: "Int")
      ])
    }) {
      try Store(.file($0), models: Retyped.Person.self) { MigrationStep("2026-01") { _ in } }
    }
  }

  @Test func aStepThatIsMissing() throws {
    // Fields and values that are missing are told in one error.
    try expect({ _ in
      .migrationRequired([
        .missingField(
          model: "Person", field: "email", declared: "String", undeclared: [], others: [:]),
        .missingValues(model: "Person", field: "age", objects: 1000, declared: "Int"),
      ])
    }) {
      try Store(.file($0), models: Demanding.Person.self) { MigrationStep("2026-01") { _ in } }
    }
    // With the field there, the values that are not are found.
    try expect({ _ in
      .migrationRequired([
        .missingValues(model: "Person", field: "age", objects: 1000, declared: "Int")
      ])
    }) { path in
      try Store(.file(path), models: Old.Person.self) {
        MigrationStep("2026-01") { _ in }
      }.close()
      struct Person: Model {
        let id: Int
        var name: String
        var age: Int
        static let schema = Schema(
          Person.init, Key("id", \.id), Field("name", \.name), Field("age", \.age))
      }
      return try Store(.file(path), models: Person.self) { MigrationStep("2026-01") { _ in } }
    }
  }

  @Test func aFileThatMayNotBeWritten() throws {
    for isReadOnly in [true, false] {
      var configuration = Configuration()
      configuration.isReadOnly = isReadOnly
      configuration.migrates = isReadOnly
      try expect({ _ in .migrationRequired([.pendingStep("2026-02")]) }) { path in
        try Store(.file(path), models: Old.Person.self, configuration: configuration) {
          MigrationStep("2026-01") { _ in }
          MigrationStep("2026-02") { _ in Issue.record("The step was run.") }
        }
      }
      try expect({ _ in
        .migrationRequired([.pendingChange(model: "Person", field: "stars")])
      }) { path in
        try Store(.file(path), models: Grown.Person.self, configuration: configuration) {
          MigrationStep("2026-01") { _ in }
        }
      }
    }
  }

  @Test func aPlanThatNamesNothing() throws {
    let plan = MigrationPlan {
      MigrationStep("2026-01") { _ in }
      MigrationStep("2026-02") { try $0.rename("nmae", of: "Person", to: "fullName") }
    }
    #expect(
      throws: StoreError.planInvalid(
        step: "2026-02",
        reason:
          "No model declares Person.fullName, and no later step renames or removes it. Mend the "
          + "name, or remove the field in a later step.")
    ) { try plan.validate(models: Old.Person.self) }
    // Two steps of a name would be found in a file, too.
    try expect({ _ in
      .planInvalid(
        step: "2026-01", reason: "Two steps have this name. Give the newer one another.")
    }) { path in
      try Store(.file(path), models: Old.Person.self) {
        MigrationStep("2026-01") { _ in }
        MigrationStep("2026-01") { _ in Issue.record("The step was run.") }
      }
    }
  }

  @Test func aStepThatFails() throws {
    struct Unfit: Error, CustomStringConvertible { let description = "no such person" }
    try expect({ _ in
      .migrationFailed(
        MigrationFailure(
          step: "2026-02", model: "Person", id: "2999", field: nil, reason: "no such person"))
    }) { path in
      try Store(.file(path), models: Old.Person.self) {
        MigrationStep("2026-01") { _ in }
        MigrationStep("2026-02") {
          try $0.remove("age", of: "Person")
          try $0.rewrite("Person") { old, new in
            if try old.value("id", as: Int.self) == 2999 { throw Unfit() }
            try new.set("name", to: "")
          }
        }
      }
    }
  }
}
