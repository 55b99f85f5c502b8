import Roost
import RoostTestSupport
import Synchronization
import Testing

/// Names in the closures of steps.
extension MigrationTests {
  private enum Lengths {
    struct Book: Model {
      let id: String
      var title: String
      var length: Int?
      var spot: Old.Place
      static let schema = Schema(
        Book.init, Key("id", \.id), Field("title", \.title), Field("length", \.length),
        Field("spot", \.spot))
    }
  }

  @Test(
    arguments: [
      ("pages", "length"), ("place.zip", "spot.zip"), ("length", nil), ("spot.zip", nil),
    ] as [(String, String?)])
  func aNameThatTheStepHasReplacedIsNotReadAsNothing(name: String, newName: String?) throws {
    try withLibrary { path in
      let isText = name.hasSuffix("zip")
      let opened = Result { () throws(StoreError) in
        try Store(.file(path), models: Old.Author.self, Lengths.Book.self) {
          MigrationStep("lengths") {
            try $0.rename("pages", of: "Book", to: "length")
            try $0.rename("place", of: "Book", to: "spot")
            try $0.rewrite("Book") { old, _ in
              if isText {
                _ = try old.value(name, as: String?.self)
              } else {
                _ = try old.value(name, as: Int?.self)
              }
            }
          }
        }
      }
      guard let newName else {
        let count = try opened.get().snapshot().count(Lengths.Book.all)
        #expect(count == 5000)
        return
      }
      guard case .failure(.migrationFailed(let failure)) = opened else {
        Issue.record("\(opened)")
        return
      }
      #expect(failure.model == "Book" && failure.field == name)
      #expect(
        failure.reason
          == "The step has renamed it to \"\(newName)\" before. Read it by that name, or rename it afterwards."
      )
    }
  }

  @Test func aNameThatTheFileDoesNotHaveIsToldToTheLog() throws {
    try withLibrary { path in
      let lines = Mutex<[String]>([])
      var configuration = Configuration()
      configuration.log = { line in lines.withLock { $0.append(line) } }
      let store = try open(path, configuration) {
        MigrationStep("titles") {
          try $0.rewrite("Book") { old, new in
            try new.set("title", to: old.value("name", as: String?.self) ?? "none")
          }
        }
      }
      #expect(try store.snapshot().count(Old.Book.where { $0.title == "none" }) == 5000)
      #expect(
        lines.withLock { $0 } == [
          "The step \"titles\" names Book.name, which the file does not have: what it reads of it is nil, and what it "
            + "changes of it is left out. Correct the name if no release had it."
        ])
    }
  }
}
