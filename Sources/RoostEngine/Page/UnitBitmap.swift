/// A set of the 16,384 units of one 64 MiB segment, with a search for runs.
///
/// The file's free space and the page cache's memory both use these sets.
struct UnitBitmap: Sendable {
  /// A bit for each unit; empty as long as the set contains all units or none, when the count is enough.
  private var words: [UInt64] = []
  /// The number of units in the set.
  private(set) var count = 0
  /// No run in the set is longer than this.
  private(set) var longestRunBound = 0
  /// No unit of the words before this one is in the set.
  private var firstWord = 0

  /// Adds units and returns how many of them were not in the set before.
  mutating func insert(_ range: Range<Int>) -> Int {
    if range.count == Unit.segmentUnits { return fill() }
    if words.isEmpty {
      guard count == 0 else { return 0 }
      makeWords()
    }
    var added = 0
    forEachWord(range) { word, mask in
      added += (mask & ~word).nonzeroBitCount
      word |= mask
    }
    count += added
    if !range.isEmpty { firstWord = min(firstWord, range.lowerBound >> 6) }
    if !range.isEmpty, longestRunBound < Unit.segmentUnits {
      let start = previous(before: range.lowerBound).map { $0 + 1 } ?? 0
      let end = next(from: range.upperBound, isIn: false) ?? Unit.segmentUnits
      longestRunBound = max(longestRunBound, end - start)
    }
    return added
  }

  /// Adds all units and returns how many were not in the set before.
  private mutating func fill() -> Int {
    let added = Unit.segmentUnits - count
    words = []
    count = Unit.segmentUnits
    longestRunBound = Unit.segmentUnits
    firstWord = 0
    return added
  }

  /// Allocates the words for a set that contains some units but not all.
  private mutating func makeWords() {
    words = [UInt64](repeating: count > 0 ? .max : 0, count: Unit.segmentUnits / 64)
  }

  /// True if the set contains all units, false if none; nil if it contains or may contain only some.
  var isUniform: Bool? { words.isEmpty ? count > 0 : nil }

  /// The bits of 64 units, from a multiple of 64 on.
  func word(at unit: Int) -> UInt64 { words.isEmpty ? (count > 0 ? .max : 0) : words[unit >> 6] }

  /// Whether all units of a range are in the set.
  func contains(_ range: Range<Int>) -> Bool {
    if words.isEmpty { return range.isEmpty || count > 0 }
    var position = range.lowerBound
    while position < range.upperBound {
      let (index, mask, next) = UnitBitmap.step(position, range.upperBound)
      guard words[index] & mask == mask else { return false }
      position = next
    }
    return true
  }

  /// Removes units and returns how many of them were in the set.
  mutating func remove(_ range: Range<Int>) -> Int {
    if words.isEmpty {
      guard count > 0 else { return 0 }
      makeWords()
    }
    var removed = 0
    forEachWord(range) { word, mask in
      removed += (mask & word).nonzeroBitCount
      word &= ~mask
    }
    count -= removed
    longestRunBound = min(longestRunBound, count)
    return removed
  }

  /// Removes the first `length` units of a run from the set and returns the first of them.
  ///
  /// - Parameters:
  ///   - shortest: Runs of fewer units are passed by.
  ///   - start: So are units before this one.
  mutating func take(_ length: Int, fromRunsOf shortest: Int = 1, from start: Int = 0) -> Int? {
    let shortest = max(length, shortest)
    guard shortest <= longestRunBound else { return nil }
    if words.isEmpty { makeWords() }
    // Skip words at the front that are empty, so that they are not searched again.
    while firstWord + 1 < words.count, words[firstWord] == 0 { firstWord += 1 }
    let start = max(start, firstWord << 6)
    let found =
      shortest <= 64
      ? firstUnit(ofRunOf: shortest, from: start) : firstLongRun(of: shortest, from: start)
    if let found {
      _ = remove(found..<found + length)
    } else if start == firstWord << 6 {
      longestRunBound = shortest - 1
    }
    return found
  }

