import Foundation
import RoostDynamic
import RoostTestSupport
import Testing

/// Queries that are texts, with values put in.
@Suite struct DynamicQueryTests {
  @Test func aValueThatIsPutInIsAConstantWhateverItsCharacters() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      let things = try makeStore(path, things: 90)
      let snapshot = try DynamicStore(path).snapshot()
      func keys(_ query: DynamicQuery) throws -> [DynamicValue] {
        try snapshot.objects(query).map { try $0.key }
      }
      for thing in things {
        let key = [DynamicValue.int(Int64(thing.id))]
        #expect(try keys("Thing where name == \(thing.name)") == key)
        #expect(
          try keys("Thing where \(name: "name") == \(thing.name) && id == \(thing.id)") == key)
        let same: [(DynamicQuery, (Thing) -> Bool)] = [
          ("Thing where at == \(thing.at)", { $0.at == thing.at }),
          ("Thing where key == \(thing.key)", { $0.key == thing.key }),
          ("Thing where ratio == \(thing.ratio)", { $0.ratio == thing.ratio }),
          ("Thing where isOn == \(thing.isOn)", { $0.isOn == thing.isOn }),
          ("Thing where bytes == \(DynamicValue.data(thing.bytes))", { $0.bytes == thing.bytes }),
          (
            "Thing where price == \(DynamicValue.decimal(thing.price))", { $0.price == thing.price }
          ),
          ("Thing where span == \(DynamicValue.duration(thing.span))", { $0.span == thing.span }),
          (
            "Thing where size == \(DynamicValue.uint(UInt64(thing.size)))",
            { $0.size == thing.size }
          ),
          ("Thing where small == \(DynamicValue.float(thing.small))", { $0.small == thing.small }),
          (
            "Thing where home.city == \(thing.home.city) && count == \(thing.values["count"] ?? nil)",
            { $0.home.city == thing.home.city && $0.count == thing.count }
          ),
          (
            "Thing where id in \([1, 2, .int(Int64(thing.id))])",
            { [1, 2, thing.id].contains($0.id) }
          ),
        ]
        for (query, fits) in same {
          #expect(
            try keys(query) == things.filter(fits).map { .int(Int64($0.id)) }, "\(query.text)")
        }
      }
      #expect(try keys("Thing where name == \("\" || true || name == \"")") == [])
      let record = DynamicValue.record([.init("city", "x")])
      #expect(throws: StoreError.self) { try keys("Thing where id == \(record)") }
    }
  }

  @Test func namesThatArePutInAreNames() throws {
    try withTemporaryDirectory { directory in
      let store = try DynamicStore(directory + "/names.roost", access: .create)
      let names = ["where", "a b", "`", "e`\u{301}", "größe"]
      try store.write { transaction in
        try transaction.add(
          names.map {
            DynamicTable(
              $0, fields: [DynamicField("id", .int, isKey: true), DynamicField($0, .int)])
          })
        for (place, name) in names.enumerated() {
          try transaction.insert(["id": 1, name: .int(Int64(place))], into: name)
        }
      }
      let snapshot = try store.snapshot()
      for (place, name) in names.enumerated() {
        let found = try snapshot.objects("\(name: name) where \(name: name) == \(place)")
        #expect(try found.map { try $0[name] } == [.int(Int64(place))])
        #expect(try snapshot.objects(.all(name)).count == 1)
      }
    }
  }

  @Test func groupsAreRowsOfValues() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      let things = try makeStore(path, things: 90)
      let snapshot = try DynamicStore(path).snapshot()
      #expect(DynamicQuery("Thing group mood").asksForGroups)
      #expect(!DynamicQuery("Thing where id == 1").asksForGroups)
      let groups = try snapshot.groups(
        "Thing group tag, mood select count, max(at), min(id) sort tag, mood")
      #expect(groups.columns == ["tag", "mood", "count", "max(at)", "min(id)"])
      #expect(groups.keyCount == 2)
      let expected = Dictionary(grouping: things) { "\($0.tag?.id ?? "") \($0.mood)" }
      #expect(groups.count == expected.count)
      for row in 0..<groups.count {
        let values = try groups.row(row)
        guard case .string(let mood) = values[1] else {
          Issue.record("A mood is no text.")
          return
        }
        let tag = if case .string(let tag) = values[0] { tag } else { "" }
        let members = try #require(expected["\(tag) \(mood)"])
        #expect(values[2] == .int(Int64(members.count)))
        #expect(values[3] == members.map(\.at).max().map { .date($0) })
        #expect(values[4] == members.map(\.id).min().map { .int(Int64($0)) })
      }
      #expect(
        try snapshot.count("Thing group tag select count") == Set(things.map(\.tag?.id)).count)
    }
  }

  @Test func aTextThatIsNoQuerySaysWhere() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      _ = try makeStore(path, things: 9)
      let snapshot = try DynamicStore(path).snapshot()
      let error = StoreError.queryMalformed(
        text: "Thing where größe > 3", reason: "Thing has no field größe.", offset: 12)
      let query = DynamicQuery("Thing where größe > 3")
      #expect(throws: error) { try snapshot.objects(query) }
      #expect(throws: error) { try snapshot.count(query) }
      #expect(throws: error) { try snapshot.explain(query) }
      #expect(error.message.contains("byte 12") && error.message.hasSuffix("größe."))
      let plan = try snapshot.explain("Thing where name == \("1 ")")
      #expect(plan.first?.contains("index of name") == true)
      #expect(plan.last?.hasPrefix("observed: ") == true)
      #expect(try snapshot.explain("Thing group mood").count == plan.count - 1)
      #expect(throws: StoreError.unknownModel(model: "None")) { try snapshot.count(of: "None") }
      #expect(throws: StoreError.unknownModel(model: "None")) { try snapshot.object("None", 1) }
    }
  }

  @Test func valuesAreJSONAndLiterals() {
    let value: DynamicValue = [nil, true, 7, 0.5, "a\"b", []]
    #expect(
      value == .list([.null, .bool(true), .int(7), .double(0.5), .string("a\"b"), .list([])]))
    #expect(value.json == #"[null,true,7,0.5,"a\"b",[]]"#)
    let pairs = DynamicValue.dictionary([.init("k", 1), .init(2, .uint(3))])
    #expect(pairs.json == #"[["k",1],[2,3]]"#)
    let record = DynamicValue.record([.init("x", .data(Data([0, 1]))), .init("y", .json("{}"))])
    #expect(record.json == #"{"x":"AAE=","y":"{}"}"#)
    #expect(DynamicValue.date(Date(timeIntervalSinceReferenceDate: -1.5)).json == "-1.5")
    #expect(DynamicValue.float(.infinity).json == "\"inf\"")
    #expect(DynamicValue.duration(.milliseconds(-1500)).json == "\"-1.5\"")
    #expect(DynamicValue.decimal(Decimal(1) / 4).json == "\"0.25\"")
    #expect("a\u{1B}[31m\n\u{202E}".escapedForTerminal() == #"a\u001B[31m\u000A\u202E"#)
    #expect("a\nb\u{7}".escapedForTerminal(keepsLineFeeds: true) == "a\nb\\u0007")
  }
}
