internal import RoostEngine

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A date that was read.
struct SQLiteDateReading {
  var date: Date
  /// Whether the file has it more exactly than a `Date`.
  var isRounded = false
}

/// Reads and writes times as text.
struct SQLiteDateText {
  private let text: ByteView
  /// The place of the next byte.
  private var place = 0

  init(_ text: ByteView) { self.text = text }

  /// The time of the whole text; nil if it is none.
  ///
  /// - Parameter hasOffset: Whether there is an offset from UTC after the time; if not, there must be none. After a day alone,
  ///   there is none.
  mutating func read(hasOffset: Bool) -> SQLiteDateReading? {
    guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
      let day = number(digits: 2), (1...12).contains(month),
      (1...Self.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    var seconds = (Self.daysSince2001(year, month, day)) * 86_400
    var fraction = Fraction()
    if skip("T") || skip(" ") {
      guard let time = self.time(&fraction) else { return nil }
      seconds += time
      if hasOffset {
        guard let offset = self.offset() else { return nil }
        seconds -= offset
      }
    }
    guard place == text.count else { return nil }
    let interval = Double(seconds) + fraction.value
    return SQLiteDateReading(
      date: Date(timeIntervalSinceReferenceDate: interval),
      isRounded: fraction.digits > 6
        && ((interval - Double(seconds)) - fraction.value).magnitude > 5e-10)
  }

  private struct Fraction {
    var digits = 0
    var value = 0.0
  }

  /// Seconds of the day.
  private mutating func time(_ fraction: inout Fraction) -> Int? {
    guard let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2),
      minute < 60
    else { return nil }
    var time = hour * 3600 + minute * 60
    guard skip(":") else { return time }
    guard let second = number(digits: 2), second < 60 else { return nil }
    time += second
    guard skip(".") else { return time }
    var digits = 0
    var scaled = 0
    while let digit = number(digits: 1) {
      digits += 1
      guard digits <= 15 else { return nil }
      scaled = scaled * 10 + digit
    }
    guard digits > 0 else { return nil }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    fraction = Fraction(digits: digits, value: Double(scaled) / scale)
    return time
  }

  /// The offset from UTC in seconds.
  private mutating func offset() -> Int? {
    if skip("Z") { return 0 }
    let sign = skip("+") ? 1 : skip("-") ? -1 : 0
    guard sign != 0, let hours = number(digits: 2), hours < 24 else { return nil }
    _ = skip(":")
    guard let minutes = number(digits: 2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard place < text.count, text.uint8(at: place) == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func number(digits: Int) -> Int? {
    guard place + digits <= text.count else { return nil }
    var number = 0
    for position in place..<place + digits {
      let byte = text.uint8(at: position)
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    place += digits
    return number
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1 January 2001, in the Gregorian calendar of all years.
  private static func daysSince2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // Years begin in March, so that the leap day is the last one.
    let shifted = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 730_791
  }

  /// A date as text in UTC, to the second; nil for years that have not four digits.
  static func text(of date: Date) -> String? {
    let interval = date.timeIntervalSinceReferenceDate.rounded(.down)
    guard interval.magnitude < 1e11 else { return nil }
    let seconds = Int(interval)
    let days = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
    let second = seconds - days * 86_400
    let shifted = days + 730_791
    guard shifted >= 0 else { return nil }
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    guard (0...9999).contains(year) else { return nil }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2)) "
      + "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
  }

  private static func padded(_ number: Int, _ length: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, length - digits.utf8.count)) + digits
  }
}
