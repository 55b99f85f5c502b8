/// What a workload found; all databases must find the same.
struct Answer {
  private(set) var integers: [Int] = []
  private(set) var numbers: [Double] = []

  init(_ integers: Int...) {
    self.integers = integers
  }

  init(integers: [Int], numbers: [Double]) {
    self.integers = integers
    self.numbers = numbers
  }

  /// Several answers as one.
  init(all answers: [Answer]) {
    integers = answers.flatMap(\.integers)
    numbers = answers.flatMap(\.numbers)
  }

  /// Whether both found the same: integers exactly, sums of floating point up to the order of addition.
  func agrees(with other: Answer) -> Bool {
    integers == other.integers && numbers.count == other.numbers.count
      && zip(numbers, other.numbers).allSatisfy { abs($0 - $1) <= 1e-9 * max(abs($0), abs($1)) }
  }

  /// Adds this answer to a checksum.
  ///
  /// Numbers count by their integral part, which the order of addition leaves alone.
  func add(to checksum: inout Checksum) {
    for integer in integers { checksum.add(integer) }
    for number in numbers where number.magnitude < 0x1p62 { checksum.add(Int(number)) }
  }
}

/// A number made of many: the same for the same numbers in the same order.
struct Checksum {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ integer: Int) {
    value = (value ^ UInt64(bitPattern: Int64(integer))) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
  }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  /// Eight hexadecimal digits to compare by eye.
  var text: String {
    let digits = String(UInt32(truncatingIfNeeded: value ^ value >> 32), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
