#if Tool
import Foundation
import RoostTestSupport

/// Files that Realm wrote, of the tests of its importer.
enum SampleFiles {
  static let folder = TypeCheck.repository.appendingPathComponent(
    "Tests/RoostImportTests/realm")

  /// The bytes of one, unpacked.
  static func bytes(_ name: String) throws -> Data {
    let sample = folder.appendingPathComponent(name)
    if FileManager.default.fileExists(atPath: sample.path) { return try Data(contentsOf: sample) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", sample.path + ".gz"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return bytes
  }

  /// Makes one.
  static func make(_ name: String, _ path: String) throws {
    try bytes(name).write(to: URL(fileURLWithPath: path))
  }
}
#endif
