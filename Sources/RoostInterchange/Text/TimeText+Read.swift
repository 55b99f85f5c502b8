internal import RoostEngine

extension TimeText {
  /// The seconds in a text; nil if the text is not a date.
  ///
  /// A date without a time is midnight in UTC.
  ///
  /// - Parameter mayLackOffset: Whether a time without `Z` or an offset from UTC is in UTC.
  package static func seconds(
    _ text: ArraySlice<UInt8>, mayLackOffset: Bool = false
  ) -> Double? {
    var input = Input(text)
    guard let year = input.number(4), input.take(UInt8(ascii: "-")), let month = input.number(2),
      1...12 ~= month, input.take(UInt8(ascii: "-")), let day = input.number(2),
      day >= 1, day <= dayCount(year, month)
    else { return nil }
    let days = daysSince1970(year: year, month: month, day: day) - referenceDay
    if input.isAtEnd { return Double(days * 86_400) }
    guard
      input.take(UInt8(ascii: "T")) || input.take(UInt8(ascii: "t"))
        || input.take(UInt8(ascii: " "))
    else { return nil }
    guard let hour = input.number(2), hour < 24, input.take(UInt8(ascii: ":")),
      let minute = input.number(2), minute < 60
    else { return nil }
    var second = 0
    var fraction = 0.0
    if input.take(UInt8(ascii: ":")) {
      // A leap second counts as the first second of the next minute.
      guard let found = input.number(2), found <= 60 else { return nil }
      second = found
      if input.take(UInt8(ascii: ".")) {
        guard let found = input.fraction() else { return nil }
        fraction = found
      }
    }
    let isInUTC = mayLackOffset && input.isAtEnd
    guard let offset = isInUTC ? 0 : input.offset(), input.isAtEnd else { return nil }
    return Double(days * 86_400 + hour * 3600 + minute * 60 + second - offset) + fraction
  }

  private struct Input {
    private var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) { rest = text }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ byte: UInt8) -> Bool {
      guard rest.first == byte else { return false }
      rest = rest.dropFirst()
      return true
    }

    mutating func number(_ digits: Int) -> Int? {
      guard rest.count >= digits else { return nil }
      var number = 0
      for byte in rest.prefix(digits) {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
        number = number * 10 + Int(byte - UInt8(ascii: "0"))
      }
      rest = rest.dropFirst(digits)
      return number
    }

    mutating func fraction() -> Double? {
      let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty else { return nil }
      return WrittenNumber.number([UInt8(ascii: "0"), UInt8(ascii: ".")] + digits, as: Double.self)
    }

    /// The offset from UTC in seconds, positive where the clock is ahead.
    mutating func offset() -> Int? {
      if take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return 0 }
      let isAhead = take(UInt8(ascii: "+"))
      guard isAhead || take(UInt8(ascii: "-")), let hours = number(2), hours < 24 else {
        return nil
      }
      var minutes = 0
      if take(UInt8(ascii: ":")) || !isAtEnd {
        guard let found = number(2), found < 60 else { return nil }
        minutes = found
      }
      let seconds = hours * 3600 + minutes * 60
      return isAhead ? seconds : -seconds
    }
  }
}
