import Foundation
import Roost
import RoostImport
import Testing

/// What values of text files are read as.
@Suite struct TextValueTests {
  enum Mood: String, TextDecodable { case calm, wild }

  private func read<Value: TextDecodable & Sendable>(
    _ json: String, as type: Value.Type = Value.self
  ) async throws -> Value? {
    try await TextFiles.value(ofJSON: "{\"a\": \(json)}") { try $0["a"] as Value }
  }

  /// Whether a value is a mismatch.
  private func refuses<Value: TextDecodable & Sendable>(
    _ json: String, as type: Value.Type
  ) async -> Bool {
    do {
      _ = try await read(json, as: type)
      return false
    } catch TextRecordError.mismatches { return true } catch { return false }
  }

  @Test func numbersKeepTheirDigits() async throws {
    #expect(try await read("18446744073709551615") == UInt64.max)
    #expect(try await read("-9223372036854775808") == Int64.min)
    #expect(try await read("12e2") == 1200)
    #expect(try await read("0.1") == 0.1)
    #expect(try await read("0.1") == Float(0.1))
    #expect(
      try await read("0.12345678901234567890123456789012345678")
        == Decimal(string: "0.12345678901234567890123456789012345678"))
    #expect(try await read("\"1.50\"") == Decimal(string: "1.5"))
    #expect(try await read("\"-Infinity\"") == -Double.infinity)
  }

  @Test func numbersThatATypeDoesNotHaveAreMismatches() async {
    #expect(await refuses("256", as: UInt8.self))
    #expect(await refuses("1.5", as: Int.self))
    #expect(await refuses("-1", as: UInt.self))
    #expect(await refuses("1e400", as: Double.self))
    #expect(await refuses("1e200", as: Decimal.self))
    #expect(await refuses("\"5\"", as: Int.self))
    #expect(await refuses("\"5\"", as: Double.self))
    #expect(await refuses("null", as: Int.self))
    #expect(await refuses("1", as: Bool.self))
    #expect(await refuses("1", as: String.self))
    #expect(await refuses("\"sad\"", as: Mood.self))
    #expect(await refuses("[1, 1]", as: Set<Int>.self))
    #expect(await refuses("{\"a\": 1}", as: [Int].self))
    #expect(await refuses("[1]", as: [String: Int].self))
  }

  @Test func textsAndCollectionsBecomeTheirTypes() async throws {
    #expect(try await read("\"calm\"") == Mood.calm)
    #expect(try await read("null", as: Mood?.self) == .some(nil))
    #expect(try await read("\"AAEC\"") == Data([0, 1, 2]))
    let uuid = UUID()
    #expect(try await read("\"\(uuid)\"") == uuid)
    #expect(try await read("[1, null, 3]") == [1, nil, 3])
    #expect(try await read("[3, 1]") == Set([1, 3]))
    #expect(try await read("{\"x\": [1], \"\": []}") == ["x": [1], "": []])
    #expect(
      try await read("[true, 1.0, {}]", as: TextValue.self)
        == .list([.bool(true), .number("1.0"), .object([:])]))
  }

  @Test(arguments: [
    (#"{"$numberLong": "-5"}"#, TextValue.number("-5")),
    (#"{"$numberDouble": "Infinity"}"#, .number("Infinity")),
    (#"{"$numberDecimal": "1.50E+3"}"#, .number("1.50E+3")),
    (#"{"$oid": "5f086d00ddf69c48082eb63b"}"#, .string("5f086d00ddf69c48082eb63b")),
    (#"{"$binary": {"base64": "AAE=", "subType": "00"}}"#, .data(Data([0, 1]))),
    (#"{"$binary": "AAE=", "$type": "00"}"#, .data(Data([0, 1]))),
    (#"{"$date": {"$numberLong": "-1"}}"#, .date(.init(seconds: 0, nanoseconds: -1_000_000))),
    (#"{"$set": [1]}"#, .list([.number("1")])),
    (#"{"$dictionary": {"x": {"$numberLong": "1"}}}"#, .object(["x": .number("1")])),
    (#"{"$embedded": {"zip": 1}}"#, .object(["zip": .number("1")])),
    (#"{"$embedded": {"table": "class_A", "value": {"zip": 1}}}"#, .object(["zip": .number("1")])),
    (#"{"$link": {"table": "class_A", "key": 7}}"#, .link(className: "A", key: .number("7"))),
    (
      #"{"$linkList": {"table": "A", "keys": [7, null]}}"#,
      .list([.link(className: "A", key: .number("7")), .null])
    ),
    (
      #"{"$linkDictionary": {"table": "A", "values": {"x": 7}}}"#,
      .object(["x": .link(className: "A", key: .number("7"))])
    ),
    // Nothing that these notations know.
    (#"{"$numberLong": "five"}"#, .object(["$numberLong": .string("five")])),
    (#"{"$binary": {"base64": "?"}}"#, .object(["$binary": .object(["base64": .string("?")])])),
    (#"{"$date": {}}"#, .object(["$date": .object([:])])),
    (#"{"numberLong": "5"}"#, .object(["numberLong": .string("5")])),
  ])
  func extendedJSONIsWhatItStandsFor(json: String, value: TextValue) async throws {
    #expect(try await read(json) == value)
  }

  @Test(arguments: [
    ("2026-01-31T05:06:07Z", 1_769_835_967, 0),
    ("2026-01-31T05:06:07.123456789Z", 1_769_835_967, 123_456_789),
    ("2026-01-31T05:06:07.5+01:00", 1_769_832_367, 500_000_000),
    ("1969-12-31T23:59:59.25Z", 0, -750_000_000), ("1970-01-02", 86_400, 0),
  ])
  func datesHaveEveryNanosecond(text: String, seconds: Int64, nanoseconds: Int32) async throws {
    #expect(
      try await read("\"\(text)\"")
        == RealmValue.Timestamp(seconds: seconds, nanoseconds: nanoseconds))
  }

  @Test(arguments: ["2026-01-31 05:06:07", "2026-02-30", "5", "2026-01-31T05:06:07.Z", "", "."])
  func datesThatDoNotSayWhenAreMismatches(text: String) async {
    #expect(await refuses("\"\(text)\"", as: Date.self))
  }

  @Test(arguments: [
    (TextDateForm.textInUTC, "\"1970-01-01 00:00:01.5\"", 1, 500_000_000),
    (.textInUTC, "\"1970-01-01T01:00:00+01:00\"", 0, 0),
    (.secondsSince1970, "1.25", 1, 250_000_000),
    (.secondsSince1970, "-1.25", -1, -250_000_000),
    (.millisecondsSince1970, "1500.000001", 1, 500_000_001),
    (.secondsSince2001, "-978307199.5", 0, 500_000_000),
    (.secondsSince2001, "0", 978_307_200, 0),
    (.secondsSince1970, #"{"$date": {"$numberLong": "7000"}}"#, 7, 0),
  ])
  func datesAreReadInTheFormThatTheMappingNames(
    form: TextDateForm, json: String, seconds: Int64, nanoseconds: Int32
  ) async throws {
    let found = try await TextFiles.value(ofJSON: "{\"a\": \(json)}") {
      try $0.date("a", as: form) as RealmValue.Timestamp?
    }
    #expect(found == RealmValue.Timestamp(seconds: seconds, nanoseconds: nanoseconds))
  }

  @Test func aDateThatIsRoundedIsCounted() async throws {
    let files = try TextFiles(["a": "{\"a\": \"2026-01-31T05:06:07.123456789Z\"}"])
    let store = try await Store.open(
      .inMemory, models: Kept.self, importing: .ndjson(["A": files.url("a")])
    ) {
      $0.records("A") {
        let _: Date = try $0["a"]
        let _: RealmValue.Timestamp = try $0["a"]
        return Kept(id: 1)
      }
    }
    let roundings = try store.importReport?.roundings
    #expect(roundings?.map(\.count) == [1])
    #expect(roundings?.map(\.property) == ["a"])
  }

  @Test func fieldsOfCSVBecomeTheTypeThatIsAsked() async throws {
    let files = try TextFiles([
      "a.csv": "n;t:bool;e;q;u:r;j\r\n-5;TRUE;;\"\";NA;\"{\"\"x\"\": [1]}\"\n"
    ])
    let source = ImportSource.csv(
      ["A": files.url("a.csv")], separator: ";", missingValues: ["NA"])
    let numbers = await TextFiles.values(of: source) {
      (try $0["n"] as Int8, try $0["n"] as Double, try $0["u:r"] as Int?)
    }
    #expect(try numbers.get().map { [Double($0), $1, $2.map(Double.init) ?? 0] } == [[-5, -5, 0]])
    let bools = await TextFiles.values(of: source) {
      [try $0["t"] as Bool, try $0["t:bool"] as Bool]
    }
    #expect(try bools.get() == [[true, true]])
    let texts = await TextFiles.values(of: source) { record in
      var texts: [String?] = []
      for name in ["n", "e", "q", "u:r"] {
        texts.append(try record[name] as String)
        texts.append(try record[name] as String?)
      }
      return texts
    }
    #expect(try texts.get() == [["-5", "-5", "", nil, "", "", "NA", nil]])
    let objects = await TextFiles.values(of: source) {
      [try $0["j"] as [String: [Int]]?, ["x": try $0.object("j")?["x"] as [Int]? ?? []]]
    }
    #expect(try objects.get() == [[["x": [1]], ["x": [1]]]])
    let places = await TextFiles.values(of: source) { "\($0.line) \($0.columns)" }
    #expect(try places.get() == [#"2 ["n", "t:bool", "e", "q", "u:r", "j"]"#])
  }
}
