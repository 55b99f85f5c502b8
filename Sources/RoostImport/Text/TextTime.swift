internal import RoostEngine
internal import RoostInterchange

/// How dates are written in a text file, where they do not say it themselves.
public enum TextDateForm: String, Hashable, Sendable {
  /// As ISO 8601 text, which is in UTC where it has no offset: `2026-01-31 05:00:00`, as `realm2json` writes it.
  case textInUTC
  /// As the number of seconds since 1970.
  case secondsSince1970
  /// As the number of milliseconds since 1970.
  case millisecondsSince1970
  /// As the number of seconds since 2001, the default of `JSONEncoder`.
  case secondsSince2001
}

/// Reads points in time.
enum TextTime {
  /// A time, and whether a part of a nanosecond was lost.
  typealias Reading = (time: RealmValue.Timestamp, isRounded: Bool)

  /// What a number counts.
  enum Unit { case seconds, milliseconds }

  /// A value of a form; nil if it is not in it.
  static func timestamp(_ value: TextValue, _ form: TextDateForm) -> Reading? {
    if case .date(let time) = value { return (time, false) }
    switch (form, value) {
    case (.textInUTC, .string(let text)), (.textInUTC, .field(let text)):
      return timestamp(text, isInUTC: true)
    case (.secondsSince1970, .number(let text)), (.secondsSince1970, .field(let text)):
      return timestamp(number: text, .seconds)
    case (.millisecondsSince1970, .number(let text)), (.millisecondsSince1970, .field(let text)):
      return timestamp(number: text, .milliseconds)
    case (.secondsSince2001, .number(let text)), (.secondsSince2001, .field(let text)):
      return timestamp(number: text, .seconds, since: secondsTo2001)
    default: return nil
    }
  }

  /// From 1970 to 2001.
  private static let secondsTo2001: Int64 = 978_307_200

  /// The time in a number, with every digit; nil if it is no number, or is too large.
  static func timestamp(number text: String, _ unit: Unit, since start: Int64 = 0) -> Reading? {
    guard let halves = WrittenNumber.duration(Array(text.utf8)[...]) else { return nil }
    // Of a billionth of a billionth of the unit.
    let parts = Int128(
      truncatingIfNeeded: UInt128(halves.high ^ FieldType.signBit) << 64 | UInt128(halves.low))
    let perNanosecond: Int128 = unit == .seconds ? 1_000_000_000 : 1_000_000_000_000
    let (nanoseconds, rest) = parts.quotientAndRemainder(dividingBy: perNanosecond)
    let shifted = nanoseconds + Int128(start) * 1_000_000_000
    let (seconds, fraction) = shifted.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard let seconds = Int64(exactly: seconds) else { return nil }
    return (RealmValue.Timestamp(seconds: seconds, nanoseconds: Int32(fraction)), rest != 0)
  }

  /// The time in ISO 8601 text; nil if it is none.
  ///
  /// - Parameter isInUTC: Whether a text without an offset is in UTC. Otherwise only one without a time of day is.
  static func timestamp(_ text: String, isInUTC: Bool = false) -> Reading? {
    var bytes = Array(text.utf8)
    guard bytes.count <= lengthMax else { return nil }
    var digits: ArraySlice<UInt8> = []
    if let point = bytes.firstIndex(of: UInt8(ascii: ".")) {
      digits = bytes[(point + 1)...].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      guard !digits.isEmpty else { return nil }
      digits = Array(digits)[...]
      bytes.removeSubrange(point...(point + digits.count))
    }
    let found =
      TimeText.seconds(bytes[...])
      ?? (isInUTC ? TimeText.seconds((bytes + [UInt8(ascii: "Z")])[...]) : nil)
    guard let found, let whole = Int64(exactly: found) else { return nil }
    let padded =
      digits.prefix(9) + repeatElement(UInt8(ascii: "0"), count: max(0, 9 - digits.count))
    var seconds = whole + secondsTo2001
    var nanoseconds = padded.reduce(Int32(0)) { $0 * 10 + Int32($1 - UInt8(ascii: "0")) }
    if seconds < 0, nanoseconds > 0 {
      seconds += 1
      nanoseconds -= 1_000_000_000
    }
    return (
      RealmValue.Timestamp(seconds: seconds, nanoseconds: nanoseconds),
      digits.dropFirst(9).contains { $0 != UInt8(ascii: "0") }
    )
  }

  /// More than any time needs.
  private static let lengthMax = 256
}