  /// Removes the first run of exactly `length` units, at most 63, from the set and returns its first unit.
  mutating func take(exactly length: Int) -> Int? {
    guard length > 0, length <= longestRunBound, !words.isEmpty else { return nil }
    while firstWord + 1 < words.count, words[firstWord] == 0 { firstWord += 1 }
    var before: UInt64 = 0
    for index in firstWord..<words.count {
      let word = words[index]
      defer { before = word }
      guard word != 0 else { continue }
      let after = index + 1 < words.count ? words[index + 1] : 0
      // The units that begin a run, and of these the ones behind which `length - 1` units are in the set and one is not.
      var starts = word & ~(word &<< 1 | before &>> 63)
      for distance in 1...UInt64(length) where starts != 0 {
        let isIn = word &>> distance | after &<< (64 - distance)
        starts &= distance < length ? isIn : ~isIn
      }
      guard starts != 0 else { continue }
      let found = index << 6 + starts.trailingZeroBitCount
      _ = remove(found..<found + length)
      return found
    }
    return nil
  }

  private func firstLongRun(of shortest: Int, from start: Int) -> Int? {
    var position = start
    while let run = nextRun(from: position) {
      if run.count >= shortest { return run.lowerBound }
      position = run.upperBound
    }
    return nil
  }

  /// The first unit at or after `start` that begins a run of `length` units in the set; `length` is at most 64.
  ///
  /// Examines 64 units at a time: ANDing the set with itself shifted by `n` leaves the units that begin
  /// longer runs, so that a few steps find runs of any length.
  private func firstUnit(ofRunOf length: Int, from start: Int) -> Int? {
    guard start < Unit.segmentUnits else { return nil }
    var index = start >> 6
    var word = words[index] & (UInt64.max << UInt64(start & 63))
    while true {
      if word != 0 {
        var low = word
        var high = index + 1 < words.count ? words[index + 1] : 0
        var known = 1
        while known < length {
          let step = UInt64(min(known, length - known))
          low &= low &>> step | high &<< (64 - step)
          high &= high &>> step
          known += Int(step)
        }
        if low != 0 { return index << 6 + low.trailingZeroBitCount }
      }
      index += 1
      guard index < words.count else { return nil }
      word = words[index]
    }
  }

  /// The first maximal run of units in the set at or after `position`.
  func nextRun(from position: Int) -> Range<Int>? {
    if words.isEmpty {
      return count > 0 && position < Unit.segmentUnits ? position..<Unit.segmentUnits : nil
    }
    guard let start = next(from: position, isIn: true) else { return nil }
    return start..<(next(from: start, isIn: false) ?? Unit.segmentUnits)
  }

  private func next(from position: Int, isIn: Bool) -> Int? {
    guard position < Unit.segmentUnits else { return nil }
    let flip: UInt64 = isIn ? 0 : .max
    var index = position >> 6
    var word = (words[index] ^ flip) & (UInt64.max << UInt64(position & 63))
    while word == 0 {
      index += 1
      guard index < words.count else { return nil }
      word = words[index] ^ flip
    }
    return index << 6 + word.trailingZeroBitCount
  }

  /// The last unit before `position` that is not in the set.
  private func previous(before position: Int) -> Int? {
    guard position > 0 else { return nil }
    var index = (position - 1) >> 6
    var word = ~words[index] & (UInt64.max >> UInt64(63 - (position - 1) & 63))
    while word == 0 {
      guard index > 0 else { return nil }
      index -= 1
      word = ~words[index]
    }
    return index << 6 + 63 - word.leadingZeroBitCount
  }

  /// The word and mask of the part of a range that begins at `position`, and the position of the next part.
  private static func step(_ position: Int, _ end: Int) -> (index: Int, mask: UInt64, next: Int) {
    let next = min(end, (position | 63) + 1)
    let width = next - position
    let ones: UInt64 = width == 64 ? .max : (1 << UInt64(width)) - 1
    return (position >> 6, ones << UInt64(position & 63), next)
  }

  private mutating func forEachWord(
    _ range: Range<Int>, _ body: (inout UInt64, UInt64) -> Void
  ) {
    var position = range.lowerBound
    while position < range.upperBound {
      let (index, mask, next) = UnitBitmap.step(position, range.upperBound)
      body(&words[index], mask)
      position = next
    }
  }
}
