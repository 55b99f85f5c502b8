internal import RoostDynamic

/// How far a long work is.
package struct WorkProgress: Equatable, Sendable {
  /// What is done, as "copying", or of which model.
  package var work: String
  /// What is counted, in the plural: "objects", "bytes".
  package var unit: String
  package var done: UInt64
  /// All that is to do; nil where nobody knows.
  package var total: UInt64?

  package init(_ work: String, _ unit: String, done: UInt64, of total: UInt64?) {
    self.work = work
    self.unit = unit
    self.done = done
    self.total = total
  }

  /// Whether it counts the same as another one that was told before, and goes on from there.
  package func continues(_ earlier: WorkProgress) -> Bool {
    unit == earlier.unit && total == earlier.total && done >= earlier.done
  }

  /// The part that is done, from 0 to 1; nil where nobody knows.
  package var share: Double? {
    total.map { $0 == 0 ? 1 : min(1, Double(done) / Double($0)) }
  }

  /// How many a second, after some seconds.
  package func rate(after seconds: Double) -> Double? {
    seconds > 0 && done > 0 ? Double(done) / seconds : nil
  }

  /// The seconds that are left after some seconds; nil before the first per cent is done.
  package func secondsLeft(after seconds: Double) -> Double? {
    guard let share, share >= 0.01, seconds > 0 else { return nil }
    return seconds / share - seconds
  }

  // MARK: Forms

  /// A line for people.
  package func line(after seconds: Double) -> String {
    var parts: [String] = []
    if let share {
      // 100 only where everything is done.
      parts.append("\(Self.bar(share)) \(Int(share * 100)) %")
    } else {
      parts.append(amount(Double(done)))
    }
    if let rate = rate(after: seconds) { parts.append("\(amount(rate))/s") }
    if let left = secondsLeft(after: seconds), done != total {
      parts.append("\(Self.time(left)) left")
    }
    return work + " " + parts.joined(separator: ", ")
  }

  private static func bar(_ share: Double) -> String {
    let (width, filled) = (20, Int(share * 20))
    return String(repeating: "█", count: filled)
      + String(repeating: "░", count: width - filled)
  }

  /// A number with its unit.
  private func amount(_ number: Double) -> String {
    var (number, prefix) = (number, "")
    for next in ["k", "M", "G"] where number >= 999.5 {
      number /= 1000
      prefix = next
    }
    let digits =
      number < 9.95 && !prefix.isEmpty
      ? "\((number * 10).rounded() / 10)" : "\(UInt64(number.rounded()))"
    return unit == "bytes" && !prefix.isEmpty
      ? "\(digits) \(prefix.uppercased())B" : "\(digits)\(prefix) \(unit)"
  }

  private static func time(_ seconds: Double) -> String {
    // A year is no forecast any more.
    let seconds = Int(min(seconds, 31_536_000).rounded(.up))
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }

  /// An object of JSON for programs.
  package func json(after seconds: Double) -> String {
    var members = [
      DynamicValue.Part("work", .string(work)), DynamicValue.Part("unit", .string(unit)),
      DynamicValue.Part("done", .uint(done)),
    ]
    func add(_ name: String, _ value: Double?) {
      guard let value else { return }
      members.append(DynamicValue.Part(name, .double((value * 1000).rounded() / 1000)))
    }
    if let total { members.append(DynamicValue.Part("total", .uint(total))) }
    add("percent", share.map { $0 * 100 })
    add("perSecond", rate(after: seconds))
    add("secondsLeft", done == total ? nil : secondsLeft(after: seconds))
    return DynamicValue.record(members).json
  }
}
