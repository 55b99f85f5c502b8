import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// Changed files with a ring: an error or the right answer, never a trap, never another answer.
@Suite struct RingMutationTests {
  private static let fixture = Result { try RingFixture(books: 60, commits: 8, ringUnits: 64) }

  /// A ring with records of several laps: the last ones lie at its beginning.
  private static func ring(of fixture: RingFixture) throws -> RingFile {
    var ring = RingFile(fixture.first, start: 10 * Unit.bytes, seed: 3)
    for (index, file) in fixture.files.enumerated() {
      let record = try ring.makeRecord(of: file, images: index % 4 == 3)
      ring.append(record, index == 5 ? .start : index % 3 == 1 ? .nextUnit : .behind)
    }
    return ring
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func noChangeOfARingOrASlotMakesAnotherAnswer(seed: UInt64) throws {
    let fixture = try Self.fixture.get()
    let whole = try Self.ring(of: fixture)
    var random = SeededGenerator(seed: seed)
    var refused = 0
    var older = 0
    for _ in 0..<60 {
      var image = whole.bytes
      let record = whole.records[Int(random.next() % UInt64(whole.records.count))]
      let place =
        random.chance(1, in: 8)
        ? whole.slot + Int.random(in: 0..<256, using: &random)
        : random.chance(1, in: 8)
          ? Int.random(in: whole.ring, using: &random) : Int.random(in: record, using: &random)
      switch random.next() % 4 {
      case 0: image[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: image[place] &+= UInt8.random(in: 1...255, using: &random)
      case 2: for offset in place / 512 * 512..<place / 512 * 512 + 512 { image[offset] = 0 }
      default:
        for offset in place / 512 * 512..<place / 512 * 512 + 512 {
          image[offset] = whole.bytes[record.lowerBound + offset % record.count]
        }
      }
      let snapshot: EngineSnapshot
      do throws(EngineError) {
        snapshot = try RingFixture.open(image, isReadOnly: true).snapshot()
      } catch {
        guard case .corrupt = error else { throw error }
        refused += 1
        continue
      }
      let index = try #require(fixture.readings.firstIndex(of: StoreReading(snapshot)))
      // All but the last one are known durable.
      #expect(index >= 7)
      if index == 7 { older += 1 }
      #expect(try snapshot.verify() == [])
    }
    #expect(refused > 20)
    #expect(older > 0)
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func recordsThatSayOtherThingsWithTheRightChecksumAreRefusedOrFound(seed: UInt64) throws {
    let fixture = try Self.fixture.get()
    let whole = try Self.ring(of: fixture)
    var random = SeededGenerator(seed: seed)
    var sound = 0
    for _ in 0..<60 {
      var ring = whole
      // Of any other record the next one's chain value would be wrong.
      let record = whole.records[7]
      let end = random.chance(1, in: 2) ? min(record.count, 300) : record.count
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let place = record.lowerBound + Int.random(in: 4..<end - 8, using: &random)
        let byte = ring.bytes[place]
        ring.set(
          [byte ^ 1 << UInt8(random.next() % 8), 0, 255, byte &+ 1][Int(random.next() % 4)],
          at: place)
      }
      ring.seal(record)
      guard let engine = try? RingFixture.open(ring.bytes, isReadOnly: true) else { continue }
      let snapshot = engine.snapshot()
      let reading = StoreReading(snapshot)
      let disk = SimulatedDisk()
      disk.install(ring.bytes, at: RingFixture.path)
      _ = try? Engine.salvage(RingFixture.path, to: "saved.roost", in: disk)
      guard try snapshot.verify() == [] else { continue }
      sound += 1
      #expect(fixture.readings[7...].contains(reading))
    }
    #expect(sound < 40)
  }
}
