package import Foundation

/// A process of its own that imports batches into a file, which it has open until it is killed.
package struct ImportProcess {
  /// The process.
  package let process = Process()
  private let output: FileHandle
  private let first: Data

  /// Starts an import and returns when its first batch is durable.
  package init(into path: String) throws {
    process.executableURL = Self.program
    process.arguments = [path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    output = pipe.fileHandleForReading
    first = output.availableData
  }

  /// The program, which is built beside the tests'.
  package static var program: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("ImportChild")
  }

  /// Kills the process and returns the last batch whose number it had printed.
  @discardableResult
  package func killed() -> Int? {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let lines = String(decoding: first + output.readDataToEndOfFile(), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    // The last piece has no line's end: a number that was cut off, or nothing.
    return lines.dropLast().last.flatMap { Int($0) }
  }
}
