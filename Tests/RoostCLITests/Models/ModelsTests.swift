#if Tool
import Foundation
import Roost
import RoostDynamic
import RoostImport
import RoostImportSQLite
import RoostTestSupport
import Testing

/// The models that the tool prints. Files of this folder have them too, so that they are compiled, and used here.
@Suite struct ModelsTests {
  private let tool = ToolTests()

  /// The text of a file with printed models.
  private func printed(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  private func version(_ path: String) throws -> UInt64 {
    try DynamicStore(path).snapshot().version
  }

  @Test func theModelsOfAStoreAreThoseOfItsProgram() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/shop.roost"
      try Origin.fill(path)
      let run = try tool.roost("models", path, "--in", "Shop", "--enum", "Customer.mood")
      #expect(run == ToolTests.Run(output: try printed("Shop.swift"), complaint: "", code: 0))
    }
  }

  @Test func aStoreThatPrintedModelsOpenStaysAsItWas() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/shop.roost"
      try Origin.fill(path)
      let (before, dump) = (try version(path), try tool.roost("dump", path))
      let store = try Shop.openStore(path)
      // What the models say else than the file, opening writes.
      #expect(try DynamicStore(store).snapshot().version == before)
      let inverse = Shop.Customer.ordersByCustomer(of: 3)
      #expect(try store.snapshot().fetch(inverse).map(\.number) == [3])
      let sent = Shop.Order.where { $0.delivery.kind == Shop.Delivery.Kind(rawValue: "sent") }
      #expect(try store.snapshot().count(sent) == 1)
      store.close()
      #expect(try tool.roost("dump", path) == dump)
    }
  }

  @Test func whatPrintedModelsReadTheyWriteAgain() throws {
    try withTemporaryDirectory { directory in
      let (path, copied) = (directory + "/shop.roost", directory + "/copy.roost")
      try Origin.fill(path)
      let dump = try tool.roost("dump", path)
      let source = try Shop.openStore(path)
      let copy = try Shop.openStore(copied)
      let snapshot = source.snapshot()
      try copy.write { transaction in
        try transaction.insert(contentsOf: snapshot.fetch(Shop.Customer.all))
        for var product in try snapshot.fetch(Shop.Product.all) {
          let film = try snapshot.blob(\Shop.Product.film, of: product.id)
          product.film = Blob(try film.read(0..<film.count))
          try transaction.insert(product)
        }
        try transaction.insert(contentsOf: snapshot.fetch(Shop.Seat.all))
        try transaction.insert(contentsOf: snapshot.fetch(Shop.Order.all))
        let settings = try #require(try snapshot.value("settings", as: Shop.Settings.self))
        try transaction.setValue("settings", to: settings)
        let visit = try #require(try snapshot.value("last visit", as: Date.self))
        try transaction.setValue("last visit", to: visit)
      }
      source.close()
      copy.close()
      #expect(try tool.roost("dump", copied) == dump)
      let again = try tool.roost("models", copied, "--in", "Shop", "--enum", "Customer.mood")
      let text = try printed("Shop.swift").replacing("shop.roost", with: "copy.roost")
      #expect(again.output == text)
    }
  }

  @Test func printedModelsHaveTheStepsThatWereRunInTheFile() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/shop.roost"
      try Origin.fill(path)
      do {
        let store = try Store(path, models: Shop.Seat.self) {
          MigrationStep("1: \"seats\"") { _ in }
          MigrationStep("2: nothing", .compatible) { _ in }
        }
        store.close()
      }
      #expect(throws: StoreError.self) { try Shop.openStore(path) }
      let run = try tool.roost("models", path, "--in", "Shop")
      let plan = [
        "{", "      // Run in this file already. For other files, write what it does.",
        #"      MigrationStep("1: \"seats\"") { _ in }"#, "    }", "  }", "",
      ]
      #expect(run.output.contains(plan.joined(separator: "\n")))
      let check = try TypeCheck(run.output)
      #expect(check.errors == [:], "\(check.output)")
    }
  }

  @Test func theModelsOfEveryGoldenFileCompile() throws {
    let folder = TypeCheck.repository.appendingPathComponent("Tests/FormatTests/golden").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .filter { $0.hasSuffix(".roost") }
    #expect(files.count > 20)
    var program = ""
    for (number, file) in files.enumerated() {
      try withTemporaryDirectory { directory in
        // One that is open in another test would be locked.
        let path = directory + "/" + file
        try FileManager.default.copyItem(atPath: folder + "/" + file, toPath: path)
        let run = try tool.roost("models", path, "--in", "File\(number)")
        #expect(run.complaint == "" && run.code == 0, "\(file)")
        program += run.output
      }
    }
    let check = try TypeCheck(program)
    #expect(check.errors == [:], "\(check.output)")
  }

  // MARK: Names

  @Test func namesThatSwiftDoesNotAllowAreChangedAndLeadToTheSameFields() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/odd.roost"
      try OddStore.make(path)
      let run = try tool.roost("models", path, "--in", "Odd")
      #expect(run == ToolTests.Run(output: try printed("Odd.swift"), complaint: "", code: 0))
      let dump = try tool.roost("dump", path).output
      do {
        let store = try Odd.openStore(path)
        let snapshot = store.snapshot()
        let date = try #require(try snapshot.fetch(Odd.Date.all).first)
        #expect(date.id2 == 7 && date.self_ == "me" && date.twoWords == 0.5 && date.two_words == 2)
        #expect(date.twoWords2 == Date(timeIntervalSinceReferenceDate: 1))
        let items = try snapshot.fetch(Odd.OrderItems2.all)
        #expect(items.map(\.String_.Key) == ["k"])
        #expect(try snapshot.count(Odd.Date.models, of: "x") == 1)
      }
      let renamed = dump.replacing(#""table":"order items""#, with: #""table":"OrderItems2""#)
      let after = try tool.roost("dump", path)
      #expect(after.output.hasPrefix(renamed) && after.code == 0)
      // Behind them is the step.
      let rest = after.output.dropFirst(renamed.count)
      #expect(rest.hasPrefix(#"{"table":"value:roost.history""#) && rest.count { $0 == "\n" } == 1)
    }
  }

  @Test func modelsThatAreAddedLaterAreRenamedByAStepOfTheirOwn() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/odd.roost"
      try OddStore.make(path)
      try Odd.openStore(path).close()
      do {
        let store = try DynamicStore(path, access: .write)
        try store.write { transaction in
          try transaction.add([
            DynamicTable("odd one", fields: [DynamicField("id", .int, isKey: true)])
          ])
        }
        store.close()
      }
      let run = try tool.roost("models", path, "--in", "Odd")
      let steps = [
        #"      MigrationStep("Names of models for Swift") { _ in }"#,
        #"      MigrationStep("Names of models for Swift 2") {"#,
        #"        try $0.renameModel("odd one", to: "OddOne")"#, "      }", "    }", "",
      ]
      #expect(run.output.contains(steps.joined(separator: "\n")), "\(run.output)")
    }
  }

  // MARK: Files of other libraries

  /// What the printed mapping makes of a file: nothing is left out or differs, and the models printed for the new store open it and
  /// change nothing.
  private func expectSame(
    _ store: Store, _ path: String, _ source: ImportSource,
    _ mapping: @escaping @Sendable (inout Importer) -> Void
  ) async throws {
    let report = try #require(try store.importReport)
    #expect(report.isComplete && report.roundings == [] && report.unnamed == [])
    let differences = try await store.compare(with: source, mapping).differences
    #expect(differences == [], "\(differences.prefix(5))")
    store.close()
  }

  @Test func theModelsOfARealmFileMakeAStoreOfIt() async throws {
    try await withTemporaryDirectory { directory in
      let (file, path) = (directory + "/object-store.realm", directory + "/kennel.roost")
      try SampleFiles.make("object-store.realm", file)
      let run = try tool.roost("models", file, "--in", "Kennel")
      #expect(run == ToolTests.Run(output: try printed("Kennel.swift"), complaint: "", code: 0))
      let url = URL(fileURLWithPath: file)
      try await expectSame(
        Kennel.openStore(path, importing: url), path, .realm(url), Kennel.importObjects)
      let dump = try tool.roost("dump", path)
      #expect(dump.output.contains(#""address.street":"#) && dump.code == 0)
      // Without the file the store is opened, and stays as it is.
      try FileManager.default.removeItem(atPath: file)
      let before = try version(path)
      let store = try await Kennel.openStore(path, importing: url)
      #expect(try DynamicStore(store).snapshot().version == before)
      store.close()
      #expect(try tool.roost("dump", path) == dump)
    }
  }

  @Test func theModelsOfAnSQLiteFileMakeAStoreOfIt() async throws {
    try await withTemporaryDirectory { directory in
      let (file, path) = (directory + "/shelf.sqlite", directory + "/shelf.roost")
      try ShelfFile.make(file)
      let run = try tool.roost("models", file, "--in", "Shelf", "--enum", "Book Item.state")
      #expect(run == ToolTests.Run(output: try printed("Shelf.swift"), complaint: "", code: 0))
      let url = URL(fileURLWithPath: file)
      try await expectSame(
        Shelf.openStore(path, importing: url), path, .sqlite(url), Shelf.importObjects)
      let dump = try tool.roost("dump", path).output
      #expect(
        dump.contains(
          #""id":"a","author":1,"title":"First","pages":100,"price":9.5,"cover":"AP8=","isRead":true,"state":"on loan""#
        ))
      #expect(dump.contains(#""tags":["old","new"]"#))
      #expect(dump.contains(#""id":{"shelf":1,"board":"low"},"book":null"#))
    }
  }

  @Test func theModelsOfEveryRealmSampleCompile() throws {
    let names = [
      "all-types", "bigdata", "deeplist", "empty", "format-11", "format-20", "format-22",
      "format-23", "versions", "versions-b",
    ]
    var program = ""
    for (number, name) in names.enumerated() {
      try withTemporaryDirectory { directory in
        let path = directory + "/\(name).realm"
        try SampleFiles.make("\(name).realm", path)
        let run = try tool.roost("models", path, "--in", "File\(number)")
        #expect(run.complaint == "" && run.code == 0, "\(name)")
        program += run.output
      }
    }
    let check = try TypeCheck(program)
    #expect(check.errors == [:], "\(check.output)")
  }

  @Test func aFileOfAnotherLibraryThatCannotBeReadIsSaidInALine() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/a.realm"
      func expect(_ complaint: String, _ code: Int32 = 1, _ arguments: String...) throws {
        let run = try tool.run(["models", path] + arguments)
        #expect(run.output == "" && run.code == code, "\(run)")
        #expect(run.complaint.contains(complaint), "\(run)")
        #expect(run.complaint.count { $0 == "\n" } == 1, "\(run)")
      }
      try SampleFiles.make("format-9.realm", path)
      try expect("The file has Realm's format 9, of before 2020")
      try FileManager.default.removeItem(atPath: path)
      try SampleFiles.make("object-store.realm", path)
      try expect("cannot be read: check the path", 1, "--key-file", directory + "/none")
      let sound = try Data(contentsOf: URL(fileURLWithPath: path))
      try sound.prefix(sound.count / 2).write(to: URL(fileURLWithPath: path))
      try expect("is damaged", 3)
      try FileManager.default.removeItem(atPath: path)
      try ShelfFile.make(path)
      try expect("there is no column Tag.name of integers", 1, "--enum", "Tag.name")
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      for place in 4096..<4200 { bytes[place] = 0xFF }
      try bytes.write(to: URL(fileURLWithPath: path))
      try expect("damaged", 3)
    }
  }

  @Test func whatCannotBeAnEnumIsSaid() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/notes.roost"
      let store = try DynamicStore(path, access: .create)
      try store.write { transaction in
        try transaction.add([
          DynamicTable(
            "Note",
            fields: [
              DynamicField("id", .int, isKey: true), DynamicField("at", .double),
              DynamicField("text", .string, isOptional: true), DynamicField("letter", .string),
            ])
        ])
        for id in 1...101 as ClosedRange<Int64> {
          let letter: DynamicValue = id % 2 == 0 ? "\u{E9}" : "e\u{301}"
          try transaction.insert(["id": .int(id), "at": 1, "letter": letter], into: "Note")
        }
      }
      store.close()
      func complaint(_ field: String) throws -> String {
        let run = try tool.roost("models", path, "--enum", field)
        #expect(run.output == "" && run.code == 1)
        return run.complaint
      }
      #expect(
        try complaint("Note.id")
          == "roost: \(path): Note.id has more than 100 different values: it is no enum.\n")
      #expect(
        try complaint("Note.text")
          == "roost: \(path): Note.text has no values that could be cases of an enum.\n")
      #expect(
        try complaint("Note.letter")
          == "roost: \(path): Note.letter has values that Swift takes for the same text: it is no enum.\n"
      )
      let missing = "of integers or texts to be an enum."
      #expect(
        try complaint("Note.at")
          == "roost: \(path): there is no field Note.at \(missing) Note has: id, letter, text.\n")
      #expect(
        try complaint("Not.at")
          == "roost: \(path): there is no field Not.at \(missing) The file has: Note.\n")
      #expect(
        try complaint("Note")
          == "roost: \(path): Note is no field: write the model, a point and the field.\n")
      #expect(try tool.roost("models", path, "--in", "a b").code == 2)
      #expect(try tool.roost("models", path, "--in", "Self").code == 2)
    }
  }
}
#endif
