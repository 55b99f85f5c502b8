/// Whether values stored outside their leaves are valid for their fields.
extension FieldType {
  /// Whether bytes are a value of this type, as ``canHold(_:_:)`` decides for short ones. Consumes the bytes.
  func canHold(
    _ input: inout LongValueInput, _ parts: [ElementColumn]
  ) throws(EngineError) -> Bool {
    switch self {
    case .string, .json: return try input.isUTF8()
    // A number has few digits.
    case .decimal:
      guard input.count <= DecimalBytes.byteCountMax else { return false }
      let bytes = try input.array()
      return bytes.withByteView { DecimalBytes.text($0) != nil }
    case .list, .set, .dictionary: return try input.isCollection(of: parts)
    case .links: return LinkList.canHave(input.count)
    case .compound: return try input.isCompound(of: parts)
    default: return true
    }
  }

  /// Whether what a value of this type is made of says anything about it.
  fileprivate var isFree: Bool { self == .data || self == .blob }
}

extension LongValueInput {
  fileprivate mutating func isUTF8() throws(EngineError) -> Bool {
    var text = UTF8Validator()
    var isValid = true
    try forEachPiece {
      isValid = text.add($0)
      return isValid
    }
    return isValid && text.isAtEnd
  }

  /// A number that is at most the number of bytes of a value.
  private mutating func varint(atMost limit: UInt64) throws(EngineError) -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 35, by: 7) {
      guard let byte = try byte() else { return nil }
      number |= UInt64(byte & 127) << shift
      if byte & 128 == 0 { return number <= limit ? number : nil }
    }
    return nil
  }

  // MARK: Collections (as PackedColumns has them)

  fileprivate mutating func isCollection(
    of parts: [ElementColumn]
  ) throws(EngineError) -> Bool {
    let limit = count
    guard !parts.isEmpty, let elements = try varint(atMost: limit) else { return false }
    for part in parts {
      var nulls: NullBits?
      if part.isOptional {
        let size = (elements + 7) / 8
        nulls = NullBits(try self.part(size))
        guard skip(size) else { return false }
      }
      guard try isColumn(part, of: elements, nulls, lengthMax: limit) else { return false }
    }
    return count == 0
  }

  private mutating func isColumn(
    _ part: ElementColumn, of elements: UInt64, _ nulls: NullBits?, lengthMax: UInt64
  ) throws(EngineError) -> Bool {
    switch part.type.physical {
    case .integer:
      guard let width = try byte(), [1, 2, 4, 8].contains(width) else { return false }
      guard part.type == .bool else { return skip(elements * UInt64(width)) }
      return try areBools(elements, width: width, nulls)
    case .double: return skip(elements * 8)
    case .float: return skip(elements * 4)
    case .uuid: return skip(elements * 16)
    case .bytes: return try areContents(part, elements, nulls, lengthMax: lengthMax)
    }
  }

  private mutating func areBools(
    _ elements: UInt64, width: UInt8, _ nulls: NullBits?
  ) throws(EngineError) -> Bool {
    var nulls = nulls
    for _ in 0..<elements {
      let isNull = try nulls?.next() ?? false
      for place in 0..<width {
        guard let byte = try byte() else { return false }
        guard isNull || byte == 0 || byte == 1 && place == 0 else { return false }
      }
    }
    return true
  }

  private mutating func areContents(
    _ part: ElementColumn, _ elements: UInt64, _ nulls: NullBits?, lengthMax: UInt64
  ) throws(EngineError) -> Bool {
    var nulls = nulls
    var lengths = self
    var total: UInt64 = 0
    for _ in 0..<elements {
      guard let length = try varint(atMost: lengthMax) else { return false }
      total += length
      guard total <= lengthMax else { return false }
    }
    guard !part.type.isFree else { return skip(total) }
    for _ in 0..<elements {
      guard let length = try lengths.varint(atMost: lengthMax), length <= count else {
        return false
      }
      if try nulls?.next() != true {
        var content = try self.part(length)
        guard try part.type.canHold(&content, part.parts) else { return false }
      }
      guard skip(length) else { return false }
    }
    return true
  }

  // MARK: Compounds (as CompoundBytes has them)

  fileprivate mutating func isCompound(of parts: [ElementColumn]) throws(EngineError) -> Bool {
    for part in parts {
      if part.isOptional {
        guard let tag = try byte(), tag <= 1 else { return false }
        if tag == 0 { continue }
      }
      switch part.type.physical {
      case .integer:
        guard part.type == .bool else {
          guard skip(8) else { return false }
          continue
        }
        // Big-endian, with the highest bit flipped.
        for expected in [128, 0, 0, 0, 0, 0, 0] as [UInt8] {
          guard try byte() == expected else { return false }
        }
        guard let last = try byte(), last <= 1 else { return false }
      case .double: guard skip(8) else { return false }
      case .float: guard skip(4) else { return false }
      case .uuid: guard skip(16) else { return false }
      case .bytes: guard try takeText(of: part.type) else { return false }
      }
    }
    return count == 0
  }

  /// Consumes the bytes of one part up to its end; false if they are no value of its type.
  private mutating func takeText(of type: FieldType) throws(EngineError) -> Bool {
    var validator = UTF8Validator()
    var waiting: [UInt8] = []
    func isValid() -> Bool {
      defer { waiting.removeAll(keepingCapacity: true) }
      return waiting.withByteView { validator.add($0) }
    }
    while let byte = try byte() {
      if byte == 0 {
        switch try self.byte() {
        case 255: break
        case 1:
          guard type == .decimal else {
            return type != .string || isValid() && validator.isAtEnd
          }
          return waiting.withByteView { DecimalBytes.text($0) != nil }
        default: return false
        }
      }
      waiting.append(byte)
      guard waiting.count > 4096 else { continue }
      if type == .decimal { return false }
      if type == .string, !isValid() { return false }
      waiting.removeAll(keepingCapacity: true)
    }
    return false
  }
}

/// The bits that say which elements are null, one after the other.
private struct NullBits {
  private var input: LongValueInput
  private var bits: UInt8 = 0
  private var place: UInt8 = 8

  init(_ input: LongValueInput) { self.input = input }

  /// Whether the next element is null.
  mutating func next() throws(EngineError) -> Bool {
    if place == 8 {
      bits = try input.byte() ?? 0
      place = 0
    }
    defer { place += 1 }
    return bits >> place & 1 == 1
  }
}
