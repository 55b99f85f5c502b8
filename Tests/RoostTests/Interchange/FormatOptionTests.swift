import Foundation
import Roost
import RoostInterchange
import RoostTestSupport
import Testing

/// What the options of a text's format change, and which values they refuse.
@Suite struct FormatOptionTests {
  struct Shop: Model {
    let id: Int
    var name: String
    var founded: Date
    var price: Int
    var note: String?
    var address: Address?
    var rooms: [Room]
    static let schema = Schema(
      Shop.init, Key("id", \.id), Field("name", \.name), Field("founded", \.founded),
      Field("price", \.price, .default(7)), Field("note", \.note, .default("none")),
      Field("address", \.address), Field("rooms", \.rooms))
  }

  struct Room: Embedded {
    var seats: Int
    static let fields = Fields(Room.init, Part("seats", \.seats))
  }

  private static let shops = [
    Shop(
      id: 1, name: "A; \"B\", C\t|", founded: Date(timeIntervalSince1970: 1_359_608_400.25),
      price: -3, note: "", address: Address(city: "Delft", zip: "26; 11", place: nil),
      rooms: [Room(seats: 4), Room(seats: 2)]),
    Shop(
      id: 2, name: "Zoë", founded: Date(timeIntervalSinceReferenceDate: -0.5), price: 2, note: "?",
      address: nil, rooms: []),
  ]

  private func written(_ format: TextFormat, _ shops: [Shop] = Self.shops) throws -> String {
    var text: [UInt8] = []
    try Shop.write(shops, to: TextOutput { text += $0 }, as: format)
    return String(decoding: text, as: UTF8.self)
  }

  private func problem(_ text: String, _ format: TextFormat) -> TextProblem? {
    let error = #expect(throws: StoreError.self) { try Shop.read(from: .text(text), as: format) }
    guard case .malformedText(let problem)? = error else { return nil }
    return problem
  }

  // MARK: Names

