/// A binary property list, whose objects are read one by one.
///
/// A damaged one may refer to an object many times, so the memory of everything that is read is limited in total.
struct BinaryPropertyList {
  private let bytes: [UInt8]
  private let offsetBytes: Int
  private let referenceBytes: Int
  private let objectCount: Int
  private let offsetTable: Int
  /// The number of the root object.
  let top: Int
  /// How many bytes of memory may still be read.
  private var bytesLeft: Int

  /// An object; ``other`` is one of a type that a model's description does not need.
  enum Object {
    case boolean(Bool)
    case integer(Int)
    case text(String)
    /// A reference to an object of an archive.
    case archived(Int)
    /// The numbers of the elements.
    case array([Int])
    /// The numbers of the keys and of the values.
    case dictionary(keys: [Int], values: [Int])
    case other
  }

  /// nil if the bytes are no binary property list.
  ///
  /// - Parameter bytesReadMax: The most memory that all objects which are read may take.
  init?(_ bytes: [UInt8], bytesReadMax: Int) {
    guard bytes.count >= 40, bytes.starts(with: Array("bplist00".utf8)) else { return nil }
    self.bytes = bytes
    bytesLeft = bytesReadMax
    let end = bytes.count - 32
    offsetBytes = Int(bytes[end + 6])
    referenceBytes = Int(bytes[end + 7])
    guard (1...8).contains(offsetBytes), (1...8).contains(referenceBytes),
      let count = Self.number(bytes, at: end + 8, 8), let top = Self.number(bytes, at: end + 16, 8),
      let table = Self.number(bytes, at: end + 24, 8), table <= end,
      count <= (end - table) / offsetBytes, top < count
    else { return nil }
    objectCount = count
    offsetTable = table
    self.top = top
  }

  /// A big-endian number of up to eight bytes; nil if it is not within the bytes.
  private static func word(_ bytes: [UInt8], at place: Int, _ count: Int) -> UInt64? {
    guard place >= 0, place <= bytes.count - count else { return nil }
    return bytes[place..<place + count].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// As ``word(_:at:_:)``; nil also if the number is too large.
  private static func number(_ bytes: [UInt8], at place: Int, _ count: Int) -> Int? {
    word(bytes, at: place, count).flatMap { Int(exactly: $0) }
  }

  /// Reads an object; nil if there is none of this number, it is damaged, or the limit of memory is reached.
  mutating func object(_ number: Int) -> Object? {
    guard number < objectCount, number >= 0,
      let place = Self.number(bytes, at: offsetTable + number * offsetBytes, offsetBytes),
      place < offsetTable
    else { return nil }
    let low = Int(bytes[place] & 15)
    switch bytes[place] >> 4 {
    case 0:
      guard take(1) else { return nil }
      return low == 8 ? .boolean(false) : low == 9 ? .boolean(true) : .other
    case 1 where low <= 3:
      guard take(8), let word = Self.word(bytes, at: place + 1, 1 << low) else { return nil }
      // Only those of eight bytes have a sign.
      return .integer(Int(truncatingIfNeeded: word))
    case 5, 6:
      return text(at: place, low, isWide: bytes[place] >> 4 == 6)
    case 8 where low < 8:
      guard take(8) else { return nil }
      return Self.number(bytes, at: place + 1, low + 1).map { .archived($0) }
    case 10:
      return elements(at: place, low, of: 1)?.first.map { .array($0) }
    case 13:
      guard let elements = elements(at: place, low, of: 2), elements.count == 2 else { return nil }
      return .dictionary(keys: elements[0], values: elements[1])
    default:
      return take(1) ? .other : nil
    }
  }

  /// Counts the memory of an object; false, from then on, if the limit is reached.
  private mutating func take(_ count: Int) -> Bool {
    // Each also takes some beyond its content.
    guard count <= bytesLeft - 16 else {
      bytesLeft = 0
      return false
    }
    bytesLeft -= count + 16
    return true
  }

  /// How many elements an object has, and where they begin.
  private func count(at place: Int, _ low: Int) -> (count: Int, start: Int)? {
    guard low == 15 else { return (low, place + 1) }
    guard place + 1 < offsetTable, bytes[place + 1] >> 4 == 1, bytes[place + 1] & 15 <= 3 else {
      return nil
    }
    let size = 1 << Int(bytes[place + 1] & 15)
    return Self.number(bytes, at: place + 2, size).map { ($0, place + 2 + size) }
  }

  private mutating func text(at place: Int, _ low: Int, isWide: Bool) -> Object? {
    guard let (count, start) = count(at: place, low), start <= offsetTable,
      count <= (offsetTable - start) / (isWide ? 2 : 1), take(isWide ? 2 * count : count)
    else { return nil }
    guard isWide else {
      return .text(String(decoding: bytes[start..<start + count], as: UTF8.self))
    }
    let units = (0..<count).map {
      UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1])
    }
    return .text(String(decoding: units, as: UTF16.self))
  }

  /// The numbers of an object's elements; a dictionary has two parts, the keys and the values.
  private mutating func elements(at place: Int, _ low: Int, of parts: Int) -> [[Int]]? {
    guard let (count, start) = count(at: place, low), start <= offsetTable,
      count <= (offsetTable - start) / referenceBytes / parts,
      take(count * parts * MemoryLayout<Int>.size)
    else { return nil }
    var result: [[Int]] = []
    for part in 0..<parts {
      var numbers: [Int] = []
      numbers.reserveCapacity(count)
      for element in 0..<count {
        let at = start + (part * count + element) * referenceBytes
        guard let number = Self.number(bytes, at: at, referenceBytes) else { return nil }
        numbers.append(number)
      }
      result.append(numbers)
    }
    return result
  }
}
