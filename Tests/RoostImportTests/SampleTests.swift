import Foundation
import RoostImport
import RoostModels
import Testing

/// Each sample is read whole and compared with its text, byte by byte.
@Suite struct SampleTests {
  @Test(arguments: RealmSamples.names)
  func everyValueOfASampleIsAsItsTextSays(name: String) throws {
    let file = try TemporaryFile(RealmSamples.bytes(name + ".realm"))
    let source = try RealmSource(
      path: file.url.path, key: nil, valueBytesMax: 256 << 20, naming: .tables)
    var printed: [UInt8] = []
    try RealmNotation.print(source) { printed += $0 }
    let lines = String(decoding: printed, as: UTF8.self).split(separator: "\n")
    let text = try String(
      decoding: RealmSamples.bytes(RealmSamples.textName(of: name)), as: UTF8.self)
    var expected = text.split(separator: "\n").map(String.init)
    // The file does not say which program wrote it.
    expected[0].replace(/"core":"[^"]*",/, with: "")
    if name == "format-22" { expected[0].replace(":23", with: ":22") }
    #expect(lines.count == expected.count)
    for (found, line) in zip(lines, expected) where !found.utf8.elementsEqual(line.utf8) {
      Issue.record("\(found.prefix(2000)) should be \(line.prefix(2000))")
      return
    }
  }
}
