import Foundation
import Roost
import RoostInterchange
import RoostTestSupport
import Testing

/// Texts as they are written, and what of them is read or refused.
@Suite struct TextTests {
  struct Shop: Model {
    let id: Int
    var name: String
    var note: String?
    var address: Address?
    var opened: Date
    var prices: [String: Decimal]
    var tags: Set<String>
    var chain: Link<Tag>?
    static let schema = Schema(
      Shop.init, Key("id", \.id), Field("name", \.name), Field("note", \.note),
      Field("address", \.address), Field("opened", \.opened), Field("prices", \.prices),
      Field("tags", \.tags), Field("chain", \.chain))
  }

  private let shops = [
    Shop(
      id: 1, name: "A \"B\", C\n", note: "", address: Address(city: "Delft", zip: nil, place: nil),
      opened: Date(timeIntervalSince1970: 1_359_608_400.25), prices: ["tea": 1.5], tags: ["x"],
      chain: Link(id: "one,two")),
    Shop(
      id: 2, name: "Zoë", note: nil, address: nil,
      opened: Date(timeIntervalSinceReferenceDate: -0.5), prices: [:], tags: [],
      chain: nil),
  ]

  private func text(_ format: TextFormat) throws -> String {
    var text: [UInt8] = []
    try Shop.write(shops, to: TextOutput { text += $0 }, as: format)
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Forms

  @Test func linesOfJSONLookAsOnesOwn() throws {
    #expect(
      try text(.ndjson) == #"""
        {"id":1,"name":"A \"B\", C\n","note":"","address":{"city":"Delft","zip":null,"place":null},"opened":"2013-01-31T05:00:00.250Z","prices":{"tea":1.5},"tags":["x"],"chain":"one,two"}
        {"id":2,"name":"Zoë","note":null,"address":null,"opened":"2000-12-31T23:59:59.500Z","prices":{},"tags":[],"chain":null}

        """#)
  }

  @Test func jsonIsAnArrayOfObjects() throws {
    let text = try text(.json)
    let foundation = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    #expect(foundation?.count == 2)
    #expect(foundation?.first?["name"] as? String == shops[0].name)
  }

  @Test func csvHasAColumnForEachPart() throws {
    let lines =
      "id,name,note,address,address.city,address.zip,address.place,address.place.latitude,"
      + "address.place.longitude,opened,prices,tags,chain\r\n"
      + "1,\"A \"\"B\"\", C\n\",\"\",true,Delft,,false,,,2013-01-31T05:00:00.250Z,\"{\"\"tea\"\":1.5}\","
      + "\"[\"\"x\"\"]\",\"one,two\"\r\n" + "2,Zoë,,false,,,,,,2000-12-31T23:59:59.500Z,{},[],\r\n"
    #expect(try text(.csv) == lines)
  }

  @Test(arguments: [TextFormat.json, .ndjson, .csv])
  func everyFormIsReadAgain(_ format: TextFormat) throws {
    #expect(try Shop.read(from: .text(text(format)), as: format) == shops)
    let marked = Array(("\u{FEFF}" + (try text(format))).utf8)
    #expect(try Shop.read(from: .bytes(marked), as: format) == shops)
    var rest = marked[...]
    let bytes = TextInput {
      defer { rest = rest.dropFirst() }
      return rest.first.map { [$0] }
    }
    #expect(try Shop.read(from: bytes, as: format) == shops)
  }

  @Test func aTextWithoutObjectsHasNone() throws {
    #expect(try Shop.read(from: .text("[]"), as: .json).isEmpty)
    #expect(try Shop.read(from: .text(""), as: .ndjson).isEmpty)
    #expect(try Shop.read(from: .text("\n \n"), as: .ndjson).isEmpty)
    var text: [UInt8] = []
    try Shop.write([], to: TextOutput { text += $0 }, as: .json)
    #expect(String(decoding: text, as: UTF8.self) == "[\n]\n")
  }

  // MARK: What JSONEncoder writes

  struct Reading: Model, Codable {
    let id: UUID
    var count: UInt64
    var time: Date
    var value: Double
    var data: Data
    var url: URL
    var price: Decimal
    var mood: Feeling
    var note: String?
    var list: [Int]
    var byName: [String: Int]
    var byNumber: [Int: Bool]
    var byKey: [UUID: Int]
    static let schema = Schema(
      Reading.init(
        id:count:time:value:data:url:price:mood:note:list:byName:byNumber:byKey:), Key("id", \.id),
      Field("count", \.count), Field("time", \.time), Field("value", \.value),
      Field("data", \.data), Field("url", \.url), Field("price", \.price), Field("mood", \.mood),
      Field("note", \.note), Field("list", \.list), Field("byName", \.byName),
      Field("byNumber", \.byNumber), Field("byKey", \.byKey))
  }

  enum Feeling: String, Storable, Codable { case calm, wild }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func readsWhatJSONEncoderWritesOfACodableModel(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let reading = Reading(
      id: .random(&random), count: .random(&random), time: .random(&random),
      value: Double(Int32.random(&random)) / 7, data: .random(&random), url: .random(&random),
      price: Decimal(Int32.random(&random)) / 100, mood: .wild,
      note: random.chance(1, in: 2) ? nil : .random(&random), list: .random(&random),
      byName: .random(&random), byNumber: .random(&random), byKey: .random(&random))
    var format = TextFormat.json
    format.dates = .secondsSince2001
    let encoded = try JSONEncoder().encode([reading])
    #expect(try Reading.read(from: .bytes(Array(encoded)), as: format) == [reading])
    let one = try JSONEncoder().encode(reading)
    #expect(try Reading.read(from: .bytes(Array(one)), as: format) == [reading])
  }

  @Test func jsonDecoderReadsWhatIsWritten() throws {
    var random = SeededGenerator(seed: 9)
    let reading = Reading(
      id: .random(&random), count: .max, time: Date(timeIntervalSinceReferenceDate: 12.5),
      value: 0.1, data: Data([0, 1, 255]), url: .random(&random), price: 12.25, mood: .calm,
      note: nil, list: [1, -1], byName: ["a": 1], byNumber: [7: true], byKey: [:])
    var format = TextFormat.json
    format.dates = .secondsSince2001
    var text: [UInt8] = []
    try Reading.write([reading], to: TextOutput { text += $0 }, as: format)
    let decoder = JSONDecoder()
    // An empty dictionary whose keys are no texts is an array to Foundation.
    let known = String(decoding: text, as: UTF8.self).replacingOccurrences(
      of: "\"byKey\":{}", with: "\"byKey\":[]")
    #expect(try decoder.decode([Reading].self, from: Data(known.utf8)) == [reading])
  }

  // MARK: Values

  struct Numbers: Model {
    let id: Int
    var double: Double?
    var float: Float?
    var date: Date?
    var decimal: Decimal?
    static let schema = Schema(
      Numbers.init, Key("id", \.id), Field("double", \.double), Field("float", \.float),
      Field("date", \.date), Field("decimal", \.decimal))
  }

  @Test(arguments: [TextFormat.json, .ndjson, .csv])
  func whatIsNoNumberComesBack(_ format: TextFormat) throws {
    let object = Numbers(
      id: 1, double: .nan, float: -.nan, date: Date(timeIntervalSinceReferenceDate: .nan),
      decimal: .nan)
    var text: [UInt8] = []
    try Numbers.write([object], to: TextOutput { text += $0 }, as: format)
    let read = try #require(try Numbers.read(from: .bytes(text), as: format).first)
    #expect(read.double?.isNaN == true && read.float?.isNaN == true)
    #expect(read.date?.timeIntervalSinceReferenceDate.isNaN == true)
    #expect(read.decimal?.isNaN == true)
    let copy = try Numbers(dictionary: object.dictionary())
    #expect(copy.double?.isNaN == true && copy.float?.isNaN == true)
    #expect(copy.date?.timeIntervalSinceReferenceDate.isNaN == true && copy.decimal?.isNaN == true)
  }

  /// Numbers of all magnitudes, given in digits, against the standard library's parser.
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func numbersAreReadAsSwiftReadsThem(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var lines = ""
    var expected: [Numbers] = []
    for id in 0..<3000 {
      var text = random.chance(1, in: 2) ? "-" : ""
      text += "\(Int.random(in: 0...9, using: &random))"
      if !text.hasSuffix("0") {
        for _ in 0..<Int.random(in: 0...25, using: &random) {
          text += "\(Int.random(in: 0...9, using: &random))"
        }
      }
      if random.chance(2, in: 3) {
        text += "."
        for _ in 0...Int.random(in: 0...25, using: &random) {
          text += "\(Int.random(in: 0...9, using: &random))"
        }
      }
      if random.chance(1, in: 2) { text += "e\(Int.random(in: -40...10, using: &random))" }
      expected.append(
        Numbers(id: id, double: Double(text), float: Float(text), date: nil, decimal: nil))
      lines += "{\"id\":\(id),\"double\":\(text),\"float\":\(text)}\n"
    }
    #expect(try Numbers.read(from: .text(lines), as: .ndjson) == expected)
  }

  @Test func aPointThatMayStandBetweenThousandsIsAnErrorInCSV() throws {
    for number in ["12.000", "-7.123", "123.456"] {
      #expect(throws: StoreError.self, "\(number)") {
        try Numbers.read(from: .text("id\n\(number)\n"), as: .csv)
      }
    }
    for (text, number) in [("12.0", 12), ("7.0000", 7), ("0.000", 0), ("1e3", 1000)] {
      #expect(try Numbers.read(from: .text("id\n\(text)\n"), as: .csv).map(\.id) == [number])
    }
    #expect(try Numbers.read(from: .text(#"{"id":12.000}"#), as: .json).map(\.id) == [12])
  }

  @Test func aNumberThatItsTypeDoesNotHoldIsAnError() {
    for (field, number) in [
      ("id", "9223372036854775808"), ("id", "1.5"), ("id", "1e30"), ("double", "1e400"),
      ("float", "1e39"), ("decimal", "1e200"), ("decimal", "1e-129"),
      ("decimal", "12345678901234567890123456789012345678901"), ("date", "true"),
    ] {
      let key = field == "id" ? "" : "\"id\":1,"
      #expect(throws: StoreError.self, "\(number)") {
        try Numbers.read(from: .text("{\(key)\"\(field)\":\(number)}"), as: .json)
      }
    }
    #expect(throws: Never.self) {
      try Numbers.read(from: .text(#"{"id":1e3,"decimal":1E127,"double":-0}"#), as: .json)
    }
  }

  struct Moment: Model {
    let id: Int
    var time: Date
    static let schema = Schema(Moment.init, Key("id", \.id), Field("time", \.time))
  }

  /// Points in time of all years of the Gregorian calendar, against Foundation's format.
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func timesAreThoseOfFoundation(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for id in 0..<1000 {
      let second = Int.random(in: -12_212_553_600..<253_402_300_800, using: &random)
      let date = Date(timeIntervalSince1970: Double(second))
      var text: [UInt8] = []
      try Moment.write([Moment(id: id, time: date)], to: TextOutput { text += $0 }, as: .csv)
      let written = String(decoding: text, as: UTF8.self)
      #expect(written == "id,time\r\n\(id),\(date.formatted(.iso8601))\r\n")
      let offset = Int.random(in: 0..<24 * 60, using: &random)
      let zone = String(
        format: "%@%02d:%02d", offset % 2 == 0 ? "+" : "-", offset / 60, offset % 60)
      let local = written.replacingOccurrences(of: "Z", with: zone)
      let shift = Double(offset * 60) * (offset % 2 == 0 ? -1 : 1)
      let read = try Moment.read(from: .text(local), as: .csv)
      #expect(read == [Moment(id: id, time: date + shift)], "\(local)")
    }
  }

  @Test(arguments: [
    "2013-01-31", "2013-01-31T05:00Z", "2013-01-31 05:00:00+01", "2013-01-31t05:00:00.1z",
    "2016-12-31T23:59:60Z", "2000-02-29T00:00:00-0130",
  ])
  func takesATime(_ text: String) throws {
    #expect(try Moment.read(from: .text("id,time\n1,\(text)"), as: .csv).count == 1)
  }

  @Test(arguments: [
    "2013-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2013-13-01", "2013-00-01", "2013-01-00",
    "2013-04-31",
    "2013-01-31T24:00:00Z", "2013-01-31T05:60:00Z", "2013-01-31T05:00:61Z", "2013-01-31T05:00:00",
    "2013-01-31T05:00:00.Z", "2013-01-31T", "13-01-31", "2013-1-31", "2013-01-31T05:00:00+",
    "2013-01-31T05:00:00+1",
    "2013-01-31T05:00:00Z ", "٢٠١٣-01-31", "today", "",
  ])
  func refusesATime(_ text: String) {
    #expect(throws: StoreError.self) {
      try Moment.read(from: .text("id,time\n1,\(text)"), as: .csv)
    }
  }

  // MARK: Errors

  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let format: TextFormat
    let line: Int
    let column: Int
    let field: String
    let expected: String
    let found: String
    var testDescription: String { text }
  }

  static let problems: [Case] = [
    Case(
      text: "[{\"id\":1,\n \"name\":7}]", format: .json, line: 2, column: 9, field: "name",
      expected: "a string", found: "a number"),
    Case(
      text: "[{\"id\":\"a\",\"color\":1}\n{}]", format: .json, line: 2, column: 1, field: "",
      expected: "\",\" or \"]\"", found: "\"{\""),
    Case(
      text: "[{\"id\":\"a\",\"color\":\"red\"}]", format: .json, line: 1, column: 20,
      field: "color",
      expected: "an integer of 64 bits", found: "a string"),
    Case(
      text: "{\"id\":\"a\",\"color\":1}\n{\"id\":\"b\"}\n", format: .ndjson, line: 2, column: 1,
      field: "color", expected: "an integer of 64 bits, or `.default(…)` on its field",
      found: "no such member"),
    Case(
      text: "{\"id\":\"a\",\n\"color\":1}", format: .ndjson, line: 1, column: 11, field: "",
      expected: "a member's name", found: "the end of the line"),
    Case(
      text: "id,color\na,1\n\"b\nc\",x\n", format: .csv, line: 4, column: 4, field: "color",
      expected: "an integer of 64 bits", found: "\"x\""),
    Case(
      text: "id,color\na\n", format: .csv, line: 2, column: 1, field: "", expected: "2 fields",
      found: "1"),
    Case(
      text: "id,colour\na,1\n", format: .csv, line: 1, column: 1, field: "color",
      expected:
        "a column \"color\" (for one of another name, set `names` or `numberedField` of the format)",
      found: "none among \"id\", \"colour\""),
    Case(
      text: "id,color\na,\"1\"2\n", format: .csv, line: 2, column: 6, field: "",
      expected: "a comma or the end of the line", found: "\"2\""),
    Case(
      text: "id,color\na,\"1\n", format: .csv, line: 3, column: 1, field: "",
      expected: "a quotation mark at the field's end", found: "the end of the text"),
    Case(
      text: "{\"id\":\"a\",\"id\":\"b\",\"color\":1}", format: .json, line: 1, column: 11,
      field: "id",
      expected: "each member once", found: "a second one"),
  ]

  @Test(arguments: problems)
  func anErrorSaysWhereAndWhatIsMissing(_ problem: Case) throws {
    let error = #expect(throws: StoreError.self) {
      _ =
        problem.field == "name"
        ? try Group.read(from: .text(problem.text), as: problem.format).count
        : try Tag.read(from: .text(problem.text), as: problem.format).count
    }
    guard case .malformedText(let found)? = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(found.line == problem.line && found.column == problem.column, "\(found)")
    #expect(found.field == problem.field && found.expected == problem.expected, "\(found)")
    #expect(found.found == problem.found)
  }

  @Test func aValueThatTheSwiftTypeDoesNotKnowIsAnErrorAtItsPlace() {
    let text =
      "id,name,nickname,age,score,mood,rank,isActive,group\n1,Ann,,3,0,calm,,true,\n2,Bob,,3,0,sad,,true,\n"
    let error = #expect(throws: StoreError.self) { try Person.read(from: .text(text), as: .csv) }
    guard case .malformedText(let problem)? = error else { return }
    #expect(problem.line == 3 && problem.column == 12)
    #expect(problem.field == "mood" && problem.found == "sad")
  }

  enum Grade: Int, Storable, CaseIterable {
    case low = -1
    case high = 3
  }
  enum Letter: String, Storable, CaseIterable {
    case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u
  }
  struct Graded: Model {
    let id: Int
    var grade: Grade?
    var letter: Letter
    var mood: Mood
    static let schema = Schema(
      Graded.init, Key("id", \.id), Field("grade", \.grade), Field("letter", \.letter),
      Field("mood", \.mood))
  }

  @Test func theRawValuesOfAnEnumAreListedWhereItListsItsCases() throws {
    func expected(_ grade: String, _ letter: String, _ mood: String) -> String? {
      let text = #"{"id":1,"grade":\#(grade),"letter":"\#(letter)","mood":"\#(mood)"}"#
      let error = #expect(throws: StoreError.self) { try Graded.read(from: .text(text), as: .json) }
      guard case .malformedText(let problem)? = error else { return nil }
      return problem.expected
    }
    let known = "a value that its Swift type knows"
    #expect(expected("7", "a", "calm") == "\(known): \"-1\", \"3\"")
    let twenty = "abcdefghijklmnopqrst".map { "\"\($0)\"" }.joined(separator: ", ")
    #expect(expected("3", "?", "calm") == "\(known): \(twenty), …")
    #expect(
      expected("null", "u", "sad") == known + " (they are listed here if it is `CaseIterable`)")
    let store = try Store(.inMemory, models: Graded.self)
    let error = #expect(throws: StoreError.self) {
      try store.write {
        try $0.upsert(
          Graded.self, from: .text(#"{"id":1,"grade":7,"letter":"a","mood":"calm"}"#), as: .json,
          onConflict: .mergeGiven)
      }
    }
    guard case .malformedText(let problem)? = error else { return }
    #expect(problem.expected == "\(known): \"-1\", \"3\"")
  }

  @Test func anEmptyTextThatIsNoCaseIsNamed() throws {
    let error = #expect(throws: StoreError.self) {
      try Graded.read(
        from: .text(#"{"id":1,"grade":3,"letter":"a","mood":""}"#), as: .json)
    }
    guard case .malformedText(let problem)? = error else { return }
    #expect(problem.field == "mood" && problem.found == "an empty text")
  }

  @Test func anObjectAroundTheArrayIsNamed() throws {
    let found = "an object whose member \"tags\" is an array"
    let expected = "an object with its fields, or an array of them"
    let store = try Store(.inMemory, models: Tag.self)
    let text = #"{"count": 1, "tags": [{"id": "a", "color": 1}], "more": []}"#
    for text in [text, "[\(text)]"] {
      for isMerged in [false, true] {
        let error = #expect(throws: StoreError.self) {
          try store.write {
            try $0.upsert(
              Tag.self, from: .text(text), as: .json, onConflict: isMerged ? .mergeGiven : .replace)
          }
        }
        guard case .malformedText(let problem)? = error else { continue }
        let hint = text.hasPrefix("[") ? "" : " (to read that, set `member` of the format)"
        #expect(problem.field == "" && problem.expected == expected)
        #expect(problem.found == found + hint)
        #expect(problem.line == 1 && problem.column == (text.hasPrefix("[") ? 2 : 1))
      }
    }
    // An answer with the objects further in.
    let answer = #expect(throws: StoreError.self) {
      try Tag.read(from: .text(#"{"status": "ok", "data": {"tags": []}}"#), as: .json)
    }
    guard case .malformedText(let problem)? = answer else { return }
    #expect(
      problem.found
        == "an object whose member \"data\" is an object (to read that, set `member` of the format)"
    )
    // With a field of its own it is an object.
    let error = #expect(throws: StoreError.self) {
      try Tag.read(from: .text(#"{"id": "a", "tags": []}"#), as: .json)
    }
    guard case .malformedText(let problem)? = error else { return }
    #expect(problem.field == "color" && problem.found == "no such member")
  }

  @Test func unknownFieldsAreLeftOutOrRefused() throws {
    let json = #"[{"id":"a","color":1,"more":{"x":[1,{}]}}]"#
    #expect(try Tag.read(from: .text(json), as: .json) == [Tag(id: "a", color: 1)])
    var strict = TextFormat.json
    strict.refusesUnknownFields = true
    #expect(throws: StoreError.self) { try Tag.read(from: .text(json), as: strict) }
    strict = .csv
    strict.refusesUnknownFields = true
    #expect(throws: StoreError.self) {
      try Tag.read(from: .text("id,color,more\na,1,2\n"), as: strict)
    }
  }

  @Test func csvColumnsMayBeCalledOtherwise() throws {
    var format = TextFormat.csv
    format.missingValues = ["NA"]
    format.names = ["nickname": "name", "score": "Points"]
    format.numberedField = "id"
    let text =
      "name,age,Points,mood,rank,isActive,group\r\nAnn,31,NA,calm,NA,TRUE,NA\r\n\r\n\"NA\",31,2,wild,30,0,7"
    #expect(throws: StoreError.self) { try Person.read(from: .text(text), as: format) }
    let mended = text.replacingOccurrences(of: "31,NA", with: "31,.5")
    let people = try Person.read(from: .text(mended), as: format)
    #expect(people.map(\.id) == [1, 2] && people.map(\.name) == ["Ann", "NA"])
    #expect(people.map(\.nickname) == ["Ann", "NA"] && people.map(\.score) == [0.5, 2])
    #expect(people.map(\.rank) == [nil, .high] && people.map(\.isActive) == [true, false])
    #expect(people.map(\.group) == [nil, Link(id: 7)])
  }

  @Test func aColumnIsNotReplacedByNumbers() {
    var format = TextFormat.csv
    format.numberedField = "id"
    let error = #expect(throws: StoreError.self) {
      try Group.read(from: .text("name,id,size\na,41,\n"), as: format)
    }
    guard case .malformedText(let found)? = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(found.line == 1 && found.column == 6 && found.field == "id")
    #expect(found.expected == "no column that `numberedField` fills" && found.found == "\"id\"")
  }

  // MARK: Stores

  @Test func aTextIsReadWhileItsObjectsAreAdded() throws {
    struct Stop: Error {}
    let store = try Store(.inMemory, models: Tag.self)
    var id = 0
    try store.write { (transaction) throws in
      let input = TextInput {
        guard id < 5000 else {
          // A single piece is never ahead by more than a batch.
          #expect(try transaction.count(Tag.all) > 4700)
          throw Stop()
        }
        defer { id += 1 }
        return Array("{\"id\":\"\(id)\",\"color\":\(id)}\n".utf8)
      }
      #expect(throws: Stop.self) { try transaction.insert(Tag.self, from: input, as: .ndjson) }
      #expect(try transaction.count(Tag.all) == 0)
    }
    #expect(try store.read { try $0.count(Tag.all) } == 0)
  }

  @Test func idsThatAreThereAreRefusedOrDealtWith() throws {
    let store = try Store(.inMemory, models: Tag.self)
    let text = "id,color\na,1\nb,2\n"
    try store.write { try $0.insert(Tag(id: "b", color: 7)) }
    let taken = TextProblem(
      source: nil, line: 3, column: 1, model: "Tag", field: "id",
      expected: "a value that no other Tag has (`upsert` replaces one of the same id)", found: "b")
    #expect(throws: StoreError.malformedText(taken)) {
      try store.write { try $0.insert(Tag.self, from: .text(text), as: .csv) }
    }
    let twice = text + "a,3\nc,4\n"
    try store.write { transaction in
      var refused: [Int] = []
      let count = try transaction.insert(
        Tag.self, from: .text(twice), as: .csv, leavingOut: { refused.append($0.line) })
      #expect(count == 2 && refused == [3, 4])
      #expect(try transaction.count(Tag.all) == 3)
      try transaction.delete(Tag.self, ids: ["a", "c"])
    }
    try store.write { try $0.upsert(Tag.self, from: .text(text), as: .csv, onConflict: .keep) }
    #expect(try store.read { try $0.fetch(Tag.all).map(\.color).sorted() } == [1, 7])
    try store.write { try $0.upsert(Tag.self, from: .text(text), as: .csv) }
    #expect(try store.read { try $0.fetch(Tag.all).map(\.color).sorted() } == [1, 2])
  }

  struct Numbered: Model {
    let id: UInt64
    var text: String
    static let schema = Schema(
      Numbered.init, Key("id", \.id, .assigned), Field("text", \.text))
  }

  @Test func theStoreGivesKeysToObjectsOfTextsWithoutThem() throws {
    let store = try Store(.inMemory, models: Numbered.self)
    try store.write { transaction in
      try transaction.insert(Numbered.self, from: .text("text\na\nb\n"), as: .csv)
      try transaction.insert(Numbered.self, from: .text(#"{"text":"c"}"#), as: .json)
    }
    let texts = try store.read { try $0.fetch(Numbered.all.order(by: \.id)) }
    #expect(texts.map(\.id) == [1, 2, 3] && texts.map(\.text) == ["a", "b", "c"])
  }

  @Test func filesAreWrittenAndRead() throws {
    try withTemporaryDirectory { directory in
      let store = try Store(.inMemory, models: Tag.self)
      let tags = (0..<30_000).map { Tag(id: "tag \($0)", color: $0) }
      try store.write { try $0.insert(contentsOf: tags) }
      let path = directory + "/tags.json"
      let url = URL(fileURLWithPath: path)
      for output in [TextOutput.file(path), .file(url)] {
        let query = Tag.all.order(by: \.color)
        #expect(try store.snapshot().export(query, to: output, as: .json) == tags.count)
      }
      for input in [TextInput.file(path), .file(url)] {
        #expect(try Tag.read(from: input, as: .json) == tags)
      }
      #expect(throws: StoreError.fileNotFound(path: directory + "/none")) {
        try Tag.read(from: .file(directory + "/none"), as: .json)
      }
      #expect(throws: StoreError.isDirectory(path: directory)) {
        try store.snapshot().export(Tag.all, to: .file(directory), as: .json)
      }
    }
  }

  // MARK: Hostile texts

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func noTextTraps(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bytes = Array("{}[]:,\"\\\r\n eE+-.0123456789truefalsn\u{0}é".utf8) + [0xFF, 0xC0, 0xED]
    for format in [TextFormat.json, .ndjson, .csv] {
      let whole = Array(try text(format).utf8)
      var takenCount = 0
      for _ in 0..<3000 {
        var text = whole
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: 0..<text.count, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: text.insert(bytes.randomElement(using: &random) ?? 0, at: place)
          case 1: text[place] = bytes.randomElement(using: &random) ?? 0
          default: text.removeSubrange(place..<min(text.count, place + 5))
          }
        }
        do {
          _ = try Shop.read(from: .bytes(text), as: format)
          takenCount += 1
        } catch is StoreError {}
      }
      #expect(takenCount > 10)
    }
  }
}
