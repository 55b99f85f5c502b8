import RoostEngine
import RoostTestSupport
import Testing

/// Reads that end before they should while a store is opened: the file is being cut, or the system fails.
@Suite struct ShortReadTests {
  @Test(arguments: 0..<6 as Range<UInt64>)
  func whicheverReadEndsEarlyAnOlderVersionIsNeverTakenForTheNewest(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let disk = SimulatedDisk(seed: seed)
    var notes: Notes = [:]
    do {
      let store = try NoteStore(disk)
      for _ in 0..<4 { try store.run(&notes, &random, operations: 60) }
    }
    // Closed in the even seeds, without power in the odd ones.
    let whole = seed % 2 == 0 ? disk : disk.crashImage(seed: seed)
    var refused = 0
    for attempt in 0..<8 as Range<UInt64> {
      var read = 1
      while true {
        let image = whole.crashImage(seed: attempt &* 1000 &+ UInt64(read), survival: .everything)
        image.inject(.init(.only(.read), call: read, .readShort(forGood: false)))
        do {
          let store = try NoteStore(image)
          image.removeFaults()
          #expect(try store.notes() == notes)
        } catch {
          refused += 1
          image.removeFaults()
        }
        guard image.counters.failed > 0 else { break }
        // Neither what was opened nor what was refused has written over the newest version.
        var after = notes
        let store = try NoteStore(image)
        #expect(try store.notes() == notes)
        try store.run(&after, &random, operations: 20)
        #expect(try store.notes() == after)
        try store.verify()
        read += 1
      }
    }
    #expect(refused > 0)
  }
}
