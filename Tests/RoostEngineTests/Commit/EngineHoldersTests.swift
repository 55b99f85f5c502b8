import RoostEngine
import Testing

/// What holds an engine that no store has any more.
@Suite struct EngineHoldersTests {
  private final class Held: Sendable {}

  /// The list of an engine that nothing uses.
  private func holders() throws -> EngineHolders {
    try Engine.open("store", in: MemoryFileSystem(), options: EngineOptions()).newest.holders
  }

  @Test func versionsHoldWhatTheLastStoreLeavesUntilTheLastOfThemIsGone() throws {
    let holders = try holders()
    var held: Held? = Held()
    weak let reference = held
    let first = holders.markStore(at: nil)
    let second = holders.markStore(at: nil)
    let versions = [holders.markVersion(1), holders.markVersion(1)]
    #expect(!versions.contains { $0 == nil })
    #expect(!first.end(leaving: Held()))
    #expect(second.end(leaving: held ?? Held()))
    // Once.
    #expect(!second.end(leaving: held ?? Held()))
    held = nil
    #expect(reference != nil)
    versions[0]?.end()
    versions[0]?.end()
    #expect(reference != nil)
    // A reader of a version that is held may hold it too.
    let third = holders.markVersion(2)
    versions[1]?.end()
    #expect(reference != nil)
    third?.end()
    #expect(reference == nil)
  }

  @Test func aStoreThatJoinsTakesWhatIsHeld() throws {
    let holders = try holders()
    var held: Held? = Held()
    weak let reference = held
    let first = holders.markStore(at: nil)
    let version = holders.markVersion(1)
    #expect(first.end(leaving: held ?? Held()))
    let second = holders.markStore(at: nil)
    held = nil
    #expect(reference == nil)
    let other = Held()
    #expect(second.end(leaving: other))
    version?.end()
  }

  @Test func noVersionIsHeldWhereNothingHoldsTheEngine() throws {
    let holders = try holders()
    #expect(holders.markVersion(1) == nil)
    let store = holders.markStore(at: nil)
    let observation = holders.markObservation()
    #expect(!store.end(leaving: Held()))
    #expect(holders.markVersion(1) == nil)
    observation.end()
  }
}
