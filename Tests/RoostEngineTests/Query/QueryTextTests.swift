import RoostEngine
import RoostQueryText
import RoostTestSupport
import Testing

/// Texts that are no queries; that those of random queries read back is in `RandomQueryRunTests`.
@Suite struct QueryTextTests {
  @Test func noTextTraps() throws {
    let fixture = try QueryFixture(seed: 4, rows: 20, isIndexed: false)
    let catalog = fixture.view.catalog
    var queries = RandomQuery(fixture: fixture, random: SeededGenerator(seed: 9))
    let words = [
      "where", "sort", "(", ")", "{", "}", "[", "]", ".", "$3", "nil", "-", "1e999", "\"", "`",
      "Int[", "...", "!", "&&", "by", "as", "Double", "b\"", "\\u{", "99999999999999999999",
    ].map { Array($0.utf8) }
    var readCount = 0
    for _ in 0..<20_000 {
      let query = ObjectQuery(
        table: fixture.items,
        predicate: queries.predicate(depth: Int.random(in: 0...2, using: &queries.random)))
      var text = Array(query.text(in: catalog).utf8.prefix(400))
      for _ in 0..<Int.random(in: 1...2, using: &queries.random) {
        let place = Int.random(in: 0...text.count, using: &queries.random)
        switch Int.random(in: 0..<4, using: &queries.random) {
        case 0:
          let word = words[Int.random(in: 0..<words.count, using: &queries.random)]
          text.insert(contentsOf: word, at: place)
        case 1: text.removeSubrange(place..<min(text.count, place + 3))
        case 2 where place < text.count:
          text[place] = UInt8.random(in: 0...255, using: &queries.random)
        default:
          let other = Int.random(in: 0...text.count, using: &queries.random)
          text.insert(contentsOf: text[min(place, other)..<max(place, other)], at: place)
        }
      }
      let changed = String(decoding: text, as: UTF8.self)
      do throws(QueryTextError) {
        let query = try ObjectQuery(changed, in: catalog)
        readCount += 1
        let written = query.text(in: catalog)
        #expect(try ObjectQuery(written, in: catalog).text(in: catalog) == written, "\(changed)")
        // What it asks may not fit the fields' types: then that is an error.
        _ = try? fixture.view.count(query)
      } catch {
        #expect(error.offset <= changed.utf8.count && !error.message.isEmpty, "\(changed)")
      }
    }
    #expect(readCount > 500)
  }

  @Test(arguments: [
    // What the 200,000 random queries found.
    "Item where (flag as Double) > 0.5",
    #"Item where (note ?? data) contains b"lhE=""#,
    #"Item where (data + note) == b"eA==""#,
    #"Item where (b"3Q==" + data) in [b"", b"eA==", b"/w=="]"#,
    #"Item where parent.(b"jus=") in [b"eA==", b"/w=="]"#,
    #"Item where ((data + name) ?? (data + name)) in [b"eA=="]"#,
    #"Item where (data + (Group by members).min { title }) < b"QQ==""#,
  ])
  func aTextIsWrittenAsItWasRead(_ text: String) throws {
    let view = try QueryFixture(seed: 4, rows: 200, isIndexed: false).view
    let query = try ObjectQuery(text, in: view.catalog)
    #expect(query.text(in: view.catalog) == text)
    _ = try view.count(query)
  }

  @Test func deepTextsAreRefused() throws {
    let catalog = try QueryFixture(seed: 4, rows: 20, isIndexed: false).view.catalog
    let parts = [
      ("(", ")"), ("!", ""), ("group { ", "}"), ("age + (", ")"), ("parent.", ""), ("age + ", ""),
      ("age ?? ", ""),
    ]
    let conversions = "Item where age" + String(repeating: " as Int", count: 100_000) + " == 1"
    #expect(throws: QueryTextError.self) { try ObjectQuery(conversions, in: catalog) }
    for (open, close) in parts {
      let text =
        "Item where " + String(repeating: open, count: 100_000) + "age == 1"
        + String(repeating: close, count: 100_000)
      #expect(throws: QueryTextError.self) { try ObjectQuery(text, in: catalog) }
    }
  }
}