  @Test(arguments: [TextFormat.json, .ndjson, .csv])
  func fieldsMayBeCalledOtherwise(_ format: TextFormat) throws {
    var named = format
    named.names = [
      "name": "full_name", "address.city": "town", "rooms.seats": "places", "Shop.price": "cents",
      "price": "not this one",
    ]
    let text = try written(named)
    #expect(text.contains("full_name") && text.contains("town") && text.contains("places"))
    #expect(text.contains("cents") && !text.contains("price") && !text.contains("not this one"))
    #expect(try Shop.read(from: .text(text), as: named) == Self.shops)
    let missing = problem(text.replacingOccurrences(of: "full_name", with: "name"), named)
    #expect(missing?.field == "name")
    if format != .csv { #expect(missing?.found == "no member \"full_name\"") }
  }

  @Test(arguments: [TextFormat.json, .csv])
  func twoFieldsHaveTwoNames(_ format: TextFormat) throws {
    var shared = format
    shared.names = ["name": "note"]
    let refusal = StoreError.formatInvalid(
      option: "names",
      reason: "two fields of Shop would be called \"note\". Give each a name of its own.")
    #expect(throws: refusal) { try written(shared) }
    guard format == .json else { return }
    #expect(throws: refusal) { try Shop.read(from: .text("[]"), as: shared) }
  }

  @Test(
    arguments: [TextFormat.json, .ndjson, .csv],
    [
      ("nmae", #""nmae" is no field of Shop. Did you mean "name"?"#),
      ("adress.city", #""adress.city" is no field of Shop. Did you mean "address.city"?"#),
      ("Shop.nmae", #""Shop.nmae" is no field of Shop. Did you mean "Shop.name"?"#),
      ("rooms.nothing", #""rooms.nothing" is no field of Shop. rooms has rooms.seats."#),
      ("elsewhere", #""elsewhere" is no field of Shop."#),
    ])
  func aNameOfNoFieldIsRefused(_ format: TextFormat, _ name: (path: String, reason: String)) throws
  {
    let text = try written(format)
    var named = format
    named.names = [name.path: "other"]
    #expect(throws: StoreError.formatInvalid(option: "names", reason: name.reason)) {
      try Shop.read(from: .text(text), as: named)
    }
    // It may be of another model.
    named.names = ["Menu.name": "other"]
    #expect(try Shop.read(from: .text(text), as: named) == Self.shops)
  }

  @Test func aNameOfNoFieldOnAnyLevelIsRefused() throws {
    var format = TextFormat.json
    format.names = ["grmas": "weight"]
    let store = try menuStore()
    #expect(
      throws: StoreError.formatInvalid(
        option: "names",
        reason: #""grmas" is no field of Item or Menu or Size. Did you mean "grams"?"#)
    ) {
      try store.write { transaction in
        try transaction.upsert(Menu.self, from: .text("[]"), as: format) {
          $0.items { $0.sizes(identifiedBy: \.label) }
        }
      }
    }
  }

  @Test func namesHoldAtEachLevelOfANestedText() throws {
    var format = TextFormat.json
    format.names = [
      "id": "key", "name": "title", "items": "products", "Modifier.price": "extra",
      "modifiers": "with", "Size.label": "name", "grams": "weight",
    ]
    let text = """
      {"key": 1, "title": "Lunch", "tags": [], "products": [
        {"key": 10, "title": "Soup", "price": 5, "with": [{"key": "hot", "title": "Hot", "extra": 2}],
         "sizes": [{"name": "S", "weight": 200}]}]}
      """
    let store = try menuStore()
    try store.write { transaction in
      try transaction.upsert(Menu.self, from: .text(text), as: format) {
        $0.items {
          $0.modifiers
          $0.sizes(identifiedBy: \.label)
        }
      }
    }
    let contents = try store.read { try MenuContents($0) }
    #expect(contents.menus.map(\.name) == ["Lunch"] && contents.items.map(\.name) == ["Soup"])
    #expect(contents.modifiers == [Modifier(id: "hot", name: "Hot", price: 2)])
    #expect(contents.sizes.map(\.label) == ["S"] && contents.sizes.map(\.grams) == [200])
    var copy: [UInt8] = []
    try store.snapshot().export(Menu.all, to: TextOutput { copy += $0 }, as: format) {
      $0.items {
        $0.modifiers
        $0.sizes
      }
    }
    let other = try menuStore()
    try other.write { transaction in
      try transaction.upsert(Menu.self, from: .bytes(copy), as: format) {
        $0.items {
          $0.modifiers
          $0.sizes
        }
      }
    }
    #expect(try other.read { try MenuContents($0) } == contents)
  }

  // MARK: Separators

  @Test(arguments: [";", "\t", "|", ",", " ", "/"] as [Character])
  func fieldsOfCSVMayHaveAnotherSeparator(_ separator: Character) throws {
    var format = TextFormat.csv
    format.separator = separator
    let text = try written(format)
    #expect(text.hasPrefix("id\(separator)name\(separator)founded"))
    #expect(try Shop.read(from: .text(text), as: format) == Self.shops)
  }

  @Test(
    arguments: ["\"", "\n", "\r", "\r\n", "a", "7", ".", "-", "+", ":", "é", "\0"] as [Character])
  func aSeparatorIsNothingThatValuesHave(_ separator: Character) throws {
    var format = TextFormat.csv
    format.separator = separator
    func refused(_ error: (any Error)?) -> Bool {
      guard case .formatInvalid("separator", _)? = error as? StoreError else { return false }
      return true
    }
    let writing = #expect(throws: StoreError.self) { try written(format) }
    #expect(refused(writing))
    let reading = #expect(throws: StoreError.self) {
      try Shop.read(from: .text("id"), as: format)
    }
    #expect(refused(reading))
  }

  struct Song: Model {
    let id: Int
    var moods: [String]
    var years: Set<Int>
    var played: [Date]
    var like: Links<Song>
    var prices: [String: Double]
    static let schema = Schema(
      Song.init, Key("id", \.id), Field("moods", \.moods), Field("years", \.years),
      Field("played", \.played), Field("like", \.like),
      Field("prices", \.prices, .default([:])))
  }

  @Test func listsOfCSVMayHaveASeparator() throws {
    var format = TextFormat.csv
    format.listSeparator = "|"
    let text = """
      id,moods,years,played,like
      1,calm | 'wild',1959|-3,2013-01-31|2013-02-01T05:00:00Z,2|1
      2,"[""a|b"",""c""]",,"[]",
      3,5,7,2013-01-31,3
      4,"a,b|","",,

      """
    let songs = try Song.read(from: .text(text), as: format)
    #expect(
      songs.map(\.moods) == [["calm", "'wild'"], ["a|b", "c"], ["5"], ["a,b", ""]])
    #expect(songs.map(\.years) == [[1959, -3], [], [7], []])
    #expect(songs.map(\.played.count) == [2, 0, 1, 0])
    #expect(songs[0].played[0] == Date(timeIntervalSince1970: 1_359_590_400))
    #expect(songs.map(\.like) == [[2, 1], [], [3], []])
    // Lists are written as JSON, which is read with the separator, too.
    var written: [UInt8] = []
    try Song.write(songs, to: TextOutput { written += $0 }, as: format)
    let again = String(decoding: written, as: UTF8.self)
    #expect(again.contains(#""[""a|b"",""c""]""#))
    #expect(
      try Song.read(from: .text(again), as: format).map { ($0.moods, $0.years) }.elementsEqual(
        songs.map { ($0.moods, $0.years) }, by: ==))
    format.dates = .secondsSince1970
    let dated = try Song.read(from: .text("id,moods,years,played,like\n1,,,5|6.5,\n"), as: format)
    #expect(dated[0].played.map(\.timeIntervalSince1970) == [5, 6.5])
  }

  @Test(arguments: ["1,2|3", "0x10", "one", "1|nan", "1||2", "true"])
  func anElementOfAListIsOneOfItsType(_ years: String) throws {
    var format = TextFormat.csv
    format.listSeparator = "|"
    let text = "id,moods,years,played,like\n1,,\"\(years)\",,\n"
    let error = #expect(throws: StoreError.self) {
      try Song.read(from: .text(text), as: format)
    }
    guard case .malformedText(let problem)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.line == 2 && problem.field.hasPrefix("years"), "\(problem)")
  }

