import Roost
import RoostTestSupport
import Testing

/// Steps that make a link of a value.
@Suite struct LinkStepTests {
  private enum Old {
    struct Show: Model {
      let id: Int
      var host: String
      static let schema = Schema(Show.init, Key("id", \.id), Field("host", \.host))
    }
  }
  private enum New {
    struct Host: Model {
      let id: String
      static let schema = Schema(Host.init, Key("id", \.id))
    }
    struct Show: Model {
      let id: Int
      var host: Link<Host>
      static let schema = Schema(Show.init, Key("id", \.id), Field("host", \.host))
    }
  }
  private enum Listing {
    struct Show: Model {
      let id: Int
      var host: Links<New.Host>
      static let schema = Schema(Show.init, Key("id", \.id), Field("host", \.host))
    }
  }

  private func withShows(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/shows.roost"
      do {
        let store = try Store(.file(path), models: Old.Show.self)
        try store.write { tx in
          for id in 0..<3000 { try tx.insert(Old.Show(id: id, host: "H\(id % 7)")) }
        }
      }
      try body(path)
    }
  }

  private static let hosts = MigrationStep("hosts") { migration in
    try migration.addModel("Host", key: "id", String.self)
    try migration.rename("host", of: "Show", to: "hostName")
    try migration.addLink("host", to: "Show", target: "Host")
    try migration.rewrite("Show") { old, new in
      let name = try old.value("hostName", as: String.self)
      let known = try migration.object(of: "Host", id: name)
      try new.set(
        "host", to: known ?? migration.insert(into: "Host") { try $0.set("id", to: name) })
    }
    try migration.remove("hostName", of: "Show")
  }

  private static let laterSteps = [
    MigrationStep("later") { _ in },
    MigrationStep("required") { try $0.makeRequired("host", of: "Show", default: "H0") },
  ]

  @Test(arguments: 0...2)
  func aModelMayRequireTheLinkThatAStepAdded(later: Int) throws {
    try withShows { path in
      let store = try Store(.file(path), models: New.Show.self, New.Host.self) {
        Self.hosts
        for step in Self.laterSteps.prefix(later) { step }
      }
      let shows = try store.snapshot().fetch(New.Show.all)
      #expect(shows.count == 3000)
      #expect(shows.allSatisfy { $0.host.id == "H\($0.id % 7)" })
      // As if it had always been required.
      #expect(throws: StoreError.self) {
        try store.write { try $0.delete(New.Host.self, id: "H3") }
      }
      #expect(try store.verify() == [])
    }
  }

  @Test func aLinkIsNotAddedInPlaceOfAnotherField() throws {
    try withShows { path in
      #expect {
        try Store(.file(path), models: New.Show.self, New.Host.self) {
          MigrationStep("hosts") {
            try $0.addModel("Host", key: "id", String.self)
            try $0.addLink("host", to: "Show", target: "Host")
          }
        }
      } throws: {
        "\($0)".contains("It is there, and is no link: rename it before, or remove it.")
      }
      let store = try Store(.file(path), models: Old.Show.self)
      #expect(try store.history == [])
    }
  }

  @Test func whereAValueBecameALinkTheErrorShowsTheStepThatFollowsIt() throws {
    try withShows { path in
      func message(_ open: () throws -> Store) -> String {
        do {
          _ = try open()
          return "opened"
        } catch { return "\(error)" }
      }
      let one = message { try Store(.file(path), models: New.Show.self, New.Host.self) }
      #expect(
        one.contains(
          """
          // Before it, `addModel` adds Host, if that is new.
          MigrationStep("Show.host becomes Link<Host>") { migration in
            try migration.rename("host", of: "Show", to: "<#old host#>")
            try migration.addLink("host", to: "Show", target: "Host")
            try migration.rewrite("Show") { old, new in
              try new.set("host", to: <#Host found by `migration.object(of:id:)`#>)
            }
            try migration.remove("<#old host#>", of: "Show")
          }
          """))
      let list = message { try Store(.file(path), models: Listing.Show.self, New.Host.self) }
      #expect(list.contains("target: \"Host\", isList: true)"))
      #expect(list.contains("to: <#[Host] found by `migration.object(of:id:)`#>)"))
    }
  }

  private enum Partnered {
    struct Show: Model {
      let id: Int
      var host: String
      var rival: Link<Show>
      static let schema = Schema(
        Show.init, Key("id", \.id), Field("host", \.host), Field("rival", \.rival))
    }
  }

  @Test func aNewLinkThatIsRequiredHasAStepThatAddsALink() throws {
    try withShows { path in
      let error = #expect(throws: StoreError.self) {
        try Store(.file(path), models: Partnered.Show.self)
      }
      #expect(
        "\(try #require(error))".contains(
          """
          MigrationStep("add Show.rival") { migration in
            try migration.addLink("rival", to: "Show", target: "Show")
            try migration.rewrite("Show") { old, new in
              try new.set("rival", to: <#Show found by `migration.object(of:id:)`#>)
            }
          }
          """), "\(String(describing: error))")
      let store = try Store(.file(path), models: Partnered.Show.self) {
        MigrationStep("add Show.rival") { migration in
          try migration.addLink("rival", to: "Show", target: "Show")
          try migration.rewrite("Show") { old, new in
            try new.set("rival", to: migration.object(of: "Show", id: 5))
          }
        }
      }
      #expect(try store.snapshot().count(Partnered.Show.where { $0.rival.id == 5 }) == 3000)
    }
  }
}
