import Foundation
import Roost
import RoostImport
import RoostTestSupport
import Testing

/// Damaged and hostile files give errors, or values, in bounded memory.
@Suite struct DamagedTextTests {
  /// Imports the class `A`, whatever its objects have; nil if the import succeeds.
  private func error(_ source: ImportSource) async -> (any Error)? {
    let result = await TextFiles.values(of: source) { record in
      for column in record.columns {
        _ = try record.value(column)
        _ = try record[ifPresent: column] as [String: TextValue]?
        _ = try record.date(column, as: .textInUTC) as Date?
      }
    }
    if case .failure(let error) = result { return error }
    return nil
  }

  private func source(_ form: String, _ url: URL, bytesMax: Int = 1 << 20) -> ImportSource {
    switch form {
    case "csv": .csv(["A": url], recordBytesMax: bytesMax)
    case "ndjson": .ndjson(["A": url], recordBytesMax: bytesMax)
    case "json": .jsonArrays(["A": url], recordBytesMax: bytesMax)
    default: .json(url, recordBytesMax: bytesMax)
    }
  }

  private static let texts = [
    "csv": "id,a:date,b\r\n1,\"2026-01-31T05:06:07.5Z\",\"{\"\"x\"\": [1]}\"\r\n2,,ü\r\n",
    "ndjson":
      #"{"id": 1, "a": {"$date": {"$numberLong": "5"}}, "b": {"x": [1e3, null, "\u00fc\n"]}}"#
      + "\n{\"id\": 2}\n",
    "document":
      #"{"B": [{}], "A": [{"id": {"$ref": "B5"}, "a": {"$oid": "00"}}, {"id": 2, "b": null}], "c": {}}"#,
    "json":
      #"[{"id": 1, "a": {"$link": {"table": "class_A", "key": -7}}, "b": [true]}, {"id": 2}]"#,
  ]

  @Test(arguments: texts.keys.sorted())
  func noDamagedTextEndsTheProcess(form: String) async throws {
    var generator = SeededGenerator(seed: 7)
    let text = Array(Self.texts[form, default: ""].utf8)
    let files = try TextFiles()
    var errors = 0
    for _ in 0..<120 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        case 2:
          let signs = Array("\"\\,{}[]:;\n0-9eE.$".utf8)
          bytes.insert(signs.randomElement(using: &generator) ?? 0, at: place)
        default:
          let other = Int.random(in: 0..<bytes.count, using: &generator)
          bytes.insert(contentsOf: bytes[min(place, other)..<max(place, other)], at: place)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      try Data(bytes).write(to: files.url("a"))
      let error = await error(source(form, files.url("a")))
      if let error {
        errors += 1
        #expect(error is TextRecordError, "\(error)")
      }
    }
    #expect(errors > 30)
  }

  @Test(arguments: ["x", "\n"])
  func aQuotationThatDoesNotEndIsNotReadWhole(part: String) async throws {
    let files = try TextFiles(["a": "id\n\"" + String(repeating: part, count: 1 << 20)])
    let error = await error(source("csv", files.url("a"), bytesMax: 1 << 16))
    #expect(
      error as? TextRecordError
        == .malformed(
          path: files.url("a").path, line: 2, column: 1, expected: "at most 65536 bytes",
          found: "a longer record"))
  }

  @Test(arguments: ["x", ","])
  func aLineOfCSVThatIsTooLongIsNotReadWhole(part: String) async throws {
    let files = try TextFiles(["a": "id\n" + String(repeating: part, count: 1 << 20)])
    let error = await error(source("csv", files.url("a"), bytesMax: 1 << 16))
    guard case .malformed(_, 2, _, "at most 65536 bytes", _)? = error as? TextRecordError else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
  }

  @Test func aRecordOfTooManyValuesIsNotReadWhole() async throws {
    let values = String(repeating: "1,", count: 100_000)
    let files = try TextFiles(["a": "{\"id\": 1}\n{\"a\": [\(values)1]}"])
    let result = await TextFiles.values(of: source("ndjson", files.url("a"))) { $0.line }
    #expect(
      throws: TextRecordError.tooLarge(path: files.url("a").path, line: 2, bytesMax: 1 << 20)
    ) { try result.get() }
    let source = source("ndjson", files.url("a"), bytesMax: 16 << 20)
    let lines = await TextFiles.values(of: source) { $0.line }
    #expect(try lines.get() == [1, 2])
  }

  @Test func aTextThatIsTooLongIsNotReadWhole() async throws {
    let files = try TextFiles(["a": "{\"a\": \"\(String(repeating: "x", count: 1 << 20))\"}"])
    let error = await error(source("ndjson", files.url("a"), bytesMax: 1 << 16))
    guard case .malformed(_, 1, _, "at most 65536 bytes", _)? = error as? TextRecordError else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
  }

  @Test(arguments: ["[", "{\"a\":"])
  func valuesThatAreNestedTooDeepAreAnError(part: String) async throws {
    let files = try TextFiles(["a": "{\"a\": " + String(repeating: part, count: 100_000)])
    let error = await error(source("ndjson", files.url("a")))
    guard case .malformed(_, 1, _, "at most 512 levels", _)? = error as? TextRecordError else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
  }

  @Test func anElementThatIsNoObjectIsAnErrorWithItsPlace() async throws {
    let files = try TextFiles(["a": "[{\"id\": 1},\n  7]"])
    let error = await error(source("json", files.url("a")))
    #expect(
      error as? TextRecordError
        == .malformed(
          path: files.url("a").path, line: 2, column: 3, expected: "an object", found: "a number"))
  }

  @Test func aFileThatChangesWhileItIsReadIsAnError() async throws {
    let files = try TextFiles(["a": "{\"id\": 1}\n{\"id\": 2}"])
    let result = await TextFiles.values(of: source("ndjson", files.url("a"))) { record in
      if record.line == 2 { try files.write("{\"id\": 1}\n{\"id\": 2}\n", to: "a") }
    }
    #expect(throws: TextRecordError.changed(path: files.url("a").path)) { try result.get() }
  }

  @Test func aClassThatIsNotWhereItWasIsAnError() async throws {
    let text = #"{"A": [{"id": 1}], "B": [{"id": 2}]}"#
    for change in ["", String(text.prefix(25)), text.replacingOccurrences(of: "[", with: "7")] {
      let files = try TextFiles(["a": text])
      let url = files.url("a")
      do {
        _ = try await Store.open(.inMemory, models: Kept.self, importing: .json(url)) {
          $0.records("A") { record -> Kept in
            try files.write(change, to: "a")
            return Kept(id: try record["id"])
          }
          $0.records("B") { Kept(id: try $0["id"]) }
        }
        Issue.record("no error")
      } catch {
        guard case .malformed? = error as? TextRecordError else {
          Issue.record("another error: \(error)")
          continue
        }
      }
    }
  }
}
