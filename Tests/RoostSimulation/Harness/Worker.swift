import Foundation

/// The process that runs cases for a ``Coordinator``: one line in, one line out.
///
/// A process of its own, so that a trap ends only the case that trapped.
public enum Worker {
  /// Runs the cases that standard input names, until it ends.
  public static func run(seed: UInt64, isFull: Bool) {
    let encoder = JSONEncoder()
    while let line = readLine() {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let number = Int(parts[1]),
        let faults = faultClasses.first(where: { $0.name == parts[0] }),
        var reply = try? encoder.encode(faults.result(of: number, seed: seed, isFull: isFull))
      else { return }
      reply.append(10)
      FileHandle.standardOutput.write(reply)
    }
  }
}

/// A worker as its coordinator sees it.
final class WorkerProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var received = Data()

  /// Starts the program as a worker.
  init(_ program: URL, seed: UInt64, isFull: Bool) throws {
    process.executableURL = program
    process.arguments = ["WORKER=1", "SEED=\(seed)", "FULL=\(isFull ? 1 : 0)"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Has a case run; nil where the worker died or said nothing for so long.
  func result(of className: String, _ number: Int, secondsMax: Int) -> CaseResult? {
    guard
      (try? input.fileHandleForWriting.write(contentsOf: Data("\(className) \(number)\n".utf8)))
        != nil
    else { return nil }
    let deadline = ContinuousClock.now + .seconds(secondsMax)
    while true {
      if let end = received.firstIndex(of: 10) {
        let line = received[..<end]
        received = Data(received[(end + 1)...])
        return try? JSONDecoder().decode(CaseResult.self, from: line)
      }
      guard ContinuousClock.now < deadline else { return nil }
      var poll = pollfd(
        fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe Foundation.poll(&poll, 1, 1000) != 0 else { continue }
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { return nil }
      received.append(data)
    }
  }

  /// How the worker ended, after ending it.
  func end() -> String {
    let wasRunning = process.isRunning
    try? input.fileHandleForWriting.close()
    if wasRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    return wasRunning ? "no answer in time" : "signal \(process.terminationStatus)"
  }
}
