import RoostSimulation
import Testing

/// A slice of each class of fault; Scripts/simulate runs them whole.
@Suite struct SimulationTests {
  @Test(arguments: 0..<20)
  func afterACrashEveryAcknowledgedCommitIsThereAndNoneInPart(number: Int) {
    expectNoFailure(in: "crash", number)
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
