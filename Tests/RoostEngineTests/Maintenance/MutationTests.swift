import RoostTestSupport
import Testing

/// Changed files: what is read of them is right, and no content traps, hangs or takes memory without bound.
@Suite struct MutationTests {
  @Test(arguments: [1, 2] as [UInt64])
  func noContentOfAFileTrapsHangsOrLiesUnnoticed(seed: UInt64) {
    let run = MutationRun(seed: seed, program: MutationRun.programBesideThis)
    let count = scaled(160)
    let result = run.run(0..<count)
    #expect(result.trapped == [])
    #expect(result.wrong == [])
    #expect(result.count == count)
    #expect(result.sealed == count / 2)
    #expect(result.liveHits * 10 >= result.count * 6)
  }
}
