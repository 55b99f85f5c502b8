import Roost
import RoostTestSupport
import Testing

/// Stores in different places, to which the same is done.
@Suite struct SideBySideTests {
  @Test(arguments: 0..<10)
  func aStoreInMemoryDoesWhatAFileDoes(seed: UInt64) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/twin.roost"
      let open = { try Store(.file(path), models: Player.self, Club.self) }
      var file = try StoreTwin(open(), seed: seed)
      let inMemory = try Store(.inMemory, models: Player.self, Club.self)
      var memory = try StoreTwin(inMemory, seed: seed)
      for step in 0..<60 {
        let expected = file.step()
        let found = memory.step()
        #expect(found.count == expected.count)
        for (found, expected) in zip(found, expected) {
          #expect(found == expected, "seed \(seed), step \(step)")
        }
      }
      #expect(try file.store.verify() == [])
      #expect(try memory.store.verify() == [])
      file.store.close()
    }
  }
}
