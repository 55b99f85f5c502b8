/// XXH3-64 with seed 0 and the default secret: the checksum of everything in a file.
///
/// It is about as fast as reading memory and detects damage; it does not protect against forgery. The
/// algorithm is Yann Collet's, <https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md>.
/// Swift runs on little-endian machines only, which the vector loads rely on.
package enum XXH3 {
  /// The checksum of a view's bytes.
  @inline(never)
  package static func hash(_ view: ByteView) -> UInt64 {
    unsafe secret.withUnsafeBytes { secret in
      unsafe hash(view, secret: ByteView(secret), by: Steps.self)
    }
  }

  /// The checksum of a buffer's bytes.
  package static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    unsafe hash(ByteView(bytes))
  }

  /// The checksum of a view's bytes, by vectors or by integers.
  package static func hash(_ view: ByteView, by steps: (some StripeSteps).Type) -> UInt64 {
    unsafe secret.withUnsafeBytes { secret in
      unsafe hash(view, secret: ByteView(secret), by: steps)
    }
  }

  #if DEBUG
  private typealias Steps = IntegerSteps
  #else
  private typealias Steps = VectorSteps
  #endif

  private static func hash(
    _ bytes: ByteView, secret: ByteView, by steps: (some StripeSteps).Type
  ) -> UInt64 {
    switch bytes.count {
    case 241...: hashLong(bytes, secret, by: steps)
    case 129...: hash129To240(bytes, secret)
    case 17...: hash17To128(bytes, secret)
    case 9...: hash9To16(bytes, secret)
    case 4...: hash4To8(bytes, secret)
    case 1...: hash1To3(bytes, secret)
    default: avalanche64(secret.uint64(at: 56) ^ secret.uint64(at: 64))
    }
  }
}

// MARK: - Constants

extension XXH3 {
  static let prime32x1: UInt64 = 0x9E37_79B1
  static let prime32x2: UInt64 = 0x85EB_CA77
  static let prime32x3: UInt64 = 0xC2B2_AE3D
  static let prime64x1: UInt64 = 0x9E37_79B1_85EB_CA87
  static let prime64x2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  static let prime64x3: UInt64 = 0x1656_67B1_9E37_79F9
  static let prime64x4: UInt64 = 0x85EB_CA77_C2B2_AE63
  static let prime64x5: UInt64 = 0x27D4_EB2F_1656_67C5
  static let primeMix1: UInt64 = 0x1656_6791_9E37_79F9
  static let primeMix2: UInt64 = 0x9FB2_1C65_1E98_DF25

  /// The default secret: 192 random bytes that the algorithm fixes.
  private static let secret: [UInt8] = [
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
  ]
}

// MARK: - Short inputs

extension XXH3 {
  private static func hash1To3(_ bytes: ByteView, _ secret: ByteView) -> UInt64 {
    let first = UInt64(bytes.uint8(at: 0))
    let middle = UInt64(bytes.uint8(at: bytes.count >> 1))
    let last = UInt64(bytes.uint8(at: bytes.count - 1))
    let combined = first << 16 | middle << 24 | last | UInt64(bytes.count) << 8
    return avalanche64(combined ^ UInt64(secret.uint32(at: 0) ^ secret.uint32(at: 4)))
  }

  private static func hash4To8(_ bytes: ByteView, _ secret: ByteView) -> UInt64 {
    let first = UInt64(bytes.uint32(at: 0))
    let last = UInt64(bytes.uint32(at: bytes.count - 4))
    var hash = (last &+ first << 32) ^ secret.uint64(at: 8) ^ secret.uint64(at: 16)
    hash ^= rotatedLeft(hash, 49) ^ rotatedLeft(hash, 24)
    hash &*= primeMix2
    hash ^= (hash >> 35) &+ UInt64(bytes.count)
    hash &*= primeMix2
    return hash ^ hash >> 28
  }

  private static func hash9To16(_ bytes: ByteView, _ secret: ByteView) -> UInt64 {
    let low = bytes.uint64(at: 0) ^ secret.uint64(at: 24) ^ secret.uint64(at: 32)
    let high = bytes.uint64(at: bytes.count - 8) ^ secret.uint64(at: 40) ^ secret.uint64(at: 48)
    return avalanche(UInt64(bytes.count) &+ low.byteSwapped &+ high &+ foldedProduct(low, high))
  }

  private static func hash17To128(_ bytes: ByteView, _ secret: ByteView) -> UInt64 {
    var hash = UInt64(bytes.count) &* prime64x1
    // From both ends to the middle, 16 bytes at a time.
    for pair in 0...(bytes.count - 1) / 32 {
      hash &+= mixed16(bytes, at: pair * 16, secret, at: pair * 32)
      hash &+= mixed16(bytes, at: bytes.count - 16 - pair * 16, secret, at: pair * 32 + 16)
    }
    return avalanche(hash)
  }

  private static func hash129To240(_ bytes: ByteView, _ secret: ByteView) -> UInt64 {
    var hash = UInt64(bytes.count) &* prime64x1
    for part in 0..<8 {
      hash &+= mixed16(bytes, at: part * 16, secret, at: part * 16)
    }
    hash = avalanche(hash)
    for part in 8..<bytes.count / 16 {
      hash &+= mixed16(bytes, at: part * 16, secret, at: (part - 8) * 16 + 3)
    }
    return avalanche(hash &+ mixed16(bytes, at: bytes.count - 16, secret, at: 136 - 17))
  }

  /// Mixes 16 bytes and 16 bytes of the secret to one number.
  @inline(__always)
  private static func mixed16(
    _ bytes: ByteView, at offset: Int, _ secret: ByteView, at secretOffset: Int
  ) -> UInt64 {
    foldedProduct(
      bytes.uint64(at: offset) ^ secret.uint64(at: secretOffset),
      bytes.uint64(at: offset + 8) ^ secret.uint64(at: secretOffset + 8))
  }
}

// MARK: - Mixing

extension XXH3 {
  /// The two halves of the 128-bit product, xored.
  @inline(__always)
  static func foldedProduct(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.low ^ product.high
  }

  /// XXH3's last step, in which every bit affects all others.
  @inline(__always)
  static func avalanche(_ hash: UInt64) -> UInt64 {
    let mixed = (hash ^ hash >> 37) &* primeMix1
    return mixed ^ mixed >> 32
  }

  /// XXH64's last step, which XXH3 uses for the shortest inputs.
  private static func avalanche64(_ hash: UInt64) -> UInt64 {
    var mixed = (hash ^ hash >> 33) &* prime64x2
    mixed = (mixed ^ mixed >> 29) &* prime64x3
    return mixed ^ mixed >> 32
  }

  @inline(__always)
  private static func rotatedLeft(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
  }
}
