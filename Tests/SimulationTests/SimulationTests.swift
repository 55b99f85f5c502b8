import RoostSimulation
import Testing

/// A slice of each class of fault; Scripts/simulate runs them whole.
@Suite struct SimulationTests {
  @Test(arguments: 0..<20)
  func afterACrashEveryAcknowledgedCommitIsThereAndNoneInPart(number: Int) {
    expectNoFailure(in: "crash", number)
  }

  @Test(arguments: 0..<6)
  func everySetOfUnsyncedWritesLeavesAVersion(number: Int) {
    expectNoFailure(in: "exhaustive", number)
  }

  @Test(arguments: 0..<20)
  func aCrashInARecoveryOrACompactionLosesNothingMore(number: Int) {
    expectNoFailure(in: "recrash", number)
  }

  @Test(arguments: 0..<10)
  func ofADiskThatLiesAboutSyncsNothingIsReadThatWasNeverCommitted(number: Int) {
    expectNoFailure(in: "lying", number * 7)
  }

  @Test(arguments: 0..<10)
  func onAFullDiskReadingAndDeletingGoOnAndWritingWhenThereIsRoom(number: Int) {
    expectNoFailure(in: "full_disk", number * 7)
  }

  @Test(arguments: 0..<20)
  func writersThatShareSyncsAndWriteBesideOneLoseNothing(number: Int) {
    expectNoFailure(in: "shared_syncs", number)
  }

  @Test(arguments: Array(stride(from: 0, to: 250, by: 11)))
  func whicheverCallFailsTheStoreIsAsBeforeAndGoesOn(number: Int) {
    expectNoFailure(in: "io_errors", number)
  }

  @Test(arguments: 0..<25)
  func whicheverSyncFailsNothingIsWrittenAnyMoreAndReadingGoesOn(number: Int) {
    expectNoFailure(in: "syncs", number)
  }

  @Test(arguments: 0..<10)
  func processesThatMakeAStoreAtOnceLoseNothingWhoeverIsKilled(number: Int) {
    expectNoFailure(in: "creation", number)
  }

  @Test(arguments: 0..<4)
  func realProcessesAtOnePathLoseNothingWhoeverIsKilledOrForks(number: Int) {
    expectNoFailure(in: "processes", number)
  }

  @Test(arguments: 0..<4)
  func aKilledProcessLosesNothingThatItAcknowledged(number: Int) {
    expectNoFailure(in: "kills", number)
  }

  @Test(arguments: 0..<25)
  func aRealRunDoneAgainLosesNothingWhereverThePowerFails(number: Int) {
    expectNoFailure(in: "recorded", number)
  }

  @Test(arguments: 0..<20)
  func randomOperationsGiveWhatTheOracleSays(number: Int) {
    expectNoFailure(in: "model_ops", number)
  }

  @Test(arguments: 0..<10)
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
