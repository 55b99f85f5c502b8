extension XXH3 {
  /// The checksum of more than 240 bytes.
  ///
  /// Eight sums accumulate in parallel over stripes of 64 bytes; stripe *n* of a block uses the secret from
  /// byte 8·*n* on, and the sums are scrambled after each block.
  static func hashLong(
    _ bytes: ByteView, _ secret: ByteView, by steps: (some StripeSteps).Type
  ) -> UInt64 {
    var sums = Lanes(
      prime32x3, prime64x1, prime64x2, prime64x3, prime64x4, prime32x2, prime64x5, prime32x1)
    let base = unsafe bytes.base
    let secretBase = unsafe secret.base

    let lastStripe = bytes.count - stripeBytes
    // The last stripe ends with the bytes, and overlaps the previous stripe unless the stripes fit exactly.
    let blocks = (bytes.count - 1) / blockBytes
    for block in 0..<blocks {
      unsafe steps.add(stripesPerBlock, base + block &* blockBytes, secretBase, to: &sums)
      unsafe steps.scramble(&sums, secretBase + 128, prime32x1)
    }
    let rest = blocks &* blockBytes
    let restStripes = (bytes.count - 1 - rest) / stripeBytes
    unsafe steps.add(restStripes, base + rest, secretBase, to: &sums)
    unsafe steps.add(1, base + lastStripe, secretBase + 121, to: &sums)

    var hash = UInt64(bytes.count) &* prime64x1
    for pair in 0..<4 {
      hash &+= foldedProduct(
        sums[pair * 2] ^ secret.uint64(at: 11 + pair * 16),
        sums[pair * 2 + 1] ^ secret.uint64(at: 19 + pair * 16))
    }
    return avalanche(hash)
  }
}

private let stripesPerBlock = 16
private let blockBytes = stripeBytes * stripesPerBlock
