/// Points in time as text: ISO 8601 in the profile of RFC 3339, in the Gregorian calendar.
///
/// A point in time is a number of seconds since the beginning of 2001 in UTC, like Foundation's `Date`.
package enum TimeText {
  /// The number of days from 1 January 1970 to 1 January 2001.
  package static let referenceDay = 11_323
  /// The seconds of the years from 1 to 9999, which have four digits.
  private static let secondsOfYears = -63_113_904_000.0..<252_423_993_600.0

  // MARK: Writing

  /// A point in time such as 2013-01-31T05:00:00.25Z, with as many decimals as the exact value needs.
  ///
  /// - Returns: Nil if no such text is exact: outside the years 1 to 9999, and for some fractions
  ///   finer than a billionth of a second.
  package static func text(_ seconds: Double) -> [UInt8]? {
    guard secondsOfYears.contains(seconds) else { return nil }
    let whole = seconds.rounded(.down)
    guard let decimals = decimals(of: seconds, whole: whole) else { return nil }
    let total = Int(whole)
    let dayNumber = total >= 0 ? total / 86_400 : (total + 1) / 86_400 - 1
    let date = civil(dayNumber + referenceDay)
    let second = total - dayNumber * 86_400
    var text: [UInt8] = []
    text.reserveCapacity(24)
    add(date.year, digits: 4, to: &text)
    text.append(UInt8(ascii: "-"))
    add(date.month, digits: 2, to: &text)
    text.append(UInt8(ascii: "-"))
    add(date.day, digits: 2, to: &text)
    text.append(UInt8(ascii: "T"))
    add(second / 3600, digits: 2, to: &text)
    text.append(UInt8(ascii: ":"))
    add(second / 60 % 60, digits: 2, to: &text)
    text.append(UInt8(ascii: ":"))
    add(second % 60, digits: 2, to: &text)
    text.append(contentsOf: decimals)
    text.append(UInt8(ascii: "Z"))
    return text
  }

  /// The decimals behind the whole seconds, with the point.
  private static func decimals(of seconds: Double, whole: Double) -> [UInt8]? {
    let fraction = seconds - whole
    guard fraction != 0 else { return [] }
    for (digits, scale) in [(3, 1e3), (6, 1e6), (9, 1e9)] {
      let units = (fraction * scale).rounded()
      guard units < scale, whole + units / scale == seconds else { continue }
      var text: [UInt8] = [UInt8(ascii: ".")]
      add(Int(units), digits: digits, to: &text)
      return text
    }
    let text = fraction.description
    return text.hasPrefix("0.") && !text.contains("e") ? Array(text.utf8.dropFirst()) : nil
  }

  private static func add(_ number: Int, digits: Int, to text: inout [UInt8]) {
    var power = 1
    for _ in 1..<digits { power *= 10 }
    while power > 0 {
      text.append(UInt8(ascii: "0") + UInt8(number / power % 10))
      power /= 10
    }
  }

  // MARK: Calendar

  package static func dayCount(_ year: Int, _ month: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    default: 31
    }
  }

  /// The number of days from 1 January 1970 to a day.
  ///
  /// Years are counted from March, so that the leap day is the last day, and in eras of 400 years, which have equal length.
  package static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    // Year 0 begins in March of the year before 1: one more era keeps all numbers positive.
    let marchYear = (month > 2 ? year : year - 1) + 400
    let marchMonth = (month + 9) % 12
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return marchYear * 365 + leapDays + (marchMonth * 153 + 2) / 5 + day - 1 - 719_468 - 146_097
  }

  /// The calendar day, in the years from 1 to 9999, that is `days` days after 1 January 1970.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * marchMonth + 2) / 5 + 1
    )
  }
}
