import Foundation
import Roost
import RoostTestSupport
import Testing

/// A file with values of every type, kept in Tests/FormatTests/golden.
///
/// `ROOST_GOLDEN=FILE` in the environment makes it anew; an old one stays.
@Suite struct GoldenTypesTests {
  /// The values of each type, all of them written out, so that they are the same in every library.
  private func withEach(_ body: (any HolderSample) throws -> Void) rethrows {
    try body(Sample<Bool>(values: [true, false]))
    try body(Sample<Int8>(values: [.min, -1, 0, .max]))
    try body(Sample<Int>(values: [.min, -70_000, 300, .max]))
    try body(Sample<UInt64>(values: [0, 1, 1 << 63, .max]))
    try body(Sample<Float>(values: [-1.5, 0, .infinity, .leastNonzeroMagnitude]))
    try body(Sample<Double>(values: [-0.1, 0, -.infinity, .greatestFiniteMagnitude]))
    try body(
      Sample<Decimal>(values: [
        0, -1, 1, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
        Decimal(sign: .minus, exponent: -3, significand: 1_234_567),
      ]))
    try body(Sample<String>(values: ["", "Zoë", "\"\\\n", String(repeating: "long ", count: 300)]))
    try body(Sample<Data>(values: [Data(), Data([0, 255])]))
    try body(
      Sample<Date>(values: [.init(timeIntervalSinceReferenceDate: -0.5), .distantFuture]))
    try body(
      Sample<UUID>(values: [UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))]))
    try body(
      Sample<Duration>(values: [
        .zero, .seconds(-1), .milliseconds(1500),
        Duration(secondsComponent: .max, attosecondsComponent: 1),
      ]))
    try body(Sample<Rank>(values: [.low, .high]))
    try body(
      Sample<Payment>(values: [
        .cash, .card(number: "4/7", expires: nil), .points([1, 2], factor: .infinity),
      ]))
    try body(Sample<[String: [Int]]>(values: [[:], ["b": [1, 2], "a": []]]))
  }

  private func store(_ path: String, isReadOnly: Bool) throws -> Store {
    var configuration = Configuration()
    configuration.isReadOnly = isReadOnly
    return try Store(
      .file(path), models: Holder<Bool>.self, Holder<Int8>.self, Holder<Int>.self,
      Holder<UInt64>.self, Holder<Float>.self, Holder<Double>.self, Holder<Decimal>.self,
      Holder<String>.self, Holder<Data>.self, Holder<Date>.self, Holder<UUID>.self,
      Holder<Duration>.self, Holder<Rank>.self, Holder<Payment>.self, Holder<[String: [Int]]>.self,
      configuration: configuration)
  }

  private var golden: String {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return tests.appendingPathComponent("FormatTests/golden/format-1-types.roost").path
  }

  @Test func aFileWithEveryTypeIsReadAsItWasWritten() throws {
    if let path = ProcessInfo.processInfo.environment["ROOST_GOLDEN"] {
      let store = try store(path, isReadOnly: false)
      try store.write { transaction in try withEach { try $0.insert(into: transaction) } }
    }
    let store = try store(golden, isReadOnly: true)
    #expect(try store.verify().isEmpty)
    try withEach { try $0.check(in: store) }
  }
}

private protocol HolderSample {
  func insert(into transaction: WriteTransaction) throws
  func check(in store: Store) throws
}

private struct Sample<V: RandomValue>: HolderSample {
  let values: [V]

  private var objects: [Holder<V>] {
    (0..<6).map { id in
      func value(_ place: Int) -> V { values[(id + place) % values.count] }
      func maybe(_ place: Int) -> V? { (id + place) % 3 == 0 ? nil : value(place) }
      func box(_ place: Int) -> Box<V> {
        Box(
          value: value(place), inner: Inner(value: value(place + 1)), optional: maybe(place + 2),
          optionalInner: maybe(place).map { Inner(value: $0) })
      }
      let boxes = (0..<id % 3).map(box)
      return Holder(
        id: id - 2, plain: value(0), optional: maybe(0), indexed: maybe(1), box: box(2),
        optionalBox: id % 2 == 0 ? nil : box(3), list: (0..<id).map(value),
        optionals: (0..<id).map(maybe), set: Set((0..<id).map(value)),
        dictionary: id == 0 ? [:] : [value(0): value(1)], boxes: boxes,
        optionalBoxes: id == 3 ? nil : boxes + [nil])
    }
  }

  func insert(into transaction: WriteTransaction) throws {
    try transaction.insert(contentsOf: objects)
  }

  func check(in store: Store) throws {
    #expect(try store.read { try $0.fetch(Holder<V>.all) } == objects)
  }
}
