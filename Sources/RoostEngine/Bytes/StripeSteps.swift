/// Eight sums.
package typealias Lanes = SIMD8<UInt64>

/// The bytes that are added at a time.
let stripeBytes = 64

/// The two steps that the checksum of many bytes consists of.
package protocol StripeSteps {
  /// Adds stripes, which lie one after the other: each lane gains its neighbour's bytes and the product of its own
  /// keyed halves. The secret moves on by 8 bytes a stripe.
  static func add(
    _ count: Int, _ stripes: UnsafeRawPointer, _ secret: UnsafeRawPointer, to sums: inout Lanes)

  /// Ends a block: mixes each sum with the secret, and multiplies it by a prime of 32 bits.
  static func scramble(_ sums: inout Lanes, _ secret: UnsafeRawPointer, _ prime: UInt64)
}

// The offsets below are those of whole stripes, which the caller has counted in the bytes, and fixed ones in the secret.

/// The steps by vectors: the compiler puts the lanes into as many vector registers as the machine needs.
package enum VectorSteps: StripeSteps {
  @inline(__always)
  package static func add(
    _ count: Int, _ stripes: UnsafeRawPointer, _ secret: UnsafeRawPointer, to sums: inout Lanes
  ) {
    var stripe = 0
    while stripe < count {
      let data = unsafe lanes(stripes, stripe &* stripeBytes)
      let keyed = unsafe data ^ lanes(secret, stripe &* 8)
      let neighbours = Lanes(
        data[1], data[0], data[3], data[2], data[5], data[4], data[7], data[6])
      sums &+= neighbours &+ lowHalves(keyed) &* highHalves(keyed)
      stripe &+= 1
    }
  }

  @inline(__always)
  package static func scramble(
    _ sums: inout Lanes, _ secret: UnsafeRawPointer, _ prime: UInt64
  ) {
    let mixed = unsafe sums ^ (sums &>> Lanes(repeating: 47)) ^ lanes(secret, 0)
    let prime = Lanes(repeating: prime)
    // 64 by 32 bits as two products of 32 by 32 bits, which have an instruction.
    let high = (highHalves(mixed) &* prime) &<< Lanes(repeating: 32)
    sums = lowHalves(mixed) &* prime &+ high
  }

  @inline(__always)
  private static func lanes(_ base: UnsafeRawPointer, _ offset: Int) -> Lanes {
    unsafe base.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
  }

  @inline(__always)
  private static func lowHalves(_ lanes: Lanes) -> Lanes {
    lanes & Lanes(repeating: 0xFFFF_FFFF)
  }

  @inline(__always)
  private static func highHalves(_ lanes: Lanes) -> Lanes { lanes &>> Lanes(repeating: 32) }
}

/// The steps by integers, two lanes at a time.
///
/// A debug build calls functions for each operation on vectors, and takes fifteen times as long with them.
package enum IntegerSteps: StripeSteps {
  package static func add(
    _ count: Int, _ stripes: UnsafeRawPointer, _ secret: UnsafeRawPointer, to sums: inout Lanes
  ) {
    var lane = 0
    while lane < 8 {
      var (even, odd) = (sums[lane], sums[lane &+ 1])
      var data = unsafe stripes + lane &* 8
      var key = unsafe secret + lane &* 8
      var left = count
      while left > 0 {
        let first = unsafe data.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        let second = unsafe data.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        let keyed = unsafe first ^ key.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        let other = unsafe second ^ key.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        even = even &+ second &+ (keyed & 0xFFFF_FFFF) &* (keyed &>> 32)
        odd = odd &+ first &+ (other & 0xFFFF_FFFF) &* (other &>> 32)
        unsafe data += stripeBytes
        unsafe key += 8
        left &-= 1
      }
      sums[lane] = even
      sums[lane &+ 1] = odd
      lane &+= 2
    }
  }

  package static func scramble(
    _ sums: inout Lanes, _ secret: UnsafeRawPointer, _ prime: UInt64
  ) {
    var lane = 0
    while lane < 8 {
      let sum = sums[lane]
      let key = unsafe secret.loadUnaligned(fromByteOffset: lane &* 8, as: UInt64.self)
      sums[lane] = (sum ^ sum &>> 47 ^ key) &* prime
      lane &+= 1
    }
  }
}
