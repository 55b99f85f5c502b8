import Foundation
import Roost
import RoostInterchange
import Testing

/// The questions of the example, asked on the sample that comes with it.
@Suite struct QuestionTests {
  private let example = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Whether there is a Python with SQLite in it.
  private static let canAskSQLite: Bool = {
    let python = Process()
    python.executableURL = URL(filePath: "/usr/bin/env")
    python.arguments = ["python3", "-c", "import sqlite3"]
    python.standardError = FileHandle.nullDevice
    guard (try? python.run()) != nil else { return false }
    python.waitUntilExit()
    return python.terminationStatus == 0
  }()

  @Test(.enabled(if: canAskSQLite, "Install Python 3: SQLite is asked through it."))
  func twentyQuestionsAreAnsweredAsSQLiteAnswersThem() throws {
    let sample = example.appending(path: "Sample").path
    let store = try storeForQuestions { .file("\(sample)/\($0).csv") }
    let snapshot = store.snapshot()
    let answered = try questions.map { try AnsweredQuestion($0, of: snapshot) }
    #expect(answered.count == 20)
    #expect(answered.allSatisfy { !$0.rows.isEmpty })

    let comparison = Process()
    let input = Pipe()
    let output = Pipe()
    comparison.executableURL = URL(filePath: "/usr/bin/env")
    comparison.arguments = [
      "python3", example.appending(path: "Questions/compare-with-sqlite").path, sample,
    ]
    comparison.standardInput = input
    comparison.standardOutput = output
    comparison.standardError = output
    try comparison.run()
    try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(answered))
    try input.fileHandleForWriting.close()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    comparison.waitUntilExit()
    #expect(comparison.terminationStatus == 0, "\(String(decoding: said, as: UTF8.self))")
  }
}
