#if Tool
import Foundation
import Roost
import RoostBrowse
import Testing

/// What the page of `roost browse` reads, without a network.
@Suite struct BrowseReadingTests {
  @Test func theOverviewHasModelsWithCountsSizesAndFields() async throws {
    let store = try BrowsedStore()
    let overview = try await store.ask("overview")
    #expect(overview["name"] as? String == "pets.roost")
    #expect(overview["isWritable"] as? Bool == false)
    let models = try #require(overview["models"] as? [[String: Any]])
    #expect(models.map { $0["name"] as? String } == ["Owner", "Pet"])
    #expect(models.map { $0["count"] as? Int } == [2, 10])
    #expect(models.allSatisfy { ($0["bytes"] as? Int ?? 0) > 0 })
    let fields = try #require(models[1]["fields"] as? [[String: Any]])
    #expect(
      text(fields[0])
        == #"{"isKey":true,"isOptional":false,"isUnique":true,"name":"id","type":"String"}"#)
    #expect(
      text(fields[1]) == #"{"isIndexed":true,"isOptional":true,"name":"age","type":"Int"}"#)
    #expect(
      text(fields.last)
        == #"{"isOptional":true,"name":"owner","target":"Owner","type":"Link"}"#)
  }

  @Test func rowsComeByTheirPlacesSortedAndFiltered() async throws {
    let store = try BrowsedStore()
    #expect(
      try await store.keys(["model": "Pet", "from": 3, "count": 2, "where": ""]) == ["p3", "p4"])
    let sort = [["field": "mass", "down": true]]
    #expect(
      try await store.keys(["model": "Pet", "from": 0, "count": 3, "sort": sort])
        == ["p9", "p8", "p7"])
    let found = try await store.ask(
      "rows",
      [
        "model": "Pet", "where": "age >= 6", "sort": sort, "from": 2, "count": 100,
        "columns": ["age"],
      ])
    #expect(found["count"] as? Int == 4)
    #expect(text(found["rows"]) == #"[{"c":["7"],"k":"p7"},{"c":["6"],"k":"p6"}]"#)
    // Beyond the end there is nothing.
    #expect(
      try await store.keys(["model": "Pet", "from": Int.max, "count": 5]) == [])
  }

  @Test func nullIsNotAnEmptyText() async throws {
    let store = try BrowsedStore()
    let found = try await store.ask(
      "rows", ["model": "Pet", "from": 0, "count": 2, "columns": ["age", "nickname"]])
    #expect(text(found["rows"]) == #"[{"c":[null,""],"k":"p0"},{"c":["1",null],"k":"p1"}]"#)
  }

  @Test func linksAreLabelledByTheFirstTextOfTheirTargets() async throws {
    let store = try BrowsedStore()
    let pets = try await store.ask(
      "rows", ["model": "Pet", "from": 0, "count": 2, "columns": ["owner"]])
    // The code of the owner is empty, so that the name is the first text.
    #expect(
      text(pets["rows"])
        == #"[{"c":[{"k":"1","l":"Ann <script>alert(1)</script>"}],"k":"p0"},{"c":[null],"k":"p1"}]"#
    )
    let owners = try await store.ask(
      "rows", ["model": "Owner", "from": 0, "count": 1, "columns": ["pets"]])
    #expect(
      text(owners["rows"])
        == #"[{"c":[{"first":[{"k":"p0"},{"k":"p1"}],"links":2}],"k":"1"}]"#)
  }

  @Test func aLongListOfLinksIsReadInParts() async throws {
    let store = try BrowsedStore()
    // Long enough for extents of its own, and not in the order of the keys.
    try await store.models.write { transaction in
      let pets = Links<Pet>(ids: (0..<30_000).map { "p\($0 * 7 % 10)" })
      try transaction.insert(Owner(id: 3, code: "", name: "All", pets: pets))
      try transaction.insert(Owner(id: 4, code: "", name: "None", pets: []))
    }
    let owners = try await store.ask(
      "rows", ["model": "Owner", "from": 2, "count": 2, "columns": ["pets"]])
    #expect(
      text(owners["rows"])
        == #"[{"c":[{"first":[{"k":"p0"},{"k":"p7","l":"nick 1"},{"k":"p4","l":"nick 1"}],"links":30000}],"k":"3"},"#
        + #"{"c":[{"first":[],"links":0}],"k":"4"}]"#)
    func keys(from place: Int) async throws -> [String] {
      let found = try await store.ask(
        "sources", ["model": "Owner", "key": "3", "field": "pets", "from": place])
      #expect(found["count"] as? Int == 30_000)
      return (found["first"] as? [[String: Any]] ?? []).compactMap { $0["k"] as? String }
    }
    for place in [0, 1, 8_191, 29_901, 29_990] {
      let expected = (place..<min(place + 100, 30_000)).map { "p\($0 * 7 % 10)" }
      #expect(try await keys(from: place) == expected)
    }
    #expect(try await keys(from: 30_000) == [])
    #expect(try await keys(from: .max) == [])
    let pet = try await store.ask(
      "sources",
      ["model": "Pet", "key": "p0", "source": "Owner", "field": "pets", "from": Int.max])
    #expect(text(pet["first"]) == "[]")
  }

  @Test(
    arguments: [
      ("age >", 5), ("agee > 3", 0), ("  age > 3 &&  nope == 1", 14),
      ("nickname == \"é\" && nope == 1", 19),
      ("where agee > 3", 6), ("sort nope", 5), ("age > 3 limit x", 14),
    ])
  func aMistakeIsToldWithItsPlaceInWhatWasTyped(_ text: String, _ place: Int) async throws {
    let store = try BrowsedStore()
    let answer = try await store.answer("rows", ["model": "Pet", "where": text, "count": 1])
    #expect(answer.status == 422)
    let error = try await store.ask("rows", ["model": "Pet", "where": text, "count": 1])
    #expect(error["place"] as? Int == place, "\(error)")
  }

  @Test func anOrderOfTheQueryComesBeforeThatOfTheColumns() async throws {
    let store = try BrowsedStore()
    let found = try await store.ask(
      "rows",
      [
        "model": "Pet", "where": "age > 2 sort age desc limit 2", "count": 9, "columns": [],
        "sort": [["field": "mass"]],
      ])
    #expect(found["isInOrder"] as? Bool == false)
    #expect(text(found["rows"]) == #"[{"c":[],"k":"p9"},{"c":[],"k":"p8"}]"#)
  }

  @Test func groupsAreRowsWithColumnsOfTheirOwn() async throws {
    let store = try BrowsedStore()
    let found = try await store.ask(
      "rows",
      [
        "model": "Pet", "where": "age > 1 group nickname select count sort count desc, nickname",
        "count": 9,
      ])
    #expect(text(found["columns"]) == #"["nickname","count"]"#)
    #expect(
      text(found["rows"]) == #"[{"c":["nick 0","3"]},{"c":["nick 2","3"]},{"c":["nick 1","2"]}]"#)
  }

  @Test func twoResultsAreKeptAndVersionsAreLetGoAfterAMinute() async throws {
    let store = try BrowsedStore()
    func ask(_ text: String) async throws -> Bool? {
      try await store.ask("rows", ["model": "Pet", "where": text, "count": 1])["wasKept"] as? Bool
    }
    #expect(try await ask("age > 1") == false)
    #expect(try await ask("age > 2") == false)
    #expect(try await ask("age > 1") == true)
    #expect(try await ask("age > 3") == false)
    // The second was used last before the third came.
    #expect(try await ask("age > 2") == false)
    #expect(await store.session.heldCounts == (1, 2))

    try await store.models.write { try $0.insert(BrowsedStore.pet(77)) }
    #expect(try await ask("age > 3") == false)
    #expect(await store.session.heldCounts == (2, 2))
    store.clock.advance(.seconds(59))
    await store.session.letGoOfIdle()
    #expect(await store.session.heldCounts == (2, 2))
    _ = try await ask("age > 3")
    store.clock.advance(.seconds(2))
    await store.session.letGoOfIdle()
    #expect(await store.session.heldCounts.versions == 1)
    store.clock.advance(.seconds(60))
    await store.session.letGoOfIdle()
    #expect(await store.session.heldCounts == (0, 0))
  }

  @Test func aVersionStaysTheSameWhileThePageShowsIt() async throws {
    let store = try BrowsedStore()
    let version = try #require(
      try await store.ask("rows", ["model": "Pet", "count": 0])["version"] as? Int)
    try await store.models.write { try $0.insert(BrowsedStore.pet(77)) }
    let old = try await store.ask("rows", ["model": "Pet", "count": 0, "version": version])
    let new = try await store.ask("rows", ["model": "Pet", "count": 0])
    #expect(old["count"] as? Int == 10 && new["count"] as? Int == 11)
    // A version that was let go is replaced by the newest, which the answer says.
    store.clock.advance(.seconds(61))
    await store.session.letGoOfIdle()
    let later = try await store.ask("rows", ["model": "Pet", "count": 0, "version": version])
    #expect(later["count"] as? Int == 11)
    #expect(later["version"] as? Int == new["version"] as? Int)
  }

  @Test func anObjectHasItsLinksAndWhoLinksToIt() async throws {
    let store = try BrowsedStore()
    let owner = try await store.ask("object", ["model": "Owner", "key": "1"])
    let inverses = try #require(owner["inverses"] as? [[String: Any]])
    #expect(inverses.count == 1)
    #expect(inverses[0]["model"] as? String == "Pet" && inverses[0]["count"] as? Int == 5)
    let condition = try #require(inverses[0]["condition"] as? String)
    #expect(try await store.keys(["model": "Pet", "where": condition, "count": 9]).count == 5)

    let pet = try await store.ask("object", ["model": "Pet", "key": "p1"])
    let listed = try #require(pet["inverses"] as? [[String: Any]])
    #expect(listed[0]["model"] as? String == "Owner" && listed[0]["count"] as? Int == 1)
    let back = try #require(listed[0]["condition"] as? String)
    #expect(try await store.keys(["model": "Owner", "where": back, "count": 9]) == ["1"])

    let more = try await store.ask(
      "sources", ["model": "Owner", "key": "1", "source": "Pet", "field": "owner", "from": 4])
    #expect(text(more["first"]).contains("p8"))
    let missing = try await store.ask("object", ["model": "Owner", "key": "9"])
    #expect(missing["error"] as? String == "There is no Owner with the key 9 in this version.")
  }

  @Test(arguments: ["id", "age", "nickname", "mass", "born", "owner"])
  func theConditionOfAValueFindsItsObject(_ field: String) async throws {
    let store = try BrowsedStore()
    for key in ["p0", "p1", "p4"] {
      let found = try await store.ask("condition", ["model": "Pet", "key": key, "field": field])
      let condition = try #require(found["condition"] as? String)
      let keys = try await store.keys(["model": "Pet", "where": condition, "count": 10])
      #expect(keys.contains(key), "\(condition)")
      #expect(field == "owner" || field == "nickname" || keys == [key], "\(condition)")
    }
  }

  @Test func valuesThatCannotBeComparedAreRefused() async throws {
    let store = try BrowsedStore()
    let found = try await store.ask("condition", ["model": "Pet", "key": "p0", "field": "tags"])
    #expect(found["error"] as? String == "Values of tags cannot be compared in a query.")
  }

  @Test func topValuesAreCountedWithinTheQuery() async throws {
    let store = try BrowsedStore()
    let found = try await store.ask(
      "top", ["model": "Pet", "field": "nickname", "where": "age > 1"])
    #expect(found["count"] as? Int == 8)
    let rows = try #require(found["rows"] as? [[String: Any]])
    #expect(rows.map { $0["n"] as? Int } == [3, 3, 2])
    #expect(rows.map { $0["condition"] as? String }.contains(#"`nickname` == "nick 0""#))
    let ages = try await store.ask("top", ["model": "Pet", "field": "age"])
    #expect(text(ages["figures"]) == #"["1","9","5.0"]"#)
    #expect(text(ages["rows"]).contains(#""v":null"#))
  }

  @Test func bytesComeInRanges() async throws {
    let store = try BrowsedStore()
    func bytes(_ field: String, _ from: Int, _ count: Int) async throws -> [UInt8] {
      try await store.answer(
        "bytes", ["model": "Pet", "key": "p3", "field": field, "from": from, "count": count]
      ).body
    }
    #expect(
      try await bytes("film", 1_000_000, 5) == Array(BrowsedStore.film[1_000_000..<1_000_005]))
    #expect(try await bytes("film", 2_999_998, 5).count == 2)
    #expect(try await bytes("film", Int.max, 5) == [])
    // An answer is bounded, whatever is asked for.
    #expect(try await bytes("film", 0, Int.max).count == 1 << 20)
    #expect(try await bytes("photo", 1, 3) == [0x50, 0x4e, 0x47])
    #expect(try await bytes("nickname", 0, 4) == Array("nick".utf8))
  }

  @Test func rowsAreExportedAsCSVAndJSON() async throws {
    let store = try BrowsedStore()
    func export(_ format: String) async throws -> String {
      let answer = try await store.answer(
        "export",
        [
          "model": "Pet", "where": "age == nil || age == 1", "columns": ["id", "age", "nickname"],
          "format": format, "heading": true, "count": 9,
        ])
      return String(decoding: answer.body, as: UTF8.self)
    }
    #expect(try await export("csv") == "id,age,nickname\r\np0,,\"\"\r\np1,1,\r\n")
    #expect(
      try await export("ndjson") == """
        {"id":"p0","age":null,"nickname":""}
        {"id":"p1","age":1,"nickname":null}

        """)
  }

  @Test func spaceIsToldByTableColumnAndIndex() async throws {
    let store = try BrowsedStore()
    let space = try await store.ask("space")
    let tables = try #require(space["tables"] as? [[String: Any]])
    let pet = try #require(tables.first { $0["name"] as? String == "Pet" })
    let columns = try #require(pet["columns"] as? [[String: Any]])
    let film = try #require(columns.first { $0["name"] as? String == "film" })
    #expect((film["bytes"] as? Int ?? 0) > 1000)
    #expect(text(pet["indexes"]).contains(#""name":"age""#))
  }

  @Test func versionsAreReadAndCompared() async throws {
    let store = try BrowsedStore()
    try store.models.keep("before")
    try await store.models.write { transaction in
      try transaction.insert(BrowsedStore.pet(77))
      try transaction.delete(Pet.self, id: "p1")
      var pet = BrowsedStore.pet(2)
      pet.nickname = "new"
      try transaction.upsert(pet)
    }
    let list = try await store.ask("versions")
    #expect(text(list["versions"]).contains(#""name":"before""#))
    let old = try await store.ask("rows", ["model": "Pet", "count": 0, "version": "before"])
    #expect(old["version"] as? String == "before")
    let difference = try await store.ask("difference", ["from": "before"])
    let models = try #require(difference["models"] as? [[String: Any]])
    let pets = try #require(models.first { $0["name"] as? String == "Pet" })
    #expect(pets["inserted"] as? Int == 1 && pets["deleted"] as? Int == 1)
    #expect(text(pets["insertions"]).contains("p77") && text(pets["deletions"]).contains("p1"))
    #expect(text(pets["modifications"]).contains(#""after":"new","before":"nick 2""#))
    let unknown = try await store.ask("difference", ["from": "nothing"])
    #expect((unknown["error"] as? String)?.contains("nothing") == true)
  }

  @Test(
    arguments: ["", "[]", "{", "nil", #"{"model":1}"#, String(repeating: "[", count: 100_000)])
  func anyBodyIsAnsweredWithASentence(_ body: String) async throws {
    let store = try BrowsedStore()
    for operation in [
      "rows", "plan", "object", "sources", "condition", "top", "bytes", "export", "set", "add",
      "delete", "consequences", "undo",
    ] {
      let answer = await store.session.answer(operation, Array(body.utf8))
      #expect(answer.status == 422, "\(operation)")
    }
    #expect(await store.session.answer("nothing", Array("{}".utf8)).status == 404)
  }

  @Test func thePlanIsToldInLines() async throws {
    let store = try BrowsedStore()
    let plan = try await store.ask("plan", ["model": "Pet", "where": "age > 3"])
    #expect(plan["text"] as? String == "`Pet` where age > 3")
    let lines = try #require(plan["lines"] as? [String])
    #expect(lines.first == "scan of Pet, column by column")
    #expect(lines.contains { $0.hasSuffix(" bytes of age read") }, "\(lines)")
  }
}
#endif
