import FlightQuestions
import FlightsData
import Foundation
import Recount
import Roost

/// The flights that left New York City in 2013: imported, asked about, observed at a version, mostly deleted, compacted.
@main
struct Flights {
  static func main() {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      let flights = Flights(options)
      if options.asksQuestions { try flights.askTwentyQuestions() } else { try flights.run() }
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  let folder: FlightsFolder
  let options: Options
  /// Where the store lies.
  let path: String
  /// The airline whose flights are kept when most are deleted.
  let keptCarrier = "UA"

  init(_ options: Options) {
    self.options = options
    folder = FlightsFolder(path: options.data)
    path =
      options.store
      ?? FileManager.default.temporaryDirectory
      .appending(path: "flights-\(ProcessInfo.processInfo.processIdentifier).roost").path
  }

  func run() throws {
    defer { if options.store == nil { try? Store.remove(at: path) } }

    try importFiles()
    let found = try askEachQuestion()
    try check(found, recount(folder))
    try deleteMostBesideASnapshot(expecting: found)
    try compactOnOpen()
    print("\nEvery answer equals the recount: plain loops over the CSV files, without Roost.")
    if options.printsJSON { print(found.json) }
  }

  /// Asks questions that need links, groups and sorts, and prints them with their answers as JSON.
  private func askTwentyQuestions() throws {
    let snapshot = try storeForQuestions(folder.text).snapshot()
    let answered = try FlightQuestions.questions.map { try AnsweredQuestion($0, of: snapshot) }
    FileHandle.standardOutput.write(try JSONEncoder().encode(answered))
  }

  /// Reads the CSV files into a new store, and closes it.
  private func importFiles() throws {
    let time = try ContinuousClock().measure {
      let store = try open()
      try importAll(folder, into: store)
      store.close()
    }
    print("Imported the five CSV files in \(time.inWords), into \(try fileBytes().inWords).\n")
  }

  /// Asks each question five times, each time of a store that was just opened and has nothing in memory.
  private func askEachQuestion() throws -> Answers {
    print(
      "Answers from the reopened file; the time is the median of five, each with an empty cache.")
    var answers = Answers()
    for question in questions {
      var times: [Duration] = []
      for _ in 1...5 {
        let store = try open()
        let snapshot = store.snapshot()
        times.append(
          try ContinuousClock().measure {
            answers[keyPath: question.answer] = try question.ask(snapshot)
          })
        store.close()
      }
      times.sort()
      print(line(question.text, answers[keyPath: question.answer], times[2].inWords))
    }
    return answers
  }

  /// Deletes the flights of all airlines but one, while a snapshot holds on to the version before.
  private func deleteMostBesideASnapshot(expecting found: Answers) throws {
    let store = try open()
    let before = store.snapshot()
    let others = Flight.where { $0.carrier != keptCarrier }
    let time = try ContinuousClock().measure {
      _ = try store.write { transaction in try transaction.delete(others) }
    }
    print("\nDeleted all flights but United's in \(time.inWords), beside a pinned snapshot:")
    print(line("flights in the store", try store.snapshot().count(Flight.all)))
    print(line("flights in the snapshot", try before.count(Flight.all)))
    try check(answers(of: before), found)
    try check(answers(of: store.snapshot()), recount(folder, carrier: keptCarrier))
    store.close()
  }

  /// Opens the store with a policy that compacts any file with waste in it, and asks all questions again.
  ///
  /// The default policy waits until a file has more than 100 MB, less than half of them used.
  private func compactOnOpen() throws {
    let before = try fileBytes()
    var configuration = Configuration()
    configuration.compaction = .custom { fileBytes, usedBytes in usedBytes < fileBytes }
    var opened: Store?
    let time = try ContinuousClock().measure { opened = try open(configuration) }
    guard let store = opened else { return }
    let after = try fileBytes()
    print(
      "\nReopened and compacted in \(time.inWords): from \(before.inWords) to \(after.inWords).")
    guard after < before else { throw NotCompacted(before: before, after: after) }
    try check(answers(of: store.snapshot()), recount(folder, carrier: keptCarrier))
    store.close()
  }

  private func open(_ configuration: Configuration = Configuration()) throws -> Store {
    try Store(
      .file(path), models: Airline.self, Airport.self, Plane.self, Weather.self, Flight.self,
      configuration: configuration)
  }

  private func fileBytes() throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  private func line(_ text: String, _ number: Int, _ time: String = "") -> String {
    let figure = number.formatted(.number.locale(Locale(identifier: "en_US")))
    return "  " + text.padding(toLength: 44, withPad: " ", startingAt: 0)
      + String(repeating: " ", count: max(0, 10 - figure.count)) + figure + "  " + time
  }

  private func check(_ found: Answers, _ expected: Answers) throws {
    let differences = found.differences(from: expected)
    if !differences.isEmpty { throw WrongAnswers(differences: differences) }
  }
}

/// Answers of Roost that are not those of the plain loops.
struct WrongAnswers: Error, CustomStringConvertible {
  let differences: [String]

  var description: String { "Roost's answers are wrong: " + differences.joined(separator: "; ") }
}

/// A file with waste in it that did not become smaller.
struct NotCompacted: Error, CustomStringConvertible {
  let before, after: Int

  var description: String { "The file of \(before) bytes has \(after) after compaction." }
}

/// What the command line says.
struct Options {
  private(set) var data = "."
  private(set) var printsJSON = false
  /// Whether the twenty questions are asked, and nothing else is done.
  private(set) var asksQuestions = false
  /// Where the store is made and left; nil for a place that is cleaned up.
  private(set) var store: String?

  struct UsageError: Error, CustomStringConvertible {
    let description = "usage: Flights --data DIR [--json] [--store FILE] [--questions]"
  }

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "--data":
        guard let folder = rest.popFirst() else { throw UsageError() }
        data = folder
      case "--json": printsJSON = true
      case "--questions": asksQuestions = true
      case "--store":
        guard let file = rest.popFirst() else { throw UsageError() }
        store = file
      default: throw UsageError()
      }
    }
  }
}

extension Int {
  /// A number of bytes in megabytes.
  fileprivate var inWords: String { String(format: "%.2f MB", Double(self) / 1_000_000) }
}

extension Duration {
  /// Seconds or milliseconds with three digits that count.
  fileprivate var inWords: String {
    let seconds = self / .seconds(1)
    return seconds >= 1
      ? String(format: "%.2f s", seconds)
      : String(format: seconds >= 0.01 ? "%.0f ms" : "%.2f ms", seconds * 1000)
  }
}
