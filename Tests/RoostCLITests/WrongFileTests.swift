#if Tool
import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Testing

/// What each command says of a file that it cannot use: one line, and nothing else.
@Suite struct WrongFileTests {
  private let tool = ToolTests()

  /// Commands, with the arguments behind the file's name.
  static let commands: [[String]] = [
    ["browse"], ["browse", "--write"], ["compact"], ["delete", "Note", "--yes"],
    ["diff", "--from", "a"],
    ["drop-field", "Note", "text"], ["dump"], ["export", "/nowhere/new.sqlite"], ["history"],
    ["import", "/dev/null", "--format", "json"], ["info"], ["keep", "a"], ["models"],
    ["query", "Note"], ["restore", "a"], ["schema"], ["set", "Note", "text=a", "--yes"],
    ["restore", "a", "/nowhere/old.roost"], ["stats"], ["verify"], ["versions"], ["watch"],
  ]

  private struct Note: Model {
    let id: Int
    var text: String
    static let schema = Schema(Note.init, Key("id", \.id), Field("text", \.text))
  }

  /// The same file for a library that knows another format.
  private func withFormat(_ number: UInt8, _ sound: Data) -> Data {
    var bytes = sound
    bytes[16] = number
    let hash = unsafe bytes[0..<4088].withUnsafeBytes { unsafe XXH3.hash($0) }
    for place in 0..<8 {
      bytes[4088 + place] = UInt8(truncatingIfNeeded: hash >> UInt64(8 * place))
    }
    return bytes
  }

  @Test(arguments: commands)
  func aCommandSaysInALineWhatIsWrongWithAFile(_ command: [String]) throws {
    try withTemporaryDirectory { directory in
      let sound = directory + "/sound.roost"
      try Store(.file(sound), models: Note.self).close()
      let bytes = try Data(contentsOf: URL(fileURLWithPath: sound))
      var header = bytes
      header[30] ^= 1
      let files: [(name: String, bytes: Data?, complaint: String, code: Int32)] = [
        ("missing", nil, "there is no file PATH: check the path.", 1),
        (
          "foreign", Data("Somebody else's notes".utf8),
          "PATH is not a Roost file: check the path.", 1
        ),
        (
          "folder", nil,
          "cannot open \"PATH\": Is a directory (21); check the path and its permissions.", 1
        ),
        ("empty", Data(), "PATH is not a Roost file: check the path.", 1),
        ("cut", bytes.prefix(30_000), "PATH is cut off; restore a whole copy.", 3),
        (
          "damaged", header,
          "PATH is damaged (header, unit 0); run `roost verify` to see all of it, and restore a copy.",
          3
        ),
        (
          "newer", withFormat(7, bytes),
          "PATH needs file format 7, which this roost does not know; use a newer one.", 1
        ),
        (
          "older", withFormat(0, bytes),
          "PATH has format 0, which this roost no longer reads; use an older one.", 1
        ),
      ]
      for file in files {
        let path = directory + "/" + file.name
        if file.name == "folder" {
          try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        }
        try file.bytes?.write(to: URL(fileURLWithPath: path))
        let run = try tool.run([command[0], path] + command.dropFirst())
        var complaint = file.complaint
        if command[0] == "import", file.name == "missing" {
          complaint =
            "there is no store PATH, and a text does not say which models it has: it is read into a store that a program has "
            + "made. Of a Realm or SQLite file `roost import` makes a new one."
        }
        let line = "roost: " + complaint.replacing("PATH", with: path) + "\n"
        #expect(
          run == ToolTests.Run(output: "", complaint: line, code: file.code),
          "\(command) \(file.name)")
        let left = try? Data(contentsOf: URL(fileURLWithPath: path))
        #expect(left == file.bytes)
      }
    }
  }
}
#endif
