import Foundation
import RoostImport
import Testing

/// Each sample is read whole and compared with its text, byte by byte.
@Suite struct SampleTests {
  @Test(arguments: RealmSamples.names)
  func everyValueOfASampleIsAsItsTextSays(name: String) throws {
    let file = try TemporaryFile(RealmSamples.bytes(name + ".realm"))
    let source = try RealmSource(
      path: file.url.path, key: nil, valueBytesMax: 256 << 20, naming: .tables)
    let text = try String(
      decoding: RealmSamples.bytes(RealmSamples.textName(of: name)), as: UTF8.self)
    var expected = text.split(separator: "\n")
    let head = expected.removeFirst()
    if name != "format-22" { #expect(head.contains("\"fileFormat\":\(source.format ?? 0),")) }
    if let version = try source.schemaVersion {
      #expect(head.contains("\"schemaVersion\":\(version)"))
    }
    let lines = try RealmText.lines(of: source)
    #expect(lines.count == expected.count)
    for (found, line) in zip(lines, expected) where found.utf8.elementsEqual(line.utf8) == false {
      Issue.record("\(found.prefix(2000)) should be \(line.prefix(2000))")
      return
    }
  }
}
