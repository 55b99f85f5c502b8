internal import RoostEngine

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a column stores times, which SQLite has no type for.
public enum SQLiteDateForm: String, Hashable, Sendable, CaseIterable {
  /// Seconds since 1970, as an integer or a real: `Date.timeIntervalSince1970`, `unixepoch()`.
  case unixSeconds
  /// Milliseconds since 1970, as an integer or a real: what JavaScript and Java write.
  case unixMilliseconds
  /// Seconds since 2001, as an integer or a real: `Date.timeIntervalSinceReferenceDate`, Core Data.
  case since2001
  /// Days since noon on 24 November 4714 BC, as a real or an integer, to the nearest millisecond: `julianday()`.
  case julianDay
  /// A text such as `2026-05-06T07:08:09.123Z` or with `+02:00`; the offset from UTC must be there. A day alone is its start in UTC.
  case iso8601
  /// A text such as `2026-05-06 07:08:09.123`, in UTC: what GRDB writes, and `datetime()`. Also with T, and without the
  /// fraction, the seconds or the time.
  case grdbText
}

/// A `Date`, or an optional one.
public protocol SQLiteDate {
  /// Makes it of a date, or of NULL as nil; nil if it cannot be NULL.
  static func _make(_ date: Date?) -> Self?
}

extension Date: SQLiteDate {
  /// The date.
  @inlinable
  public static func _make(_ date: Date?) -> Date? { date }
}

extension Optional: SQLiteDate where Wrapped == Date {
  /// The date, or nil.
  @inlinable
  public static func _make(_ date: Date?) -> Date?? { .some(date) }
}

extension SQLiteDateForm {
  /// From 1970 to 2001, the reference of `Date`.
  private static let secondsTo2001 = 978_307_200.0
  /// The same reference as a julian day; these begin at noon.
  private static let julianDayOf2001 = 2_451_910.5
  /// Further away a `Date` has not every second.
  private static let secondsMax = Double(1 << 53)

  /// The time of a value; nil if it does not have this form.
  func read(_ value: SQLiteValue) -> SQLiteDateReading? {
    switch self {
    case .unixSeconds:
      return Self.number(value).flatMap { Self.since1970(seconds: $0) }
    case .unixMilliseconds:
      guard let milliseconds = Self.number(value) else { return nil }
      let date = Date(timeIntervalSinceReferenceDate: milliseconds / 1000 - Self.secondsTo2001)
      return Self.checked(
        SQLiteDateReading(
          date: date,
          isRounded: ((date.timeIntervalSinceReferenceDate + Self.secondsTo2001) * 1000
            - milliseconds)
            .magnitude > 1e-3))
    case .since2001:
      return Self.number(value).flatMap {
        Self.checked(SQLiteDateReading(date: Date(timeIntervalSinceReferenceDate: $0)))
      }
    case .julianDay:
      guard let days = Self.number(value) else { return nil }
      let milliseconds = ((days - Self.julianDayOf2001) * 86_400_000).rounded()
      return Self.checked(
        SQLiteDateReading(date: Date(timeIntervalSinceReferenceDate: milliseconds / 1000)))
    case .iso8601, .grdbText:
      guard case .text(let text) = value else { return nil }
      return text.withByteView(read(text:))
    }
  }

  /// The time of a text; nil if it does not have this form, or the form is none of texts.
  func read(text: ByteView) -> SQLiteDateReading? {
    guard self == .iso8601 || self == .grdbText else { return nil }
    var parser = SQLiteDateText(text)
    return parser.read(hasOffset: self == .iso8601)
  }

  private static func since1970(seconds: Double) -> SQLiteDateReading? {
    let interval = seconds - secondsTo2001
    return checked(
      SQLiteDateReading(
        date: Date(timeIntervalSinceReferenceDate: interval),
        isRounded: interval + secondsTo2001 != seconds))
  }

  private static func checked(_ reading: SQLiteDateReading) -> SQLiteDateReading? {
    reading.date.timeIntervalSinceReferenceDate.magnitude < secondsMax ? reading : nil
  }

  private static func number(_ value: SQLiteValue) -> Double? {
    switch value {
    case .integer(let integer): Double(exactly: integer)
    case .real(let real): real.isFinite ? real : nil
    default: nil
    }
  }
}

extension SQLiteDateForm {
  /// A date as ``grdbText``, with as many digits as it takes to read the same date; nil if none does.
  package static func grdbText(_ date: Date) -> String? {
    let interval = date.timeIntervalSinceReferenceDate
    guard interval.isFinite, let seconds = SQLiteDateText.text(of: date) else { return nil }
    let fraction = interval - interval.rounded(.down)
    var scale = 1.0
    for digits in 0...12 {
      defer { scale *= 10 }
      let scaled = (fraction * scale).rounded()
      guard scaled < scale else { continue }
      var text = seconds
      if digits > 0 {
        let number = "\(Int(scaled))"
        text += "." + String(repeating: "0", count: digits - number.utf8.count) + number
      }
      if grdbText.read(.text(text))?.date == date { return text }
    }
    return nil
  }
}
