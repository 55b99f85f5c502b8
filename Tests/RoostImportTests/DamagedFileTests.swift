import Foundation
import Testing

/// Damaged copies of the samples give errors or values: the process that reads them neither ends nor needs more memory than it
/// may.
@Suite struct DamagedFileTests {
  /// Samples, and how many damaged copies of each are read.
  private static let samples = [
    ("all-types", 150), ("object-store", 500), ("versions", 500), ("format-11", 300),
    ("format-20", 200), ("format-22", 200), ("format-23", 200), ("deeplist", 10),
  ]

  /// How many times as many copies are read: `Scripts/test-long` says more.
  private static let factor =
    ProcessInfo.processInfo.environment["ROOST_REALM_COPIES"].flatMap { Int($0) } ?? 1

  @Test(arguments: samples)
  func noDamagedCopyEndsTheProcess(name: String, count: Int) throws {
    let file = try TemporaryFile(RealmSamples.bytes(name + ".realm"))
    // The program is built beside the tests'.
    let child = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("RealmChild")
    let process = Process()
    process.executableURL = child
    process.arguments = [file.url.path, "1", "\(count * Self.factor)"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let last = text.split(separator: "\n").last ?? ""
    #expect(process.terminationStatus == 0, "It ended at the copy \(last) of \(name).")
    let counts = last.split(separator: " ").dropFirst().compactMap { Int($0) }
    #expect(counts.count == 2 && counts.allSatisfy { $0 > count }, "\(last)")
  }
}
