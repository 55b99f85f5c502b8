import Roost
import RoostTestSupport
import Testing

/// Stores in different places, to which the same is done.
@Suite struct SideBySideTests {
  @Test(arguments: 0..<10)
  func aStoreInMemoryDoesWhatAFileDoesThatIsOpenedAgainAndAgain(seed: UInt64) throws {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      if seed.isMultiple(of: 2) { configuration.compaction = .custom { _, _ in true } }
      let open = { [configuration] (location: Location) in
        { try StoreTwin.store(location, configuration) }
      }
      let inFile = open(.file(directory + "/twin.roost"))
      let inMirror = open(.inMemory(mirroredTo: directory + "/mirror.roost"))
      var file = try StoreTwin(inFile(), seed: seed, reopenedBy: inFile)
      var mirrored = try StoreTwin(inMirror(), seed: seed, reopenedBy: inMirror)
      var memory = try StoreTwin(StoreTwin.store(.inMemory), seed: seed)
      for step in 0..<60 {
        let expected = try file.step()
        try expect(memory.step(), expected, "memory, seed \(seed), step \(step)")
        try expect(mirrored.step(), expected, "mirrored, seed \(seed), step \(step)")
      }
      for store in [file.store, mirrored.store, memory.store] {
        #expect(try store.verify() == [])
        store.close()
      }
    }
  }

  private func expect(_ found: [String], _ expected: [String], _ place: String) {
    #expect(found.count == expected.count, "\(place)")
    for (found, expected) in zip(found, expected) { #expect(found == expected, "\(place)") }
  }
}
