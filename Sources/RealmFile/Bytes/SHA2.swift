/// SHA-2 (FIPS 180-4) in its two forms of 32-bit words, and the HMAC over them (FIPS 198-1).
///
/// Encrypted Realm files use SHA-224, which swift-crypto does not have; the page of the tool needs SHA-256, and would build all
/// of swift-crypto for it.
package struct SHA2 {
  private var state: [UInt32]
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0
  private let digestBytes: Int

  /// The form of a hash: its initial state, and the length of its digests.
  package enum Form: Sendable {
    case sha224, sha256
  }

  private static let blockBytes = 64

  private init(_ form: Form) {
    switch form {
    case .sha224:
      state = [
        0xc105_9ed8, 0x367c_d507, 0x3070_dd17, 0xf70e_5939, 0xffc0_0b31, 0x6858_1511, 0x64f9_8fa7,
        0xbefa_4fa4,
      ]
      digestBytes = 28
    case .sha256:
      state = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
        0x5be0_cd19,
      ]
      digestBytes = 32
    }
  }

  /// The digest of bytes.
  package static func digest(_ bytes: [UInt8], _ form: Form) -> [UInt8] {
    var hash = SHA2(form)
    hash.update(bytes)
    return hash.finish()
  }

  /// The HMAC of a message under a key of at most 64 bytes.
  static func authentication(of message: [UInt8], key: [UInt8], _ form: Form) -> [UInt8] {
    let padded =
      key.prefix(blockBytes) + [UInt8](repeating: 0, count: max(0, blockBytes - key.count))
    var inner = SHA2(form)
    inner.update(padded.map { $0 ^ 0x36 })
    inner.update(message)
    var outer = SHA2(form)
    outer.update(padded.map { $0 ^ 0x5c })
    outer.update(inner.finish())
    return outer.finish()
  }

  private mutating func update(_ bytes: [UInt8]) {
    byteCount &+= UInt64(bytes.count)
    pending += bytes
    var start = 0
    while pending.count - start >= Self.blockBytes {
      compress(at: start)
      start += Self.blockBytes
    }
    pending.removeFirst(start)
  }

  private mutating func finish() -> [UInt8] {
    let bitCount = byteCount &* 8
    var padding: [UInt8] = [0x80]
    while (pending.count + padding.count) % Self.blockBytes != Self.blockBytes - 8 {
      padding.append(0)
    }
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      padding.append(UInt8(truncatingIfNeeded: bitCount >> shift))
    }
    update(padding)
    var digest: [UInt8] = []
    for word in state.prefix(digestBytes / 4) {
      for shift in stride(from: UInt32(24), through: 0, by: -8) {
        digest.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return digest
  }

  /// Mixes the block that starts at `start` of the pending bytes into the state.
  private mutating func compress(at start: Int) {
    var schedule = [UInt32](repeating: 0, count: 64)
    for index in 0..<16 {
      schedule[index] = pending.load(at: start + 4 * index, as: UInt32.self).byteSwapped
    }
    for index in 16..<64 {
      let early = schedule[index - 15]
      let late = schedule[index - 2]
      let first = early.rotated(7) ^ early.rotated(18) ^ (early >> 3)
      let second = late.rotated(17) ^ late.rotated(19) ^ (late >> 10)
      schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let choice = (e & f) ^ (~e & g)
      let first =
        h &+ (e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)) &+ choice
        &+ roundConstants[index] &+ schedule[index]
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let second = (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ majority
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }
}

extension UInt32 {
  /// The bits, rotated to the right.
  fileprivate func rotated(_ count: UInt32) -> UInt32 { (self >> count) | (self << (32 - count)) }
}

private let roundConstants: [UInt32] = [
  0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
  0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
  0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
  0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
  0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
  0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
  0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
  0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
  0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
  0xc671_78f2,
]
