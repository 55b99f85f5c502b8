import RoostEngine

/// Makes deltas word by word, with every kind of operation; not small ones.
package enum PlainDelta {
  /// Operations that make a page of a base.
  package static func ops(
    from base: [UInt8], to page: [UInt8], _ random: inout SeededGenerator
  ) -> [UInt8] {
    var delta = Writer(base: base, page: page)
    while delta.place < page.count { delta.step(&random) }
    delta.flush()
    return delta.ops.bytes
  }

  private struct Writer {
    let base: [UInt8]
    let page: [UInt8]
    var ops = DeltaOps()
    var place = 0
    /// How much further on than the place a copy reads.
    private var shift = 0
    /// Where the bytes begin that no operation makes yet.
    private var pending = 0
    /// Where each word is in the base.
    private var places: [UInt64: Int] = [:]

    init(base: [UInt8], page: [UInt8]) {
      self.base = base
      self.page = page
      for place in stride(from: 0, to: base.count - 7, by: 8) {
        places[Self.word(base, place), default: place] = place
      }
    }

    mutating func step(_ random: inout SeededGenerator) {
      let same = run(from: place)
      if same >= 8 { return copy(same, from: place) }
      if place + 8 <= page.count, let other = places[Self.word(page, place)], other != place {
        let count = min(64, run(from: other))
        if count >= 16, page[place..<place + 16].contains(where: { $0 != 0 }) {
          return copy(count, from: other)
        }
      }
      let zeros = page[place...].prefix { $0 == 0 }.count
      if zeros >= 8 {
        flush()
        ops.zeros(zeros)
        return advance(zeros)
      }
      if random.chance(1, in: 3), let word = DeltaOps.Word(rawValue: [2, 4, 8][place % 3]),
        place + word.rawValue <= min(page.count, base.count)
      {
        if shift != 0 { return copy(0, from: place) }
        flush()
        ops.add(difference(word.rawValue), to: 1, word)
        return advance(word.rawValue)
      }
      place += 1
    }

    /// Copies bytes of the base; no bytes only move the shift, with the next byte that is the same anywhere.
    private mutating func copy(_ count: Int, from source: Int) {
      guard count > 0 else {
        place += 1
        return
      }
      flush()
      let change = source - place - shift
      if change == 0 { ops.copy(count) } else { ops.copy(count, shiftingBy: change) }
      shift += change
      advance(count)
    }

    private mutating func advance(_ count: Int) {
      place += count
      pending = place
    }

    mutating func flush() {
      guard pending < place else { return }
      Array(page[pending..<place]).withByteView { ops.literal($0) }
      pending = place
    }

    private func run(from source: Int) -> Int {
      zip(page[place...], base[min(source, base.count)...]).prefix { $0 == $1 }.count
    }

    private func difference(_ size: Int) -> Int64 {
      func number(_ bytes: [UInt8]) -> UInt64 {
        (0..<size).reversed().reduce(0) { $0 << 8 | UInt64(bytes[place + $1]) }
      }
      return Int64(bitPattern: number(page) &- number(base))
    }

    private static func word(_ bytes: [UInt8], _ place: Int) -> UInt64 {
      (0..<8).reversed().reduce(0) { $0 << 8 | UInt64(bytes[place + $1]) }
    }
  }
}
