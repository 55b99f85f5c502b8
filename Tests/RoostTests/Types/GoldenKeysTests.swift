import Foundation
import Roost
import RoostTestSupport
import Testing

/// A file whose keys are of several values, of every type that a part can have, kept in Tests/FormatTests/golden.
///
/// `ROOST_GOLDEN_KEYS=FILE` in the environment makes it anew; an old one stays.
@Suite struct GoldenKeysTests {
  private func store(_ path: String, isReadOnly: Bool) throws -> Store {
    var configuration = Configuration()
    configuration.isReadOnly = isReadOnly
    return try Store(.file(path), models: Reading.self, configuration: configuration)
  }

  /// Readings in the order of their keys.
  private var readings: [Reading] {
    var readings: [Reading] = []
    for station in ["", "a\0", "a\0b", "aé", "b"] {
      for number in [nil, Int8.min, -1, 0, 5] {
        for half in 0..<2 {
          let place = readings.count
          let id = Reading.ID(
            station: station, number: number, isFinal: half == 1,
            time: Date(timeIntervalSinceReferenceDate: Double(place) * 0.5 - 9),
            device: UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(place))),
            raw: Data([0, 255, UInt8(place)]), size: UInt(place), took: .milliseconds(place - 7),
            price: place % 3 == 0 ? nil : Decimal(place) / 4)
          readings.append(
            Reading(
              id: id, value: Double(place), previous: readings.last.map { Link(id: $0.id) }))
        }
      }
    }
    return readings
  }

  @Test func aFileWithKeysOfSeveralValuesIsReadAsItWasWritten() throws {
    if let path = ProcessInfo.processInfo.environment["ROOST_GOLDEN_KEYS"] {
      try store(path, isReadOnly: false).write { try $0.insert(contentsOf: readings) }
    }
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("FormatTests/golden/format-1-keys.roost")
    let store = try store(golden.path, isReadOnly: true)
    #expect(try store.verify().isEmpty)
    let snapshot = store.snapshot()
    #expect(try snapshot.fetch(Reading.all.order(by: \.id)) == readings)
    for reading in readings {
      #expect(try snapshot.find(Reading.self, id: reading.id) == reading)
      let alike = Reading.where { $0.id.begins(with: reading.id.station, reading.id.number) }
      #expect(
        try snapshot.fetch(alike.order(by: \.id)).map(\.id.number)
          == [reading.id.number, reading.id.number])
    }
  }
}

private struct Reading: Model {
  struct ID: CompoundKey {
    let station: String
    let number: Int8?
    let isFinal: Bool
    let time: Date
    let device: UUID
    let raw: Data
    let size: UInt
    let took: Duration
    let price: Decimal?
    static let parts = KeyParts(
      ID.init, KeyPart("station", \.station), KeyPart("number", \.number),
      KeyPart("isFinal", \.isFinal), KeyPart("time", \.time), KeyPart("device", \.device),
      KeyPart("raw", \.raw), KeyPart("size", \.size), KeyPart("took", \.took),
      KeyPart("price", \.price))
  }
  let id: ID
  var value: Double
  var previous: Link<Reading>?
  static let schema = Schema(
    Reading.init, Key("id", \.id), Field("value", \.value), Field("previous", \.previous))
}
