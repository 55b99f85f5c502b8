import Foundation
import RoostEngine
import RoostInterchange
import RoostTestSupport
import Testing

/// What is JSON and what is not, as RFC 8259 says it.
@Suite struct JSONGrammarTests {
  /// Values, and what may stand around and in them.
  static let accepted: [String] = {
    let numbers = [
      "0", "-0", "1", "-1", "10", "9007199254740993", "0.5", "-0.5", "1.25", "100.001", "0e1",
      "0E1",
      "1e5", "1E5", "1e+5", "1e-5", "12.5e3", "-12.5E-3", "0.0", "-0.0",
      "123456789012345678901234567890",
      "1e308", "4.9e-324", "0.10", "9223372036854775807", "-9223372036854775808",
    ]
    let strings = [
      #""""#, #""a""#, #"" ""#, #""\"""#, #""\\""#, #""\/""#, #""\b\f\n\r\t""#, #""\u0041""#,
      #""\u00e9""#, #""\u00E9""#, #""\u0000""#, #""\uD83E\uDD9C""#, #""\ud83e\udd9c""#, #""é""#,
      #""日本""#, #""🦜""#, "\"\u{7F}\"", "\"\u{2028}\"", #""\uFFFF""#, #""\u001f""#, #""a/b""#,
      #""{}[]:,""#,
      "\"\u{10FFFF}\"", #""null""#, "\"\u{FEFF}\"",
    ]
    let words = ["true", "false", "null"]
    let arrays = [
      "[]", "[ ]", "[1]", "[1,2]", "[ 1 , 2 ]", "[[]]", "[[],[]]", "[{}]", "[null]", "[\"\"]",
      "[\n1\n]",
      "[1\t,\r2]", "[[[[[[]]]]]]", "[true,false,null]", "[0.1e1,\"x\",{}]",
    ]
    let objects = [
      "{}", "{ }", "{\"a\":1}", "{\"a\" : 1 }", "{\"a\":1,\"b\":2}", "{\"\":0}", "{\"a\":{}}",
      "{\"a\":[]}",
      "{\"a\":null}", "{\"a\":1,\"a\":2}", "{\"\\u0061\":1}", "{\"a\":{\"b\":{\"c\":[]}}}",
      "{\n\"a\"\n:\n1\n}",
    ]
    let all = numbers + strings + words + arrays + objects
    // Each also with space around it and within an array and an object.
    return all.flatMap { [$0, " \t\r\n\($0)\n ", "[\($0)]", "{\"k\":\($0)}"] }
  }()

  /// What no value is.
  static let refused: [String] = {
    let numbers = [
      "+1", "01", "-01", "00", "-", "-a", "1.", ".5", "-.5", "1.e1", "1e", "1e+", "1E-", "1e1.5",
      "0x10", "1_000",
      "1,000.5", "NaN", "Infinity", "-Infinity", "inf", "1 2", "1-", "--1", "1e99999a", "0.1.2",
      "１", "1a", "2.e3",
      "-1x", "0e", "012",
    ]
    let strings = [
      "\"", "\"a", "a\"", "'a'", #""\""#, #""\x41""#, #""\a""#, #""\u""#, #""\u1""#, #""\u12""#,
      #""\u123""#,
      #""\u12G4""#, #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, #""\ud800\ud800""#,
      #""\ud800x""#, "\"\n\"", "\"\t\"",
      "\"\u{0}\"", "\"\u{1F}\"", "\"a\" \"b\"", #""\U0041""#, #""\ud83e\n""#, #""\""a"#, "\"a\"b",
    ]
    let words = [
      "", " ", "\n", "tru", "truee", "True", "TRUE", "nul", "nulll", "Null", "fals", "falsey",
      "undefined", "t", "n", "f",
      "none",
    ]
    let arrays = [
      "[", "]", "[1", "[1,", "[1,]", "[,]", "[,1]", "[1,,2]", "[1 2]", "[1]]", "[[1]", "[1;2]",
      "[\"a\"", "[a]", "[1:2]",
      "[1}", "[]]", "[][]", "[x", "[\u{C}1]", "[\u{A0}1]", "[1,\n", "[*]", "[//\n1]", "[/**/1]",
    ]
    let objects = [
      "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{\"a\" 1}",
      "{a:1}", "{1:1}", "{'a':1}",
      "{\"a\":1 \"b\":2}", "{\"a\":1;\"b\":2}", "{\"a\"=1}", "{\"a\":}", "{:1}", "{\"a\":1]",
      "{\"a\"::1}", "{null:1}", "{\"a\"}",
      "{[]:1}", "{\"a\":1}}", "{}{}", "{\"a\":1,,\"b\":2}", "{\"a\", \"b\"}", "{\"a\":a}",
    ]
    let all = numbers + strings + words + arrays + objects
    // Each also within an array and an object, which no comma may follow.
    return all + all.map { "[\($0)," } + all.map { "{\"k\":\($0)," }
  }()

