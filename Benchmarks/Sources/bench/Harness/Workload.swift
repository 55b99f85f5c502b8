/// Something that each database does once per round.
struct Workload {
  /// What the option `--only` calls it.
  let name: String
  /// What the table says.
  let title: String
  let unit: Unit
  /// How many objects the databases hold.
  let objects: Int
  /// How many things a round does, where a round's time is given: what growth is measured by.
  var operations = 1
  /// The ratio to SQLite that Roost has to reach, where there is one.
  var target: Double?
  /// How many rounds are run: all that were asked for, or one, where each would find the very same.
  var isDeterministic = false
  /// Whether a round before the first warms the databases up and is not counted.
  var warmsUp = true
  /// Runs a round of one database; nil where that database does not take part.
  let measure: (Subject, Round) throws -> Sample?
}

/// What one round of one database found, and what it took in the workload's unit.
struct Sample {
  let value: Double
  let answer: Answer
}

/// One turn of all databases: they get the same constants, and other ones in each round.
struct Round {
  let number: Int
  let seed: UInt64
  var meter = Meter.time

  /// The generator of a workload's constants.
  func random(for workload: String) -> SplitMix64 {
    var mixed = seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    for byte in workload.utf8 { mixed = (mixed ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return SplitMix64(seed: mixed)
  }
}

enum Unit: String {
  case milliseconds = "ms"
  case microseconds = "µs"
  case mebibytes = "MiB"
  case kibibytes = "KiB"
  case perSecond = "1/s"
  case seconds = "s"
  /// For each operation.
  case allocations

  var moreIsBetter: Bool { self == .perSecond }

  /// A duration in a unit of time.
  func value(_ time: Duration) -> Double {
    switch self {
    case .microseconds: time / .microseconds(1)
    case .seconds: time / .seconds(1)
    default: time / .milliseconds(1)
    }
  }

  /// How much better one value is than another: above 1 where `value` is.
  func ratio(_ value: Double, to other: Double) -> Double {
    // Nothing at all is not endlessly better than something.
    if self == .allocations { return (other + 0.001) / (value + 0.001) }
    return moreIsBetter ? value / other : other / value
  }
}

/// A number with commas between its thousands.
func grouped(_ number: Int) -> String {
  var digits = String(number)
  var index = digits.endIndex
  while let cut = digits.index(index, offsetBy: -3, limitedBy: digits.startIndex),
    cut > digits.startIndex
  {
    digits.insert(",", at: cut)
    index = cut
  }
  return digits
}
