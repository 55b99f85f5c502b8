package import Foundation
import Synchronization

/// Many changed files, each opened, read and verified in a process of its own, with a limit of time and memory.
///
/// A process takes many files. Where it traps or hangs, the file is known, and another process goes on with
/// the next one.
package struct MutationRun: Sendable {
  /// What came of the files.
  package struct Result: Sendable {
    /// How many files were changed.
    package var count = 0
    /// How many of the changes hit a unit of the newest version.
    package var liveHits = 0
    /// How many had right checksums all the same.
    package var sealed = 0
    /// How many were not opened.
    package var refused = 0
    /// In how many damage was found.
    package var reported = 0
    /// Files whose reading trapped, hung or took too much memory.
    package var trapped: [String] = []
    /// Files of which something wrong was read or nothing was reported.
    package var wrong: [String] = []
    /// A number that another seed hardly has.
    package var stateHash: UInt64 = 0

    fileprivate mutating func add(_ other: Result) {
      count += other.count
      liveHits += other.liveHits
      sealed += other.sealed
      refused += other.refused
      reported += other.reported
      trapped += other.trapped
      wrong += other.wrong
      stateHash &+= other.stateHash
    }
  }

  /// The most memory that a file may take, as a multiple of its bytes.
  package static let memoryMultipleMax = (isAddressSanitized ? 4 : 1) * 48
  /// What it may take beside that.
  package static let memoryBytesMax = (isAddressSanitized ? 4 : 1) * 96 << 20
  /// The longest that one file may take; a slow machine needs a hundredth.
  private static let millisecondsMax: Int32 = isAddressSanitized ? 120_000 : 10_000

  private let seed: UInt64
  private let program: URL

  /// The files of a seed; the program is `MutationChild`, which is built beside the others.
  package init(seed: UInt64, program: URL) {
    self.seed = seed
    self.program = program
  }

  /// Where the program lies beside the one that is running.
  package static var programBesideThis: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("MutationChild")
  }

  /// Runs the files of these numbers, in several processes at once.
  ///
  /// - Parameter progress: Called now and then with how many are done, by any thread.
  package func run(
    _ numbers: Range<Int>, processes: Int = 2, progress: (@Sendable (Int) -> Void)? = nil
  ) -> Result {
    let piece = 500
    let pieces = stride(from: numbers.lowerBound, to: numbers.upperBound, by: piece).map {
      $0..<min($0 + piece, numbers.upperBound)
    }
    let total = Mutex(Result())
    let next = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: max(processes, 1)) { _ in
      while let piece = next.withLock({ next -> Range<Int>? in
        guard next < pieces.count else { return nil }
        next += 1
        return pieces[next - 1]
      }) {
        let result = run(piece)
        let done = total.withLock { total in
          total.add(result)
          return total.count
        }
        progress?(done)
      }
    }
    return total.withLock { $0 }
  }

  /// The command that runs one file again.
  private func replay(_ number: Int) -> String {
    "\(program.path) \(seed) \(number) \(number + 1)"
  }

  private func run(_ numbers: Range<Int>) -> Result {
    var result = Result()
    var first = numbers.lowerBound
    while first < numbers.upperBound {
      let last = runProcess(first..<numbers.upperBound, &result)
      guard last < numbers.upperBound else { break }
      first = last + 1
    }
    return result
  }

  /// Runs one process, until it has done all, or has died.
  ///
  /// - Returns: The file on which it died; the upper bound where it did not.
  private func runProcess(_ numbers: Range<Int>, _ result: inout Result) -> Int {
    let process = Process()
    process.executableURL = program
    process.arguments = ["\(seed)", "\(numbers.lowerBound)", "\(numbers.upperBound)"]
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = environment
    let pipe = Pipe()
    process.standardOutput = pipe
    do { try process.run() } catch {
      result.trapped.append("\(program.path) did not start: \(error)")
      return numbers.upperBound
    }
    let output = pipe.fileHandleForReading
    var current = numbers.lowerBound
    var rest = Data()
    var isDone = false
    while true {
      var ready = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&ready, 1, Self.millisecondsMax) > 0 else {
        process.terminate()
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        result.count += 1
        result.trapped.append("file \(current) hangs; again with: \(replay(current))")
        return current
      }
      let data = output.availableData
      guard !data.isEmpty else { break }
      rest += data
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
        rest = rest[rest.index(after: end)...]
        if line == "end" { isDone = true } else { take(line, &current, &result) }
      }
    }
    process.waitUntilExit()
    if isDone { return numbers.upperBound }
    if process.terminationStatus != 3 || process.terminationReason == .uncaughtSignal {
      result.count += 1
      result.trapped.append("file \(current) traps; again with: \(replay(current))")
    }
    return current
  }

  /// Takes in a line: what came of a file, or which one is next.
  private func take(_ line: String, _ current: inout Int, _ result: inout Result) {
    let words = line.split(separator: " ")
    guard words.count > 1, let number = Int(words[1]) else { return }
    guard words[0] != "begin" else {
      current = number
      return
    }
    result.count += 1
    if words.contains("sealed") { result.sealed += 1 }
    if words.contains("live") { result.liveHits += 1 }
    var hash = SeededGenerator(
      seed: UInt64(truncatingIfNeeded: number) &* 4 &+ UInt64(words[0].utf8.count))
    result.stateHash &+= hash.next() ^ seed
    switch words[0] {
    case "refused": result.refused += 1
    case "reported": result.reported += 1
    case "failed" where words.dropFirst(2).first == "memory":
      result.trapped.append("\(line); again with: \(replay(number))")
    case "failed": result.wrong.append("\(line); again with: \(replay(number))")
    default: break
    }
  }
}
