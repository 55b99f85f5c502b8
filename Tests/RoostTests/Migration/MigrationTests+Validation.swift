import Roost
import Testing

extension MigrationTests {
  @Test func allMistakesOfAPlanAreToldTogether() throws {
    let plan = MigrationPlan {
      MigrationStep("one") { try $0.rename("name", of: "Book", to: "titel") }
      MigrationStep("two") {
        try $0.remove("title", of: "Book")
        try $0.renameModel("Paper", to: "Bock")
      }
      MigrationStep("two") { _ in }
    }
    let error = #expect(throws: StoreError.self) {
      try plan.validate(models: Old.Author.self, Old.Book.self)
    }
    #expect(
      error
        == .planInvalid(
          step: "two",
          reason: "Two steps have this name. Give the newer one another. "
            + "Step \"one\": No model declares Book.titel, and no later step renames or removes it. Mend the "
            + "name, or remove the field in a later step. "
            + "Step \"two\": It removes Book.title, which the model declares. Remove the field from the model. "
            + "There is no model Bock, and no later step renames or removes it. Mend the name, "
            + "or remove the model in a later step."))
    let many = MigrationPlan {
      MigrationStep("many") { step in
        for number in 0..<30 { try step.rename("title", of: "Book", to: "t\(number)") }
      }
    }
    let bounded = #expect(throws: StoreError.self) {
      try many.validate(models: Old.Author.self, Old.Book.self)
    }
    guard case .planInvalid(_, let told)? = bounded else { return }
    #expect(
      told.hasSuffix(" And 10 more.") && told.contains("Book.t19,") && !told.contains("Book.t20,"))
  }
}
