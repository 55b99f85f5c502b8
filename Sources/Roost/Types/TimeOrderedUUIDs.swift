internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Makes UUIDs of version 7 (RFC 9562), in ascending order.
///
/// Of the 128 bits, 48 are the milliseconds since 1970 and 74 are random. Within a millisecond, and while the clock is
/// set back, the random bits count up by a random step (§6.2, method 2) and carry into the milliseconds.
package struct TimeOrderedUUIDs {
  private var milliseconds: UInt64 = 0
  /// The 12 random bits behind the version, and the 62 behind the variant.
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  /// Begins at the next millisecond.
  package init() {}

  /// The next UUID, as two big-endian halves.
  package mutating func next(
    at now: UInt64, using random: inout some RandomNumberGenerator
  ) -> (high: UInt64, low: UInt64) {
    if now > milliseconds {
      milliseconds = now
      // Starts in the lower half of the range, so that it rarely overflows.
      high = random.next() & 0x7FF
      low = random.next() & Self.lowMask
    } else {
      low += 1 + random.next() >> 32
      if low > Self.lowMask {
        low &= Self.lowMask
        high += 1
      }
      if high > 0xFFF {
        high = 0
        milliseconds += 1
      }
    }
    return (milliseconds << 16 | 0x7000 | high, 1 << 63 | low)
  }

  private static let lowMask: UInt64 = (1 << 62) - 1

  private static let shared = Mutex(TimeOrderedUUIDs())

  /// The process's next UUID, by the wall clock.
  static func next() -> (high: UInt64, low: UInt64) {
    let now = UInt64(max(0, Date().timeIntervalSince1970 * 1000))
    var random = SystemRandomNumberGenerator()
    return shared.withLock { $0.next(at: now, using: &random) }
  }
}
