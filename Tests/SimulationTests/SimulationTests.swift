import RoostSimulation
import Testing

/// A slice of each class of fault, with all workloads; Scripts/simulate runs them whole.
@Suite struct SimulationTests {
  @Test(arguments: 0..<8)
  func afterACrashEveryAcknowledgedCommitIsThereAndNoneInPart(number: Int) {
    expectNoFailure(in: "crash", number * 7)
  }

  @Test(arguments: 0..<3)
  func everySetOfUnsyncedWritesLeavesAVersion(number: Int) {
    expectNoFailure(in: "exhaustive", number)
  }

  @Test(arguments: 0..<7)
  func aCrashInARecoveryOrACompactionLosesNothingMore(number: Int) {
    expectNoFailure(in: "recrash", number * 7)
  }

  @Test(arguments: 0..<4)
  func ofADiskThatLiesAboutSyncsNothingIsReadThatWasNeverCommitted(number: Int) {
    expectNoFailure(in: "lying", number * 7)
  }

  @Test(arguments: 0..<4)
  func onAFullDiskReadingAndDeletingGoOnAndWritingWhenThereIsRoom(number: Int) {
    expectNoFailure(in: "full_disk", number * 7)
  }

  @Test(arguments: 0..<8)
  func writersThatShareSyncsAndWriteBesideOneLoseNothing(number: Int) {
    expectNoFailure(in: "shared_syncs", number)
  }

  @Test(arguments: Array(stride(from: 0, to: 250, by: 27)))
  func whicheverCallFailsTheStoreIsAsBeforeAndGoesOn(number: Int) {
    expectNoFailure(in: "io_errors", number)
  }

  @Test(arguments: Array(stride(from: 0, to: 25, by: 2)))
  func whicheverSyncFailsNothingIsWrittenAnyMoreAndReadingGoesOn(number: Int) {
    expectNoFailure(in: "syncs", number)
  }

  @Test(arguments: 0..<5)
  func processesThatMakeAStoreAtOnceLoseNothingWhoeverIsKilled(number: Int) {
    expectNoFailure(in: "creation", number)
  }

  @Test(arguments: 0..<2)
  func realProcessesAtOnePathLoseNothingWhoeverIsKilledOrForks(number: Int) {
    expectNoFailure(in: "processes", number)
  }

  @Test(arguments: 0..<2)
  func aKilledProcessLosesNothingThatItAcknowledged(number: Int) {
    expectNoFailure(in: "kills", number)
  }

  @Test(arguments: 0..<9)
  func aRealRunDoneAgainLosesNothingWhereverThePowerFails(number: Int) {
    expectNoFailure(in: "recorded", number)
  }

  @Test(arguments: 0..<8)
  func randomOperationsGiveWhatTheOracleSays(number: Int) {
    expectNoFailure(in: "model_ops", number)
  }

  @Test(arguments: 0..<5)
  func aMigrationThatFailsAtAnyCallLeavesWholeStepsAndTheNextOpeningDoesTheRest(number: Int) {
    expectNoFailure(in: "migrations", number)
  }

  private func expectNoFailure(in name: String, _ number: Int, seed: UInt64 = 1) {
    guard let faults = faultClasses.first(where: { $0.name == name }) else {
      Issue.record("no class \(name)")
      return
    }
    let result = faults.result(of: number, seed: seed)
    #expect(result.checks > 0)
    #expect(
      result.failures == [], "Scripts/simulate SEED=\(seed) CLASS=\(name) CASE=\(number)")
  }
}
