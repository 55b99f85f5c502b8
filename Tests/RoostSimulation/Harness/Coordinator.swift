public import Foundation
import RoostTestSupport
import Synchronization

/// Runs the cases of classes of fault in worker processes, and adds up what came of them.
public final class Coordinator: Sendable {
  /// What is asked for.
  public struct Request: Sendable {
    /// Determines every case.
    public var seed: UInt64 = 1
    /// Run everything, not a part that the seed draws.
    public var isFull = false
    /// The classes, or nil for all.
    public var classes: [String]?
    /// The one case, or nil for all.
    public var onlyCase: Int?
    /// The most cases of each class, from the first on; nil for all.
    public var casesMax: Int?
    /// End with the first failure.
    public var endsWithFailure = false
    /// How many workers run at a time.
    public var workers = 2

    /// Everything, with seed 1.
    public init() {}
  }

  private struct State {
    var remaining: [(place: Int, number: Int)] = []
    var totals: [CaseResult] = []
    var casesDone: [Int] = []
    var trapped = 0
    /// What replays the first failures, and what failed.
    var failures: [String] = []
    var workersRunning = 0
  }

  private let request: Request
  private let program: URL
  private let classes: [any FaultClass]
  private let state = Mutex(State())
  private let began = ContinuousClock.now
  private static let failuresMax = 20
  /// A case takes seconds; one that takes so long hangs.
  private static let secondsMax = isAddressSanitized ? 1200 : 120

  /// - Parameter program: What is started as a worker: this program.
  public init(_ request: Request, program: URL) {
    self.request = request
    self.program = program
    classes = faultClasses.filter { request.classes?.contains($0.name) ?? true }
  }

  /// Runs everything; shows progress on standard error and prints the result as the last line.
  ///
  /// - Returns: Whether nothing went wrong.
  public func run() -> Bool {
    state.withLock { state in
      state.totals = classes.map { _ in CaseResult() }
      state.casesDone = classes.map { _ in 0 }
      state.remaining = classes.enumerated().flatMap { place, faults in
        numbers(of: faults).map { (place, $0) }
      }
      state.remaining.reverse()
      state.workersRunning = request.workers
    }
    for _ in 0..<request.workers { Thread { self.work() }.start() }
    let isTerminal = isatty(2) == 1
    var lastShown = 0.0
    while state.withLock({ $0.workersRunning }) > 0 {
      Thread.sleep(forTimeInterval: 0.1)
      guard seconds - lastShown > (isTerminal ? 0.5 : 15) else { continue }
      lastShown = seconds
      say((isTerminal ? "\r\u{1B}[K" : "") + progress + (isTerminal ? "" : "\n"))
    }
    if isTerminal { say("\r\u{1B}[K") }
    return printResult()
  }

  private func numbers(of faults: any FaultClass) -> [Int] {
    if let number = request.onlyCase { return [number] }
    let count = faults.caseCount(isFull: request.isFull)
    return Array(0..<min(count, request.casesMax ?? count))
  }

  private func work() {
    var worker: WorkerProcess?
    while let next = state.withLock({ $0.remaining.popLast() }) {
      let faults = classes[next.place]
      do {
        let running =
          try worker ?? WorkerProcess(program, seed: request.seed, isFull: request.isFull)
        worker = running
        if let result = running.result(
          of: faults.name, next.number, secondsMax: Self.secondsMax)
        {
          add(result, of: next)
        } else {
          worker = nil
          state.withLock { $0.trapped += 1 }
          tell(faults.name, next.number, ["trapped: \(running.end())"])
        }
      } catch {
        state.withLock { $0.trapped += 1 }
        tell(faults.name, next.number, ["no worker: \(error)"])
      }
    }
    _ = worker?.end()
    state.withLock { $0.workersRunning -= 1 }
  }

  private func add(_ result: CaseResult, of job: (place: Int, number: Int)) {
    state.withLock { state in
      state.casesDone[job.place] += 1
      state.totals[job.place].checks += result.checks
      state.totals[job.place].lost += result.lost
      state.totals[job.place].wrong += result.wrong
      state.totals[job.place].trapped += result.trapped
      state.totals[job.place].further.merge(result.further, uniquingKeysWith: +)
      // The workers share the cases as they please: their order must not matter.
      state.totals[job.place].stateHash &+= ContentHash.mix(
        UInt64(job.number), result.stateHash)
    }
    if !result.failures.isEmpty { tell(classes[job.place].name, job.number, result.failures) }
  }

  // MARK: What is shown

  private var seconds: Double {
    let time = (ContinuousClock.now - began).components
    return Double(time.seconds) + Double(time.attoseconds) / 1e18
  }

  private func tell(_ name: String, _ number: Int, _ failures: [String]) {
    let full = request.isFull ? " FULL=1" : ""
    let replay = "SEED=\(request.seed) CLASS=\(name) CASE=\(number)\(full)"
    state.withLock { state in
      if request.endsWithFailure { state.remaining = [] }
      if state.failures.count < Self.failuresMax {
        state.failures.append("\(replay): \(failures.first ?? "")")
      }
    }
    say("\(failures.joined(separator: "\n"))\n  replay: Scripts/simulate \(replay)\n")
  }

  private var progress: String {
    state.withLock { state in
      let parts = classes.indices.compactMap { place -> String? in
        let all = numbers(of: classes[place]).count
        guard state.casesDone[place] > 0, all > 0 else { return nil }
        let percent = state.casesDone[place] * 100 / all
        return "\(classes[place].name) \(percent) % (\(state.totals[place].checks))"
      }
      return "\(Int(seconds)) s: \(parts.joined(separator: ", "))"
    }
  }

  private func printResult() -> Bool {
    let (totals, workersTrapped, failures) = state.withLock {
      ($0.totals, $0.trapped, $0.failures)
    }
    var parts = ["\"seed\":\(request.seed)"]
    var hash = request.seed
    for (faults, total) in zip(classes, totals) {
      parts.append("\"\(faults.name)\":\(total.checks)")
      parts += total.further.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
      hash = ContentHash.mix(hash, total.stateHash)
    }
    let lost = totals.reduce(0) { $0 + $1.lost }
    let wrong = totals.reduce(0) { $0 + $1.wrong }
    let trapped = totals.reduce(workersTrapped) { $0 + $1.trapped }
    parts += ["\"lost\":\(lost)", "\"wrong\":\(wrong)", "\"trapped\":\(trapped)"]
    parts.append("\"seconds\":\((seconds * 10).rounded() / 10)")
    parts.append("\"state\":\"\(String(hash, radix: 16))\"")
    if !failures.isEmpty, let list = try? JSONEncoder().encode(failures) {
      parts.append("\"failures\":\(String(decoding: list, as: UTF8.self))")
    }
    print("{\(parts.joined(separator: ","))}")
    return lost + wrong + trapped == 0
  }

  private func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
