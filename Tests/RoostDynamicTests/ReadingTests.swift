import Foundation
import RoostDynamic
import RoostTestSupport
import Testing

/// What models wrote, read without them.
@Suite struct ReadingTests {
  @Test func everyKindOfFieldIsReadAsItsModelWroteIt() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      let things = try makeStore(path, things: 60)
      let snapshot = try DynamicStore(path).snapshot()
      #expect(try snapshot.count(of: "Thing") == things.count)
      for thing in things {
        let object = try #require(try snapshot.object("Thing", .int(Int64(thing.id))))
        #expect(try object.key == .int(Int64(thing.id)) && object.table == "Thing")
        for (field, value) in thing.values { #expect(try object[field] == value, "\(field)") }
        #expect(
          try object["words"].elements.sorted()
            == thing.words.map { DynamicValue.string($0).json }.sorted())
        guard case .dictionary(let scores) = try object["scores"] else {
          Issue.record("The scores are no dictionary.")
          return
        }
        #expect(
          Dictionary(uniqueKeysWithValues: scores.map { ($0.key, $0.value) })
            == Dictionary(
              uniqueKeysWithValues: thing.scores.map { (.string($0), .double($1)) }))
        // All at once, in the order of the fields.
        let fields = try #require(snapshot.table("Thing")).fields.map(\.name)
        #expect(try object.values == fields.map { try object[$0] })
      }
      #expect(try snapshot.object("Thing", 61) == nil)
      #expect(try snapshot.object("Thing", "a text") == nil)
      let seat = try #require(
        try snapshot.object(
          "Seat", .record([.init("hall", "h\u{0}8"), .init("number", nil)])))
      #expect(try seat["guest"] == 8)
    }
  }

  @Test func tablesAndFieldsAreDescribedAsTheyAreDeclared() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      _ = try makeStore(path, things: 0)
      let snapshot = try DynamicStore(path).snapshot()
      #expect(snapshot.tables.map(\.name) == ["Tag", "Thing", "Seat"])
      #expect(snapshot.table("Nothing") == nil)
      let thing = try #require(snapshot.table("Thing"))
      #expect(thing.key == DynamicField("id", .int, isKey: true, isUnique: true))
      #expect(!thing.holdsNamedValue)
      func field(_ name: String) throws -> DynamicField { try #require(thing.field(name)) }
      #expect(try field("count") == DynamicField("count", .int, isOptional: true, isIndexed: true))
      #expect(try field("name") == DynamicField("name", .string, isUnique: true))
      #expect(
        try field("tag")
          == DynamicField("tag", .link(to: "Tag"), isOptional: true, deleteRule: .nullify))
      #expect(try field("tags").type == .links(to: "Tag") && field("tags").deleteRule == .nullify)
      #expect(try field("numbers").type == .list(DynamicElement(.int, isOptional: true)))
      #expect(try field("words").type == .set(DynamicElement(.string)))
      #expect(
        try field("scores").type
          == .dictionary(key: DynamicElement(.string), value: DynamicElement(.double)))
      let address: [DynamicPart] = [
        DynamicPart("city", .string), DynamicPart("zip", .int, isOptional: true),
      ]
      #expect(try field("places").type == .list(DynamicElement(.record(address))))
      #expect(try field("work").type == .bool && field("work.zip").isOptional)
      let types: [String: DynamicType] = [
        "isOn": .bool, "size": .uint, "ratio": .double, "small": .float, "bytes": .data,
        "at": .date, "key": .uuid, "span": .duration, "price": .decimal, "payment": .json,
        "photo": .blob,
      ]
      for (name, type) in types { #expect(try field(name).type == type) }
      #expect(thing.indexes.map(\.name) == ["count, ratio"])
      #expect(thing.indexes.map(\.fields) == [["count", "ratio"]])
      #expect(!(try #require(thing.indexes.first).isUnique))
      let seat = try #require(snapshot.table("Seat"))
      #expect(
        seat.key?.type
          == .compound([
            DynamicPart("hall", .string), DynamicPart("number", .int, isOptional: true),
          ]))
      #expect(seat.field("guest")?.deleteRule == .cascade)
      #expect(seat.field("guest")?.nullifiesMissingTarget == false)
    }
  }

  /// The files that are kept, with every type of field, links, indexes and versions of older releases.
  static let golden: [String] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("FormatTests/golden")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".roost") }.sorted().map { folder.path + "/" + $0 }
  }()

  /// Two ways from the file to JSON: by values, and straight from the columns.
  @Test(arguments: golden)
  func linesAreTheValuesAsJSON(_ path: String) throws {
    let snapshot = try DynamicStore(path).snapshot()
    var dumped: [UInt8] = []
    var expected = ""
    for table in snapshot.tables {
      let objects = try snapshot.objects(.all(table.name))
      #expect(objects.table == table.name)
      var lines = objects.lines()
      var text: [UInt8] = []
      while let part = try lines.next() { text += part }
      // Each of a table with few objects, and a sample of the others.
      let written = String(decoding: text, as: UTF8.self).split(separator: "\n")
      #expect(written.count == objects.count)
      for place in stride(from: 0, to: objects.count, by: max(objects.count / 300, 1)) {
        let line = zip(table.fields, try objects[place].values).map { field, value in
          "\(DynamicValue.string(field.name).json):\(value.json)"
        }
        #expect(written[place] == "{\(line.joined(separator: ","))}")
      }
      expected += written.map {
        "{\"table\":\(DynamicValue.string(table.name).json),\($0.dropFirst())\n"
      }.joined()
    }
    var dump = snapshot.dump()
    while let part = try dump.next() {
      dumped += part.lines
      #expect(part.gaps.isEmpty && part.done <= part.total)
    }
    #expect(dump.objectsMissing == 0)
    // Fields that are called as the first member are named otherwise in a dump.
    let isNamedAlike = snapshot.tables.contains {
      $0.fields.contains { $0.name.hasSuffix("table") }
    }
    #expect(isNamedAlike || String(decoding: dumped, as: UTF8.self) == expected)
  }

  @Test func goingThroughObjectsFindsEachInItsPlace() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      let things = try makeStore(path, things: 700)
      let snapshot = try DynamicStore(path).snapshot()
      for query: DynamicQuery in ["Thing", "Thing sort name", "Thing where count != nil"] {
        let objects = try snapshot.objects(query)
        let gone = try objects.map { try $0.key }
        #expect(gone.count == objects.count && Set(gone).count == gone.count)
        #expect(try objects.indices.map { try objects[$0].key } == gone)
        #expect(try snapshot.count(query) == gone.count)
      }
      #expect(try snapshot.objects("Thing").map { try $0.key } == things.map { .int(Int64($0.id)) })
      let named = things.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      #expect(
        try snapshot.objects("Thing sort name").map { try $0.key }
          == named.map { .int(Int64($0.id)) })
    }
  }

  @Test func linksAreFollowedBothWays() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      let things = try makeStore(path, things: 80)
      let snapshot = try DynamicStore(path).snapshot()
      for thing in things {
        let object = try #require(try snapshot.object("Thing", .int(Int64(thing.id))))
        let tags = try object.targets(of: "tags")
        #expect(try tags.map { try $0.key } == thing.tags.map { .string($0) })
        #expect(
          try object.targets(of: "next").map { try $0.key }
            == [try object["next"]].filter { $0 != .null })
        let sources = things.filter { $0.next?.id == thing.id }.map {
          DynamicValue.int(Int64($0.id))
        }
        #expect(try object.sources(in: "Thing", by: "next").map { try $0.key } == sources)
        #expect(
          try object.sources(in: "Seat", by: "guest").count == (thing.id.isMultiple(of: 4) ? 1 : 0))
      }
      let thing = try #require(try snapshot.object("Thing", 1))
      #expect(throws: StoreError.unknownField(model: "Thing", property: "none")) {
        try thing.targets(of: "none")
      }
      #expect(throws: StoreError.self) { try thing.targets(of: "name") }
      #expect(throws: StoreError.self) { try thing.sources(in: "Thing", by: "tag") }
      #expect(throws: StoreError.unknownModel(model: "None")) {
        try thing.sources(in: "None", by: "tag")
      }
      #expect(throws: StoreError.unknownField(model: "Thing", property: "none")) {
        try thing["none"]
      }
    }
  }

  @Test func blobsAreReadInRanges() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      var random = SeededGenerator(seed: 7)
      let bytes = random.bytes(300_000)
      var thing = Thing(1, &random)
      thing.photo = Blob(bytes)
      thing.tag = nil
      thing.tags = []
      let written = thing
      let store = try Store(.file(path), models: Tag.self, Thing.self, Seat.self)
      try store.write { try $0.insert(written) }
      let object = try #require(try DynamicStore(store).snapshot().object("Thing", 1))
      #expect(try object.byteCount(of: "photo") == 300_000)
      #expect(try object["photo"] == .data(Data(bytes)))
      for _ in 0..<50 {
        let start = Int.random(in: 0...310_000, using: &random)
        let range = start..<start + Int.random(in: 0...90_000, using: &random)
        #expect(
          try object.bytes(of: "photo", in: UInt64(range.lowerBound)..<UInt64(range.upperBound))
            == Array(bytes[range.clamped(to: 0..<300_000)]))
      }
      #expect(throws: StoreError.unknownField(model: "Thing", property: "name")) {
        try object.byteCount(of: "name")
      }
    }
  }

  @Test func objectsThatCannotBeReadThrowAndTheOthersDoNot() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      let things = try makeStore(path, things: 900)
      let leaves = try leafPlaces(of: "Thing", in: path)
      try #require(leaves.count > 3)
      try damage(path, unit: leaves[1].unit)
      let store = try DynamicStore(path)
      let snapshot = try store.snapshot()
      let objects = try snapshot.objects("Thing")
      var lost: [Int] = []
      for (place, object) in objects.enumerated() {
        do { #expect(try object["name"] == .string(things[place].name)) } catch {
          guard case StoreError.corrupt(path, let damage) = error else { throw error }
          #expect(damage.code == "checksum" && damage.unit == leaves[1].unit)
          #expect(damage.model == "Thing" && damage.tree != nil)
          lost.append(things[place].id)
        }
      }
      #expect(lost == Array(leaves[1].keys))
      #expect(throws: StoreError.self) { try objects[lost[0]].key }

      var dump = snapshot.dump()
      var gaps: [DynamicDump.Gap] = []
      var lineCount = 0
      while let part = try dump.next() {
        lineCount += part.lines.count { $0 == UInt8(ascii: "\n") }
        gaps += part.gaps
        #expect(["Tag", "Thing", "Seat"].contains(part.table))
      }
      #expect(gaps.map(\.table) == ["Thing"] && gaps.first?.damage.code == "checksum")
      #expect(Int(dump.objectsMissing) == lost.count)
      #expect(lineCount == things.count - lost.count + 3 + things.count / 4)
      var lines = objects.lines()
      #expect(throws: StoreError.self) { while try lines.next() != nil {} }
      #expect(try store.verify().contains { $0.code == "checksum" && $0.model == "Thing" })
    }
  }
}

extension DynamicValue {
  /// The texts of the elements of a list.
  var elements: [String] {
    guard case .list(let elements) = self else { return [] }
    return elements.map(\.json)
  }
}
