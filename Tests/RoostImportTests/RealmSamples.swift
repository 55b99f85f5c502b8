import Foundation
import RoostImport
import RoostModels
import Testing

/// Files that Realm wrote, and what is in them; `realm/README.md` says where they come from.
struct RealmSamples {
  /// The folder of the samples; another one with all of them can be named by the environment.
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["ROOST_REALM_SAMPLES"] {
      return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "realm")
  }()

  /// The name of the text that says what a sample holds, without its first line.
  static func textName(of sample: String) -> String {
    (sample == "format-22" ? "format-23" : sample) + ".json"
  }

  /// The names of the samples that have a text to compare with.
  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let stems = Set(files.map { $0.split(separator: ".").first.map(String.init) ?? "" })
    return stems.filter { stem in
      files.contains { $0.hasPrefix(stem + ".realm") }
        && files.contains { $0.hasPrefix(textName(of: stem)) }
    }.sorted()
  }()

  /// The bytes of a file, unpacked where it is compressed.
  static func bytes(_ name: String) throws -> [UInt8] {
    let plain = folder.appendingPathComponent(name)
    if FileManager.default.fileExists(atPath: plain.path) {
      return Array(try Data(contentsOf: plain))
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", plain.path + ".gz"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "gzip could not unpack \(name).gz")
    return Array(data)
  }

  /// A key of the encrypted samples.
  static let key = Data((0..<64).map { UInt8((37 * $0 + 11) % 256) })
}

extension RealmSource {
  /// The file's content in the notation of the samples, without the first line.
  func lines() throws -> [String] {
    var text: [UInt8] = []
    try RealmNotation.print(self) { text += $0 }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").dropFirst().map {
      String($0)
    }
  }
}

/// A file that is removed with the test.
final class TemporaryFile: Sendable {
  let url: URL

  init(_ bytes: [UInt8]) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "roost-import-\(UUID().uuidString).realm")
    try Data(bytes).write(to: url)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// A folder that is removed with the test.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "roost-import-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    path = url.path
  }

  func file(_ name: String) -> String { path + "/" + name }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
