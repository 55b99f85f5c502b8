import RoostTestSupport

/// One case of a class of fault while it runs: its random numbers, and what was found so far.
public final class Trial {
  /// What went wrong.
  enum Failure: Sendable {
    /// What was acknowledged is not there, or cannot be had.
    case lost
    /// Something else than a version is there, or something is not as it must be.
    case wrong
    /// A process died of it, hung or took too much memory.
    case trapped
  }

  /// What the whole run is determined by.
  let seed: UInt64
  /// The case's number in its class.
  let number: Int
  /// Whether everything is run and not a part that the seed draws.
  let isFull: Bool
  /// Determined by the seed, the class and the case.
  var random: SeededGenerator
  /// What was found so far.
  public private(set) var result = CaseResult()

  init(className: String, number: Int, seed: UInt64, isFull: Bool) {
    self.seed = seed
    self.number = number
    self.isFull = isFull
    var start = seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number)
    for byte in className.utf8 { start = (start ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    random = SeededGenerator(seed: start)
  }

  /// Counts checks, whose outcome goes into the state hash.
  func count(_ outcome: UInt64, checks: Int = 1) {
    result.checks += checks
    note(outcome)
  }

  /// Takes something that the case came to into the state hash.
  func note(_ outcome: UInt64) {
    result.stateHash = ContentHash.mix(result.stateHash, outcome)
  }

  /// Adds to a number that is shown beside what the class counts.
  func add(_ count: Int, to name: String) { result.further[name, default: 0] += count }

  /// Notes a failure.
  func report(_ failure: Failure, _ text: String) {
    switch failure {
    case .lost: result.lost += 1
    case .wrong: result.wrong += 1
    case .trapped: result.trapped += 1
    }
    // The first ones say what is wrong; a thousand more would hide them.
    if result.failures.count < 5 { result.failures.append("\(failure): \(text)") }
  }
}

/// What came of one case.
public struct CaseResult: Codable, Sendable {
  /// How many checks were made.
  public var checks = 0
  /// How often something acknowledged was not there.
  public var lost = 0
  /// How often something was not as it must be.
  public var wrong = 0
  /// How often a process died, hung or took too much memory.
  public var trapped = 0
  /// What else was counted, by name.
  public var further: [String: Int] = [:]
  /// Depends on everything that was found: the same for the same seed, another for another.
  public var stateHash: UInt64 = 0
  /// The first failures, in words.
  public var failures: [String] = []
}

/// Something that the engine did and must not do.
struct Wrong: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
