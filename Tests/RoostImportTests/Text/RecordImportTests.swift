import Foundation
import Roost
import RoostImport
import Testing

/// Stores that are made of files with a class each.
@Suite struct RecordImportTests {
  static let forms = ["ndjson", "csv", "json"]

  private let files: TextFiles

  init() throws {
    files = try TextFiles(Texts.lines.merging(Texts.csv) { one, _ in one })
    for (name, text) in Texts.lines {
      // The same objects in an array.
      let objects = text.split(separator: "\n").joined(separator: ",\n")
      try files.write("[\(objects)]", to: name.replacingOccurrences(of: "ndjson", with: "json"))
    }
  }

  private func source(_ form: String) -> ImportSource {
    let urls = ["Person": files.url("Person.\(form)"), "Dog": files.url("Dog.\(form)")]
    return switch form {
    case "csv": .csv(urls, missingValues: ["NA"])
    case "ndjson": .ndjson(urls)
    default: .jsonArrays(urls)
    }
  }

  private func open(_ form: String) async throws -> Store {
    try await Store.open(
      .inMemory, models: Texts.Person.self, Texts.Dog.self, importing: source(form), Texts.all)
  }

  @Test func aStoreIsMadeAtATextThatIsNoLiteral() async throws {
    let path = files.url("made.roost").path
    let store = try await Store.open(
      path, models: Texts.Person.self, Texts.Dog.self, importing: source("csv"), Texts.all)
    #expect(store.location == .file(path))
  }

  @Test(arguments: forms)
  func theObjectsAreAsTheFilesHaveThem(form: String) async throws {
    let store = try await open(form)
    let people = try store.snapshot().fetch(Texts.Person.all.order(by: \.id))
    #expect(people == Texts.people)
    let dogs = try store.snapshot().fetch(Texts.Dog.all.order(by: \.id))
    #expect(dogs == Texts.dogs)
  }

  @Test(arguments: forms)
  func theReportCountsTheRecords(form: String) async throws {
    let report = try #require(try await open(form).importReport)
    #expect(report.isComplete)
    #expect(report.classes.map(\.className) == ["Person", "Dog"])
    #expect(report.classes.map(\.inSource) == [2, 2])
    #expect(report.classes.map(\.written) == [2, 2])
  }

  @Test(arguments: forms)
  func aStoreFollowsFilesThatChange(form: String) async throws {
    let store = try await open(form)
    let name = "Dog.\(form)"
    let text = try String(contentsOf: files.url(name), encoding: .utf8)
    let changed = text.replacingOccurrences(of: "12.340", with: "12.5")
    try files.write(changed, to: name)
    let differences = try await store.compare(with: source(form), Texts.all).differences
    #expect(differences.map(\.key) == ["Rex"])
    let changes = try await store.refresh(from: source(form), Texts.all)
    #expect(changes.models.map(\.updated) == [0, 1])
    let after = try await store.compare(with: source(form), Texts.all).count
    #expect(after == 0)
  }

  @Test func allFilesOfASourceAreRemoved() async throws {
    let store = try await open("csv")
    try files.write("id\n5\n", to: "Person.csv")
    #expect(throws: ImportError.changedSince(path: files.url("Dog.csv").path)) {
      try store.removeSource(source("csv"))
    }
    _ = try await store.refresh(from: source("csv")) { importer in
      importer.records("Person") {
        Texts.Person(
          id: try $0["id"], name: "", age: nil, height: nil, born: nil, tags: [], friend: nil,
          dogs: Links(ids: []))
      }
      importer.records("Dog") { Texts.Dog(id: try $0["id"], weight: 0) }
    }
    try store.removeSource(source("csv"))
    let names = try FileManager.default.contentsOfDirectory(atPath: files.folder.path)
    #expect(Set(names) == ["Person.ndjson", "Dog.ndjson", "Person.json", "Dog.json"])
  }

  @Test func eachFileMustBeThere() async throws {
    let missing = files.url("none.csv")
    await #expect(throws: ImportError.noSource(path: missing.path)) {
      _ = try await Store.open(
        .inMemory, models: Kept.self,
        importing: .csv(["A": files.url("Dog.csv"), "B": missing])
      ) { $0.records("A") { _ in Kept(id: 1) } }
    }
  }

  @Test func aClassThatIsNotThereIsAnErrorUnlessItMayBeMissing() async throws {
    let source = source("ndjson")
    await #expect(throws: TextRecordError.unknownClass("Cat", classes: ["Dog", "Person"])) {
      _ = try await Store.open(.inMemory, models: Kept.self, importing: source) {
        $0.records("Cat") { _ in Kept(id: 1) }
      }
    }
    let store = try await Store.open(.inMemory, models: Kept.self, importing: source) {
      $0.records("Cat", mayBeMissing: true) { _ in Kept(id: 1) }
      $0.ignore("Dog")
    }
    let report = try #require(try store.importReport)
    #expect(report.ignored.map(\.count) == [2])
    #expect(report.unnamed.map(\.className) == ["Person"])
  }

  @Test func aLinkToNoRecordSaysWhichOne() async throws {
    let files = try TextFiles(["Person.csv": "id,friend\n1,7\n"])
    await #expect(throws: StoreError.self) {
      _ = try await Store.open(
        .inMemory, models: Texts.Person.self, Texts.Dog.self,
        importing: .csv(["Person": files.url("Person.csv")])
      ) {
        $0.records("Person") {
          Texts.Person(
            id: try $0["id"], name: "", age: nil, height: nil, born: nil, tags: [],
            friend: try $0.link("friend"), dogs: Links(ids: []))
        }
      }
    }
  }

  @Test func recordsOfOneKeyAreAnErrorWithItsLine() async throws {
    let files = try TextFiles(["A.csv": "id\n1\n2\n1\n"])
    let url = files.url("A.csv")
    await #expect {
      _ = try await Store.open(.inMemory, models: Kept.self, importing: .csv(["A": url])) {
        $0.records("A") { Kept(id: try $0["id"]) }
      }
    } throws: { error in
      guard case .notStored("A", url.path, 4, .duplicateKey)? = error as? TextRecordError else {
        return false
      }
      return true
    }
  }
}
