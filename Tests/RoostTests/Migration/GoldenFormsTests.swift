import Foundation
import Roost
import RoostTestSupport
import Testing

/// A file with rare forms of what a file has, kept in Tests/FormatTests/golden: columns of fields that a program does not
/// name, one of a field that was removed and none of one that was added, an index whose separators have object keys, texts
/// with 32-bit offsets, and numbers that are NaN, whole floats, or missing everywhere.
///
/// `ROOST_GOLDEN_FORMS=FILE` in the environment makes it anew; an old one stays. That it has these forms is checked by
/// Scripts/check-format.
@Suite struct GoldenFormsTests {
  /// The program that knows all fields of a person.
  private enum Whole {
    struct Person: Model, Equatable {
      let id: Int
      var name: String
      var nickname: String?
      var stars: Int
      var height: Double
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("name", \.name),
        Field("nickname", \.nickname, .indexed),
        Field("stars", \.stars), Field("height", \.height, .default(1.75)))
    }
  }

  /// A program that knows none but the name.
  private enum Part {
    struct Person: Model, Equatable {
      let id: Int
      var name: String
      static let schema = Schema(Person.init, Key("id", \.id), Field("name", \.name))
    }
  }

  /// The newest program, in whose files nobody has stars.
  private enum Newest {
    struct Person: Model, Equatable {
      let id: Int
      var name: String
      var nickname: String?
      var height: Double
      var team: String
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("name", \.name),
        Field("nickname", \.nickname, .indexed),
        Field("height", \.height, .default(1.75)), Field("team", \.team, .default("none yet")))
    }
  }

  private struct Event: Model, Equatable {
    let id: Int
    var state: String?
    static let schema = Schema(Event.init, Key("id", \.id), Field("state", \.state, .indexed))

    init(id: Int, state: String?) {
      self.id = id
      self.state = state
    }

    init(_ id: Int) {
      self.init(id: id, state: id % 5 == 0 ? nil : id % 5 == 1 ? "open" : "done")
    }
  }

  private struct Page: Model, Equatable {
    let id: Int
    var text: String
    static let schema = Schema(Page.init, Key("id", \.id), Field("text", \.text))

    init(id: Int, text: String) {
      self.id = id
      self.text = text
    }

    init(_ id: Int, length: Int) {
      self.init(
        id: id, text: "\(id) " + String(repeating: ["a", "ß", "漢"][id % 3], count: length))
    }
  }

  private struct Measure: Model, Equatable {
    let id: Int
    var value: Double
    var whole: Float
    var missing: Int?
    static let schema = Schema(
      Measure.init, Key("id", \.id), Field("value", \.value), Field("whole", \.whole),
      Field("missing", \.missing))

    init(id: Int, value: Double, whole: Float, missing: Int?) {
      self.id = id
      self.value = value
      self.whole = whole
      self.missing = missing
    }

    init(_ id: Int) {
      self.init(
        id: id, value: id % 4 == 3 ? .nan : Double(id) / 8, whole: Float(id % 100), missing: nil)
    }
  }

  private static let removing = MigrationStep("people have no stars") {
    try $0.remove("stars", of: "Person")
  }

  private let people = 0..<200
  private let events = Array(0..<100) + Array(130..<30_000) + Array(40_000..<40_010)
  private let pages = 0..<300
  private let measures = 0..<64

  private func person(_ id: Int) -> Newest.Person {
    Newest.Person(
      id: id, name: "Person \(id)", nickname: id % 3 == 0 ? nil : "P\(id % 40)",
      height: 1.5 + Double(id) / 1000, team: "none yet")
  }

  private func write(_ path: String) throws {
    do {
      let store = try Store(
        .file(path), models: Whole.Person.self, Event.self, Page.self, Measure.self)
      try store.write { transaction in
        try transaction.insert(
          contentsOf: people.map(person).map {
            Whole.Person(
              id: $0.id, name: "?", nickname: $0.nickname, stars: $0.id % 6, height: $0.height)
          })
        try transaction.insert(contentsOf: (0..<30_000).map { Event($0) })
        try transaction.insert(contentsOf: pages.map { Page($0, length: 90) })
        try transaction.insert(contentsOf: measures.map { Measure($0) })
      }
      // Each text grows a little, and a leaf of them by so much that its offsets need 32 bits.
      try store.write { try $0.replaceAll(pages.map { Page($0, length: 125) }, of: Page.all) }
      try store.write { transaction in
        try transaction.delete(Event.self, ids: Array(100..<130))
        try transaction.insert(contentsOf: (40_000..<40_010).map { Event($0) })
      }
    }
    do {
      let store = try Store(.file(path), models: Part.Person.self)
      try store.write { transaction in
        for id in people { try transaction.update(Part.Person(id: id, name: "Person \(id)")) }
      }
    }
    _ = try Store(.file(path), models: Newest.Person.self) { Self.removing }
  }

  @Test func aFileWithRareFormsIsReadAsItWasWritten() throws {
    if let path = ProcessInfo.processInfo.environment["ROOST_GOLDEN_FORMS"] { try write(path) }
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("FormatTests/golden/format-1-forms.roost")
    var configuration = Configuration()
    configuration.isReadOnly = true
    let store = try Store(
      .file(golden.path), models: Newest.Person.self, Event.self, Page.self, Measure.self,
      configuration: configuration
    ) { Self.removing }
    #expect(try store.verify().isEmpty)
    let snapshot = store.snapshot()
    #expect(try snapshot.fetch(Newest.Person.all) == people.map(person))
    #expect(
      try snapshot.fetch(Newest.Person.where { $0.nickname == "P7" })
        == people.map(person).filter { $0.nickname == "P7" })
    #expect(try snapshot.fetch(Event.all) == events.map { Event($0) })
    for state in [nil, "open", "done"] {
      #expect(
        try snapshot.count(Event.where { $0.state == state })
          == events.count { Event($0).state == state })
    }
    #expect(try snapshot.fetch(Page.all) == pages.map { Page($0, length: 125) })

    for measure in try snapshot.fetch(Measure.all) {
      let expected = Measure(measure.id)
      #expect(measure.value == expected.value || measure.value.isNaN && expected.value.isNaN)
      #expect(measure.whole == expected.whole && measure.missing == nil)
    }
    #expect(try snapshot.count(Measure.all) == measures.count)

    // A program that names one field finds the others kept.
    let part = try Store(
      .file(golden.path), models: Part.Person.self, configuration: configuration
    ) { Self.removing }
    let kept = try part.keptFields.filter { $0.model == "Person" }
    #expect(kept.map(\.field) == ["nickname", "height", "team"])
    #expect(
      try part.snapshot().fetch(Part.Person.all)
        == people.map { Part.Person(id: $0, name: "Person \($0)") })
  }
}
