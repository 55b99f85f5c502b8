/// A class of fault: a family of cases, each of which a seed and a number replay.
public protocol FaultClass: Sendable {
  /// The name in commands and in the result.
  var name: String { get }
  /// What a case counts, in the plural.
  var unit: String { get }
  /// How many cases a whole run has; more with `isFull`.
  func caseCount(isFull: Bool) -> Int
  /// Runs one case; throws where something went wrong that the case did not expect.
  func run(_ trial: Trial) throws
}

extension FaultClass {
  /// Runs one case and says what came of it.
  public func result(of number: Int, seed: UInt64, isFull: Bool = false) -> CaseResult {
    let trial = Trial(className: name, number: number, seed: seed, isFull: isFull)
    do { try run(trial) } catch { trial.report(.wrong, "unexpected: \(error)") }
    return trial.result
  }
}

/// All classes of fault, in the order in which they run.
public let faultClasses: [any FaultClass] = [
  CrashClass(), CrashClass(ringUnits: 4), ExhaustiveClass(), RecrashClass(), SharedSyncClass(),
  LyingClass(),
  IOErrorClass(), FullDiskClass(), SyncClass(), CreationClass(), ProcessesClass(), KillClass(),
  RecordedClass(), MutatedClass(), ModelClass(), MigrationsClass(),
]