  @Test func aSeparatorOfListsIsNothingThatValuesHave() {
    var format = TextFormat.csv
    format.listSeparator = "-"
    let error = #expect(throws: StoreError.self) {
      try Song.read(from: .text("id\n"), as: format)
    }
    guard case .formatInvalid("listSeparator", _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func aStructInOneColumnIsToldThatItsPartsHaveColumns() {
    let text = "id,name,founded,address,rooms\n1,A,2001-01-01,\"{\"\"city\"\":\"\"B\"\"}\",\n"
    let problem = problem(text, .csv)
    #expect(problem?.field == "address" && problem?.line == 2)
    #expect(problem?.expected.contains("columns of their own, such as `….city`") == true)
  }

  @Test func aWordForNoValueIsToldTheOption() {
    func expected(_ founded: String, _ price: String, _ format: TextFormat = .csv) -> String? {
      problem("id,name,founded,price,rooms\n1,A,\(founded),\(price),\n", format)?.expected
    }
    #expect(
      expected("2001-01-01", "NA")
        == "an integer of 64 bits (set `missingValues` of the format)")
    #expect(
      expected("n/a", "2")
        == "a date such as 2013-01-31 or 2013-01-31T05:00:00Z (make it an optional, and set `missingValues` of the format)"
    )
    #expect(expected("2001-01-01", "many") == "an integer of 64 bits")
    var format = TextFormat.csv
    format.missingValues = ["NA"]
    #expect(
      expected("NA", "NA", format)
        == "a date such as 2013-01-31 or 2013-01-31T05:00:00Z (make it an optional)")
  }

  @Test func aMissingColumnIsNamedBesideThoseThatAreThere() throws {
    let some = problem("id,title,founded,rooms\n", .csv)
    #expect(some?.field == "name")
    #expect(
      some?.expected
        == "a column \"name\" (for one of another name, set `names` of the format)")
    let key = problem("name,founded,rooms\n", .csv)
    #expect(
      key?.expected
        == "a column \"id\" (for one of another name, set `names` or `numberedField` of the format)"
    )
    #expect(some?.found == "none among \"id\", \"title\", \"founded\", \"rooms\"")
    let many = problem((1...20).map { "c\($0)" }.joined(separator: ","), .csv)
    #expect(
      many?.found
        == "none among \"c1\", \"c2\", \"c3\", \"c4\", \"c5\", \"c6\", \"c7\", \"c8\" and 12 more")
    let joined = problem("id;name;founded\n1;A;2001-01-01\n", .csv)
    #expect(
      joined?.found == "only the column \"id;name;founded\" (set `separator` of the format)")
    let long = problem(String(repeating: "é", count: 500), .csv)
    #expect(long?.found == "none among \"\(String(repeating: "é", count: 40))…\"")
  }

  @Test func aColumnThatIsNamedMustBeThere() throws {
    var named = TextFormat.csv
    named.names = ["note": "Note"]
    let text = "id,name,founded,rooms,NOTE\n1,A,2024-05-01,[],x\n"
    let found = problem(text, named)
    #expect(found?.line == 1 && found?.field == "note")
    #expect(found?.expected == "a column \"Note\"")
    named.names["price"] = "Cost"
    #expect(problem("id,name,founded,rooms,Note\n1,A,2024-05-01,[],x\n", named)?.field == "price")
    // Without a name it may be missing.
    let other = text.replacingOccurrences(of: "NOTE", with: "REMARK")
    #expect(try Shop.read(from: .text(other), as: .csv).map(\.price) == [7])
  }

  @Test(arguments: ["NOTE", "Note", "no_te", "no te"])
  func aColumnOfAnotherSpellingIsNotPassedBy(_ name: String) throws {
    let text = "id,name,founded,rooms,\(name)\n1,A,2024-05-01,[],x\n"
    let problem = problem(text, .csv)
    #expect(problem?.field == "note" && problem?.found == "one named \"\(name)\"")
    #expect(
      problem?.expected
        == "a column \"note\" (for one of another name, set `names` of the format)")
    var named = TextFormat.csv
    named.names = ["note": name]
    #expect(try Shop.read(from: .text(text), as: named).map(\.note) == ["x"])
    // It may be another field's.
    named.names = ["name": name]
    #expect(try Shop.read(from: .text(text), as: named).map(\.name) == ["x"])
  }

  // MARK: Objects around the objects

  @Test(arguments: ["shops", "data.a \"b\""])
  func theObjectsMayBeAMemberOfAnother(_ member: String) throws {
    var format = TextFormat.json
    format.member = member
    let text = try written(format)
    #expect(text.hasPrefix(member == "shops" ? #"{"shops":["# : #"{"data":{"a \"b\"":["#))
    #expect(try Shop.read(from: .text(text), as: format) == Self.shops)
    #expect(try Shop.read(from: .text(written(format, [])), as: format).isEmpty)
  }

  @Test func whatStandsBesideTheMemberIsPassedBy() throws {
    var format = TextFormat.json
    format.member = "data.shops"
    let one = #"{"id":1,"name":"A","founded":"2024-05-01","rooms":[]}"#
    for (shops, count) in [("[\(one)]", 1), (one, 1), ("[ ]", 0), ("[\(one), \(one)]", 2)] {
      let text =
        #"{"shops":[1],"data":{"n":{"shops":2},"shops":\#(shops),"more":[{}]},"version":2} "#
      #expect(try Shop.read(from: .text(text), as: format).count == count, "\(shops)")
      let broken = problem(text + "}", format)
      #expect(broken?.expected == "the end of the text")
    }
    let store = try Store(.inMemory, models: Shop.self)
    try store.write { transaction in
      try transaction.upsert(
        Shop.self, from: .text(#"{"data":{"shops":[\#(one)]}}"#), as: format,
        onConflict: .mergeGiven)
    }
    #expect(try store.snapshot().count(Shop.all) == 1)
  }

  @Test func aTextWithoutTheMemberSaysWhereItIsMissing() {
    var format = TextFormat.json
    format.member = "data.shops"
    let expected = "an object with the member \"shops\""
    #expect(problem(#"{"data":{"shop":[]}}"#, format)?.expected == expected)
    #expect(problem(#"{"data":[]}"#, format)?.found == "an array")
    #expect(problem(#"{"data":[]}"#, format)?.expected == expected)
    #expect(problem(#"[]"#, format)?.expected == "an object with the member \"data\"")
    #expect(problem(#"{"data":{"shops":7}}"#, format) != nil)
    #expect(problem(#"{"data":{"shops":[]}"#, format) != nil)
  }

  // MARK: Dates

  private func shop(_ founded: String) -> String {
    "{\"id\":1,\"name\":\"A\",\"founded\":\(founded),\"rooms\":[]}"
  }

  @Test func aNumberIsADateOnlyWhereTheFormatSaysOfWhichKind() throws {
    let hint =
      "a date such as 2013-01-31 or 2013-01-31T05:00:00Z (for numbers, set `dates` of the format: "
      + "`.secondsSince1970`, `.millisecondsSince1970` or `.secondsSince2001`)"
    for number in ["1714550400", "1714550400000", "-1.5", "1e300", "\"1714550400\""] {
      let found = problem(shop(number), .json)
      #expect(found?.field == "founded" && found?.expected == hint, "\(number)")
    }
    let cell = problem("id,name,founded,rooms\n1,A,1714550400,[]\n", .csv)
    #expect(cell?.field == "founded" && cell?.expected == hint)
    var format = TextFormat.json
    format.dates = .secondsSince1970
    let since1970 = try Shop.read(from: .text(shop("1714550400")), as: format)
    #expect(since1970.map(\.founded) == [Date(timeIntervalSince1970: 1_714_550_400)])
    format.dates = .millisecondsSince1970
    let inMilliseconds = try Shop.read(from: .text(shop("1714550400250")), as: format)
    #expect(inMilliseconds.map(\.founded) == [Date(timeIntervalSince1970: 1_714_550_400.25)])
    let inMillisecondsAgain = try Shop.read(
      from: .text(written(format, inMilliseconds)), as: format)
    #expect(inMillisecondsAgain.map(\.founded) == inMilliseconds.map(\.founded))
    format.dates = .secondsSince2001
    let since2001 = try Shop.read(from: .text(shop("1714550400")), as: format)
    #expect(since2001.map(\.founded) == [Date(timeIntervalSinceReferenceDate: 1_714_550_400)])
  }

  @Test func aTimeWithoutAnOffsetIsInUTCWhereTheFormatSaysSo() throws {
    let hint =
      "a date such as 2013-01-31 or 2013-01-31T05:00:00Z (for times without an offset, set `dates` of the format to `.textInUTC`)"
    var format = TextFormat.json
    format.dates = .textInUTC
    for (text, expected) in [
      ("2024-05-01 10:30:00", "2024-05-01T10:30:00Z"), ("2024-05-01T10:30", "2024-05-01T10:30:00Z"),
      ("2024-05-01 10:30:00.5", "2024-05-01T10:30:00.5Z"),
      ("2024-05-01T10:30:00+02:00", "2024-05-01T08:30:00Z"), ("2024-05-01", "2024-05-01"),
    ] {
      let read = try Shop.read(from: .text(shop("\"\(text)\"")), as: format)
      let same = try Shop.read(from: .text(shop("\"\(expected)\"")), as: .json)
      #expect(read.map(\.founded) == same.map(\.founded), "\(text)")
      #expect(try Shop.read(from: .text(written(format, read)), as: .json) == read)
    }
    #expect(problem(shop("\"2024-05-01 10:30:00\""), .json)?.expected == hint)
    #expect(problem(shop("\"2024-05-01 10:30:\""), format)?.expected.contains("(") == false)
  }

  @Test(arguments: [TextFormat.json, .csv])
  func datesThatISO8601CannotExpressComeBack(_ format: TextFormat) throws {
    for seconds in [1e20, -1e11, .leastNonzeroMagnitude, .infinity, -.infinity] as [Double] {
      var shop = Self.shops[1]
      shop.founded = Date(timeIntervalSinceReferenceDate: seconds)
      let text = try written(format, [shop])
      #expect(try Shop.read(from: .text(text), as: format) == [shop], "\(text)")
      #expect(try Shop(dictionary: shop.dictionary()) == shop)
    }
  }

  @Test func aNumberInADictionaryIsNoDate() throws {
    var fields = try Self.shops[0].dictionary()
    fields["founded"] = 1_714_550_400
    #expect(throws: StoreError.self) { try Shop(dictionary: fields) }
  }

  // MARK: Null

  @Test func nullForWhatIsRequiredSaysWhatToDo() throws {
    let found = problem(
      #"{"id":1,"name":null,"founded":"2001-01-01","rooms":[]}"#, .json)
    #expect(found?.field == "name" && found?.found == "null")
    #expect(
      found?.expected == "a string (make it an optional, or set `nullIsMissing` of the format)")
    let element = problem(
      #"{"id":1,"name":"A","founded":"2001-01-01","rooms":[{"seats":1},null]}"#, .json)
    #expect(element?.field == "rooms[1]" && element?.expected == "an object")
  }

  @Test func nullMayCountAsMissing() throws {
    var format = TextFormat.json
    format.nullIsMissing = true
    let text =
      #"{"id":1,"name":"A","founded":"2001-01-01","price":null,"note":null,"address":null,"rooms":[]}"#
    let read = try #require(try Shop.read(from: .text(text), as: format).first)
    #expect(read.price == 7 && read.note == "none" && read.address == nil)
    #expect(problem(text.replacingOccurrences(of: "\"A\"", with: "null"), format)?.field == "name")
    #expect(
      problem(text.replacingOccurrences(of: "\"id\":1", with: "\"id\":1,\"id\":null"), format)?
        .expected == "each member once")

    let store = try Store(.inMemory, models: Shop.self)
    try store.write { transaction in
      try transaction.insert(Self.shops[0])
      try transaction.upsert(
        Shop.self, from: .text(#"{"id":1,"name":null,"note":null,"address":null,"price":9}"#),
        as: format, onConflict: .mergeGiven)
      var expected = Self.shops[0]
      expected.price = 9
      #expect(try transaction.fetch(Shop.all) == [expected])
    }
  }
}
