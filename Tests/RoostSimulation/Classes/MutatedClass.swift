import RoostTestSupport

/// Changed files, half of them with checksums made right again, each opened, read and verified in a process of its
/// own: every row is right or an error is thrown, and nothing traps, hangs or takes memory without bound.
struct MutatedClass: FaultClass {
  let name = "mutated"
  let unit = "files"

  private static let files = 1000

  /// 100 times 1000 files.
  func caseCount(isFull: Bool) -> Int { isFull ? 1000 : 100 }

  func run(_ trial: Trial) throws {
    let run = MutationRun(seed: trial.seed, program: MutationRun.programBesideThis)
    let first = trial.number * Self.files
    let result = run.run(first..<first + Self.files, processes: 1)
    trial.count(result.stateHash, checks: result.count)
    trial.add(result.liveHits, to: "mutated_live")
    for text in result.trapped { trial.report(.trapped, text) }
    for text in result.wrong { trial.report(.wrong, text) }
    // Changing what nobody reads would be no test.
    if result.liveHits * 10 < result.count * 6 {
      trial.report(.wrong, "only \(result.liveHits) of \(result.count) changes hit a live unit")
    }
  }
}