  @Test func acceptsEveryTextOfTheGrammar() throws {
    #expect(Self.accepted.count + Self.refused.count > 600)
    for text in Self.accepted {
      #expect(throws: Never.self, "\(text)") { _ = try JSONValue(Array(text.utf8)) }
    }
  }

  @Test func refusesEveryOtherText() {
    for text in Self.refused {
      #expect(throws: TextError.self, "\(text)") { _ = try JSONValue(Array(text.utf8)) }
    }
  }

  /// Bytes that are no UTF-8, within a string.
  @Test(
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE2, 0x82],
      [0xED, 0xA0, 0x80],
      [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0xA6], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80],
      [0xFE], [0xFF], [0xC3, 0x28], [0xE2, 0x28, 0xA1], [0xF8, 0x88, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func refusesBytesThatAreNoUTF8(_ bytes: [UInt8]) {
    let quote = [UInt8(ascii: "\"")]
    #expect(throws: TextError.self) { _ = try JSONValue(quote + bytes + quote) }
    #expect(throws: TextError.self) { _ = try JSONValue(bytes) }
  }

  @Test func refusesMoreLevelsThanItFollows() throws {
    let most = JSONReader.depthMax
    let deep = String(repeating: "[", count: most) + String(repeating: "]", count: most)
    #expect(throws: Never.self) { _ = try JSONValue(Array(deep.utf8)) }
    #expect(throws: TextError.self) { _ = try JSONValue(Array("[\(deep)]".utf8)) }
    let endless = String(repeating: "[{\"a\":", count: 100_000)
    #expect(throws: TextError.self) { _ = try JSONValue(Array(endless.utf8)) }
  }

  @Test func readsTheSameWhateverThePieces() throws {
    for text in Self.accepted + Self.refused {
      let bytes = Array(text.utf8)
      let whole = Self.outline(JSONReader(TextScanner(bytes)))
      var rest = bytes[...]
      let pieces = TextScanner {
        defer { rest = rest.dropFirst() }
        return rest.first.map { [$0] }
      }
      #expect(Self.outline(JSONReader(pieces)) == whole, "\(text)")
    }
  }

  /// The value as the text that it is, or the place of the error.
  private static func outline(_ reader: JSONReader) -> String {
    var reader = reader
    do throws(TextError) {
      let raw = try reader.readRaw()
      try reader.endValue()
      return String(decoding: raw, as: UTF8.self)
    } catch {
      return "\(error)"
    }
  }

  /// Texts with one byte changed, put in or taken out: read, or refused.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func noTextTraps(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = Array("{}[]:,\"\\u0aDdE+-.19tfn \n\u{0}é".utf8) + [0xFF, 0xC0, 0xED]
    for _ in 0..<20_000 {
      var text = Array((Self.accepted.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        let byte = bytes.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text.insert(byte, at: place)
        case 1 where place < text.count: text[place] = byte
        case _ where place < text.count: text.remove(at: place)
        default: break
        }
      }
      // Foundation's own parser says what a text is; where only one of the two takes it, it must be one of the few
      // texts on which they are known to differ.
      let isTaken = (try? JSONValue(text)) != nil
      let isFoundations =
        (try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)) != nil
      if isTaken && !isFoundations {
        // A number that a Double does not hold, or one that it would round to 0.
        #expect(
          text.contains(UInt8(ascii: "e")) || text.contains(UInt8(ascii: "E")) || text.count > 18)
      }
    }
  }
}
