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
        try Store(.file(path), models: Lengths.Book.self) {
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

  private enum Plain {
    struct Letter: Model {
      let id: Int
      var city: String
      var mail: String?
      static let schema = Schema(
        Letter.init, Key("id", \.id), Field("city", \.city), Field("mail", \.mail))
    }
  }
  private enum Moved {
    struct Letter: Model {
      let id: Int
      var to: Address
      static let schema = Schema(Letter.init, Key("id", \.id), Field("to", \.to))
    }
    struct Address: Embedded {
      var city: String
      var mail: String?
      static let fields = Fields(Address.init, Part("city", \.city), Part("mail", \.mail))
    }
  }
  private enum Home {
    struct Letter: Model {
      let id: Int
      var home: Moved.Address
      static let schema = Schema(Letter.init, Key("id", \.id), Field("home", \.home))
    }
  }
  private enum FormerlyTo {
    struct Letter: Model {
      let id: Int
      var home: Moved.Address
      static let schema = Schema(Letter.init, Key("id", \.id), Field("home", \.home, .was("to")))
    }
  }
  private enum Sold {
    struct Letter: Model {
      let id: Int
      var buyer: Buyer
      static let schema = Schema(Letter.init, Key("id", \.id), Field("buyer", \.buyer))
    }
    struct Buyer: Embedded {
      var name: String
      static let fields = Fields(Buyer.init, Part("name", \.name))
    }
  }

  /// What opening a file says that does not fit.
  private func refusal<M: Model>(_ path: String, _ model: M.Type) -> String {
    do throws(StoreError) {
      _ = try Store(.file(path), models: model)
      return "It fits."
    } catch { return error.message }
  }

  @Test func aFieldThatMovesIntoAStructIsToBeRenamedByAStep() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/letters.roost"
      do {
        let store = try Store(.file(path), models: Plain.Letter.self)
        try store.write { try $0.insert(Plain.Letter(id: 1, city: "Delft", mail: "a@b")) }
      }
      let message = refusal(path, Moved.Letter.self)
      #expect(
        message.contains("If Letter.to.city was called \"city\", rename it in a step, as below. If")
      )
      #expect(message.contains("try $0.rename(\"city\", of: \"Letter\", to: \"to.city\")"))
      let other = refusal(path, Sold.Letter.self)
      #expect(other.contains("If Letter.buyer.name was called \"city\" or \"mail\", rename it"))
      let lines = Mutex<[String]>([])
      var configuration = Configuration()
      configuration.log = { line in lines.withLock { $0.append(line) } }
      let store = try Store(.file(path), models: Moved.Letter.self, configuration: configuration) {
        MigrationStep("addresses") { try $0.rename("city", of: "Letter", to: "to.city") }
      }
      #expect(try store.snapshot().find(Moved.Letter.self, id: 1).to.city == "Delft")
      let notes = lines.withLock { $0 }
      #expect(notes.count == 1)
      #expect(notes[0].contains("`rename(\"mail\", of: \"Letter\", to: \"to.mail\")`."))
    }
  }

  @Test func aStructWithAnotherNameIsToBeRenamedAsAWhole() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/letters.roost"
      do {
        let store = try Store(.file(path), models: Moved.Letter.self)
        try store.write {
          try $0.insert(Moved.Letter(id: 1, to: Moved.Address(city: "Delft", mail: "a@b")))
        }
      }
      let message = refusal(path, Home.Letter.self)
      #expect(
        message.contains(
          "If the struct Letter.home was called \"to\", declare its field with `.was(\"to\")`"))
      let step =
        "try $0.rename(<#\"to\" or \"to.city\"#>, of: \"Letter\", to: <#\"home\" or \"home.city\"#>)"
      #expect(message.contains(step))
      let store = try Store(.file(path), models: FormerlyTo.Letter.self)
      let letter = try store.snapshot().find(FormerlyTo.Letter.self, id: 1)
      #expect(letter.home.city == "Delft" && letter.home.mail == "a@b")
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
            + "changes of it is left out. If no release had it, correct the name: for other files, since this one has run the step. "
            + "What it missed here, a further step can do."
        ])
    }
  }
}
