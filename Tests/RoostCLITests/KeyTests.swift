#if Tool && os(Linux)
import Foundation
import RoostModels
import RoostTestSupport
import Testing

/// Keys of encrypted Realm files, which are typed on a terminal.
@Suite struct KeyTests {
  private let tool = ToolTests()

  /// Runs the tool on a terminal, types keys once it asks for a key, and returns all that the terminal shows.
  private func shown(_ arguments: [String], typing keys: String) throws -> String {
    let process = Process()
    process.executableURL = tool.program
    process.arguments = arguments
    return try PseudoTerminal().show(process, typing: keys, after: "Key of ")
  }

  /// That of the sample.
  private static let key = (0..<64).map { UInt8((37 * $0 + 11) % 256) }
  private static let digits = key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()

  @Test(arguments: [["info"], ["models"], ["import", "--raw"], ["import", "new.roost"]])
  func aKeyIsTypedAndNotShown(_ command: [String]) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/secret"
      try SampleFiles.make("encrypted.realm", path)
      let command = command.map { $0 == "new.roost" ? directory + "/" + $0 : $0 }
      // A digit too much is erased again.
      let text = try shown(command + [path, "--ask-key"], typing: Self.digits + "f\u{7F}\n")
      #expect(text.hasPrefix("Key of \(path): \n"), "\(text)")
      #expect(!text.contains(Self.digits.prefix(6)), "\(text)")
      #if RealmEncryption
      #expect(!text.contains("roost: "), "\(text)")
      #else
      #expect(text.contains("roost: Encrypted Realm files are read only with"), "\(text)")
      #endif
    }
  }

  @Test func whatIsNoKeyIsRefusedWithoutShowingIt() throws {
    let start = "Key of none.realm: \nroost: none.realm: "
    let rule = "the key must be 128 hexadecimal digits; "
    let command = ["models", "none.realm", "--ask-key"]
    #expect(
      try shown(command, typing: "abcd\n") == start + rule + "4 characters were typed.\n")
    #expect(
      try shown(command, typing: String(repeating: "x", count: 128) + "\n")
        == start + rule + "128 characters were typed.\n")
    for key in ["\u{3}", "12\u{4}"] {
      #expect(
        try shown(command, typing: key) == "Key of none.realm: \nroost: no key was typed.\n")
    }
    #expect(
      try shown(command, typing: String(repeating: "0", count: 4096))
        == "Key of none.realm: \nroost: the key is too long.\n")
  }

  @Test func withoutATerminalThereIsNoPrompt() throws {
    // A session of its own has no terminal.
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments = ["--wait", tool.program.path, "models", "a.realm", "--ask-key"]
    let complaint = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardError = complaint
    try process.run()
    let text = String(
      decoding: complaint.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text == "roost: there is no terminal to type the key on: use --key-file.\n")
    #expect(process.terminationStatus == 1)
    let both = try tool.roost("models", "a.realm", "--ask-key", "--key-file", "key")
    #expect(both.code == 2 && both.complaint.contains("either --key-file or --ask-key"))
  }

  @Test func aKeyMayBeTypedInGroups() throws {
    let grouped = Self.digits.uppercased().enumerated().map { place, digit in
      place.isMultiple(of: 8) ? " \(digit)" : "\(digit)"
    }.joined()
    #expect(try RealmKey.parse(grouped) == Data(Self.key))
  }
}
#endif
