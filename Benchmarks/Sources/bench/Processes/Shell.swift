import Foundation

/// Other programs.
enum Shell {
  /// A program ended with an error.
  struct Failure: Error, CustomStringConvertible {
    let command: String
    let status: Int32

    var description: String { "\(command) ended with status \(status)." }
  }

  /// What a program prints on standard output; throws where it fails.
  static func output(of program: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        command: ([program] + arguments).joined(separator: " "), status: process.terminationStatus)
    }
    return text
  }
}
