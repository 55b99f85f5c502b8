import Roost

/// People of a first release in Roost. The second release's models name what it asks for; what they do not is kept.
final class RoostMigratingPeople: MigratingPeople {
  private let store: Store

  init(migrating path: String, by change: PeopleMigration) throws {
    func open<M: Model>(
      _ model: M.Type, @MigrationPlanBuilder _ steps: () -> [MigrationStep] = { [] }
    ) throws -> Store {
      try Store(.file(path), models: model, Group.self, migrations: steps)
    }
    store =
      switch change {
      case .add: try open(Added.Person.self)
      case .rename:
        try open(Renamed.Person.self) {
          MigrationStep("email becomes mail") { try $0.rename("email", of: "Person", to: "mail") }
        }
      case .drop:
        try open(Named.Person.self) {
          MigrationStep("no score") { try $0.remove("score", of: "Person") }
        }
      case .dropIndexed:
        try open(Aged.Person.self) {
          MigrationStep("no name") { try $0.remove("name", of: "Person") }
        }
      case .convert:
        try open(Converted.Person.self) {
          MigrationStep("age is a text") {
            try $0.convert("age", of: "Person", from: Int.self, to: String.self) { "\($0)" }
          }
        }
      case .split:
        try open(Split.Person.self) {
          MigrationStep("first and last names") { step in
            try step.add("first", to: "Person", default: "")
            try step.add("last", to: "Person", default: "")
            try step.rewrite("Person") { old, new in
              let name = try old.value("name", as: String.self)
              guard let space = name.utf8.firstIndex(of: UInt8(ascii: " ")) else { return }
              try new.set("first", to: String(name[..<space]))
              try new.set("last", to: String(name[name.index(after: space)...]))
            }
            try step.remove("name", of: "Person")
          }
        }
      }
  }

  func answer(after change: PeopleMigration) throws -> Answer {
    func count<M: Model>(_ all: Query<M>, _ found: Query<M>) throws -> Answer {
      try store.read { Answer(try $0.count(all), try $0.count(found)) }
    }
    return switch change {
    case .add: try count(Added.Person.all, Added.Person.where { $0.nickname == "none" })
    case .rename:
      try count(Renamed.Person.all, Renamed.Person.where { $0.mail.contains("@mail42.") })
    case .drop: try count(Named.Person.all, Named.Person.where { $0.name.contains("ann") })
    case .dropIndexed: try count(Aged.Person.all, Aged.Person.where { $0.age == 42 })
    case .convert: try count(Converted.Person.all, Converted.Person.where { $0.age == "42" })
    case .split:
      try count(
        Split.Person.all, Split.Person.where { $0.first.contains("ann") && $0.last.contains("el") })
    }
  }

  func close() { store.close() }

  private enum Added {
    struct Person: Model {
      let id: Int
      var nickname: String
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("nickname", \.nickname, .default("none")))
    }
  }

  private enum Renamed {
    struct Person: Model {
      let id: Int
      var mail: String
      static let schema = Schema(Person.init, Key("id", \.id), Field("mail", \.mail))
    }
  }

  private enum Named {
    struct Person: Model {
      let id: Int
      var name: String
      static let schema = Schema(Person.init, Key("id", \.id), Field("name", \.name, .indexed))
    }
  }

  private enum Aged {
    struct Person: Model {
      let id: Int
      var age: Int
      static let schema = Schema(Person.init, Key("id", \.id), Field("age", \.age))
    }
  }

  private enum Converted {
    struct Person: Model {
      let id: Int
      var age: String
      static let schema = Schema(Person.init, Key("id", \.id), Field("age", \.age))
    }
  }

  private enum Split {
    struct Person: Model {
      let id: Int
      var first: String
      var last: String
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("first", \.first), Field("last", \.last))
    }
  }
}
