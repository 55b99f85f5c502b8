extension XXH3 {
  /// The checksum of more than 240 bytes, with vector instructions.
  ///
  /// Eight sums accumulate in parallel over stripes of 64 bytes; stripe *n* of a block uses the secret from
  /// byte 8·*n* on, and the sums are scrambled after each block.
  static func hashLong(_ bytes: ByteView, _ secret: ByteView) -> UInt64 {
    var sums = Lanes(
      prime32x3, prime64x1, prime64x2, prime64x3, prime64x4, prime32x2, prime64x5, prime32x1)
    let base = unsafe bytes.base
    let secretBase = unsafe secret.base

    let lastStripe = bytes.count - stripeBytes
    // The last stripe ends with the bytes, and overlaps the previous stripe unless the stripes fit exactly.
    let blocks = (bytes.count - 1) / blockBytes
    for block in 0..<blocks {
      unsafe add(stripes: stripesPerBlock, from: base + block &* blockBytes, secretBase, to: &sums)
      unsafe scramble(&sums, lanes(secretBase, 128))
    }
    let rest = blocks &* blockBytes
    let restStripes = (bytes.count - 1 - rest) / stripeBytes
    unsafe add(stripes: restStripes, from: base + rest, secretBase, to: &sums)
    unsafe add(lanes(base, lastStripe), lanes(secretBase, 121), to: &sums)

    var hash = UInt64(bytes.count) &* prime64x1
    for pair in 0..<4 {
      hash &+= foldedProduct(
        sums[pair * 2] ^ secret.uint64(at: 11 + pair * 16),
        sums[pair * 2 + 1] ^ secret.uint64(at: 19 + pair * 16))
    }
    return avalanche(hash)
  }
}

/// Eight sums; the compiler puts them into as many vector registers as the machine needs.
private typealias Lanes = SIMD8<UInt64>

private let stripeBytes = 64
private let stripesPerBlock = 16
private let blockBytes = stripeBytes * stripesPerBlock

// The offsets are sums of whole stripes below the bytes' count, which `hashLong` has computed, and
// fixed offsets in the secret.
@inline(__always)
private func lanes(_ base: UnsafeRawPointer, _ offset: Int) -> Lanes {
  unsafe base.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
}

@inline(__always)
private func add(
  stripes: Int, from base: UnsafeRawPointer, _ secret: UnsafeRawPointer, to sums: inout Lanes
) {
  var stripe = 0
  while stripe < stripes {
    unsafe add(lanes(base, stripe &* stripeBytes), lanes(secret, stripe &* 8), to: &sums)
    stripe &+= 1
  }
}

/// Adds a stripe: each lane gains its neighbour's bytes and the product of its own keyed halves.
@inline(__always)
private func add(_ data: Lanes, _ secret: Lanes, to sums: inout Lanes) {
  let keyed = data ^ secret
  let neighbours = Lanes(
    data[1], data[0], data[3], data[2], data[5], data[4], data[7], data[6])
  sums &+= neighbours &+ lowHalves(keyed) &* highHalves(keyed)
}

@inline(__always)
private func scramble(_ sums: inout Lanes, _ secret: Lanes) {
  let mixed = sums ^ (sums &>> Lanes(repeating: 47)) ^ secret
  let prime = Lanes(repeating: XXH3.prime32x1)
  // 64 by 32 bits as two products of 32 by 32 bits, which have an instruction.
  let high = (highHalves(mixed) &* prime) &<< Lanes(repeating: 32)
  sums = lowHalves(mixed) &* prime &+ high
}

@inline(__always)
private func lowHalves(_ lanes: Lanes) -> Lanes { lanes & Lanes(repeating: 0xFFFF_FFFF) }

@inline(__always)
private func highHalves(_ lanes: Lanes) -> Lanes { lanes &>> Lanes(repeating: 32) }
