/// How the bytes of an extent are made from those of another, as a record of the ring says it (Format.md §7).
///
/// Invariant: the operations are valid. They make exactly ``byteCount`` bytes, and read nothing outside of
/// ``baseByteCount`` bytes.
package struct PageDelta: Equatable, Sendable {
  /// The encoded operations, and up to seven bytes of filling.
  let ops: ArraySlice<UInt8>
  /// The bytes of the extent.
  package let byteCount: Int
  /// The bytes of the base; 0 where there is none.
  package let baseByteCount: Int

  /// Operations that were made here.
  init(_ ops: DeltaOps, byteCount: Int, baseByteCount: Int) {
    self.ops = ops.bytes[...]
    self.byteCount = byteCount
    self.baseByteCount = baseByteCount
  }

  /// Checks encoded operations once, so that they can be applied without a further check.
  ///
  /// - Throws: `.corrupt` unless they are valid.
  /// - Complexity: The number of operations, however many bytes they make.
  package init(
    validating ops: ArraySlice<UInt8>, byteCount: Int, baseByteCount: Int
  ) throws(EngineError) {
    self.ops = ops
    self.byteCount = byteCount
    self.baseByteCount = baseByteCount
    let isValid = ops.withByteView { ops in
      var reader = OpReader(ops, byteCount: byteCount, baseByteCount: baseByteCount)
      while reader.position < byteCount {
        guard reader.next() != nil else { return false }
      }
      return ops.count - reader.offset < RingPlace.alignment
    }
    guard isValid else { throw .corrupt(Corruption(.ringRecord)) }
  }

  /// Makes the extent's bytes.
  ///
  /// - Parameters:
  ///   - base: The bytes of the base, ``baseByteCount`` of them; they lie elsewhere.
  ///   - bytes: Where they are made, ``byteCount`` of them; of any content before.
  package func apply(base: ByteView, into bytes: MutableByteView) {
    precondition(
      base.count == baseByteCount && bytes.count == byteCount, "The bytes have the delta's length.")
    ops.withByteView { ops in
      var reader = OpReader(ops, byteCount: byteCount, baseByteCount: baseByteCount)
      while reader.position < byteCount {
        let place = reader.position
        guard let op = reader.next() else { preconditionFailure("The operations were checked.") }
        switch op {
        case .copy(let source, let count): bytes.copy(base.slice(source, count), at: place)
        case .literal(let source, let count): bytes.copy(ops.slice(source, count), at: place)
        case .zeros(let count): bytes.slice(place, count).zero()
        case .add16(let source, let count, let constant):
          add(UInt16(truncatingIfNeeded: constant), base, source, count, bytes, place)
        case .add32(let source, let count, let constant):
          add(UInt32(truncatingIfNeeded: constant), base, source, count, bytes, place)
        case .add64(let source, let count, let constant):
          add(constant, base, source, count, bytes, place)
        }
      }
    }
  }

  private func add<Word: FixedWidthInteger & BitwiseCopyable>(
    _ constant: Word, _ base: ByteView, _ source: Int, _ count: Int, _ bytes: MutableByteView,
    _ place: Int
  ) {
    let size = MemoryLayout<Word>.size
    for index in 0..<count {
      let word = base.load(at: source + index * size, as: Word.self)
      bytes.store(word &+ constant, at: place + index * size)
    }
  }
}

/// Reads encoded operations one by one, and checks each.
private struct OpReader {
  /// An operation: where its bytes lie in the base or among the operations, and how many bytes or words it makes.
  enum Op {
    case copy(Int, Int)
    case literal(Int, Int)
    case zeros(Int)
    case add16(Int, Int, UInt64)
    case add32(Int, Int, UInt64)
    case add64(Int, Int, UInt64)
  }

  let ops: ByteView
  let byteCount: Int
  let baseByteCount: Int
  /// The offset of the next operation.
  private(set) var offset = 0
  /// The bytes made so far.
  private(set) var position = 0
  /// How much further on than ``position`` a copy reads the base.
  private var shift = 0

  /// More than the bytes of an extent.
  private static let shiftMax: Int64 = 1 << 24

  init(_ ops: ByteView, byteCount: Int, baseByteCount: Int) {
    self.ops = ops
    self.byteCount = byteCount
    self.baseByteCount = baseByteCount
  }

  /// The next operation; nil where it is not valid.
  mutating func next() -> Op? {
    guard let head = number(), let kind = DeltaOps.Kind(rawValue: UInt8(head & 7)) else {
      return nil
    }
    let count = head >> 3
    switch kind {
    case .copy: return copy(count)
    case .copyShifted:
      guard let change = signedNumber(), change.magnitude <= Self.shiftMax.magnitude,
        (Int64(shift) + change).magnitude <= Self.shiftMax.magnitude
      else { return nil }
      shift += Int(change)
      return count == 0 ? .copy(0, 0) : copy(count)
    case .literal:
      guard let count = advance(count, 1), ops.checkedSlice(offset, count) != nil else {
        return nil
      }
      defer { offset += count }
      return .literal(offset, count)
    case .zeros: return advance(count, 1).map { .zeros($0) }
    case .add16: return words(count, 2).map { .add16($0, $1, $2) }
    case .add32: return words(count, 4).map { .add32($0, $1, $2) }
    case .add64: return words(count, 8).map { .add64($0, $1, $2) }
    }
  }

  private mutating func copy(_ count: UInt64) -> Op? {
    let source = position + shift
    guard let count = advance(count, 1), isInBase(source, count) else { return nil }
    return .copy(source, count)
  }

  private mutating func words(_ count: UInt64, _ size: Int) -> (Int, Int, UInt64)? {
    let source = position + shift
    guard let constant = signedNumber(), let count = advance(count, size),
      isInBase(source, count * size)
    else { return nil }
    return (source, count, UInt64(bitPattern: constant))
  }

  private func isInBase(_ source: Int, _ count: Int) -> Bool {
    source >= 0 && source <= baseByteCount && count <= baseByteCount - source
  }

  /// Passes the bytes that an operation makes; nil unless there is at least one, and all lie inside the extent.
  private mutating func advance(_ count: UInt64, _ size: Int) -> Int? {
    guard count > 0, count <= UInt64((byteCount - position) / size) else { return nil }
    position += Int(count) * size
    return Int(count)
  }

  private mutating func signedNumber() -> Int64? {
    number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
  }

  /// A number of seven bits a byte, the lowest first (LEB128); nil where it does not end or has more than 64 bits.
  private mutating func number() -> UInt64? {
    var result: UInt64 = 0
    var bits: UInt64 = 0
    while offset < ops.count {
      let byte = UInt64(ops.uint8(at: offset))
      offset += 1
      guard bits < 63 || byte <= 1 else { return nil }
      result |= (byte & 0x7F) << bits
      if byte < 0x80 { return result }
      bits += 7
    }
    return nil
  }
}
