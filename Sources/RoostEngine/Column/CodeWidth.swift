/// The widths that codes may have, in bits.
///
/// 0, 1, 2, 4, 8, 16, 32 and 64 are scanned fastest. 24, 40, 48 and 56 are used where they save at
/// least an eighth.
enum CodeWidth {
  /// The width for codes of 0 to `maximum`.
  static func fitting(_ maximum: UInt64) -> Int {
    let bits = 64 - maximum.leadingZeroBitCount
    return switch bits {
    case 0...2: bits
    case 3...4: 4
    default: (bits + 7) & ~7
    }
  }

  /// Whether the format allows codes of this width.
  static func isLegal(_ width: Int) -> Bool {
    switch width {
    case 0, 1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 64: true
    default: false
    }
  }

  /// The bytes of `count` codes, padded to a multiple of 8.
  static func byteCount(_ width: Int, _ count: Int) -> Int {
    aligned((count * width + 7) / 8 + slack(width))
  }

  /// The bytes after the codes that let a reader load 8 bytes at once.
  private static func slack(_ width: Int) -> Int {
    switch width {
    case 24, 40, 48, 56: 8
    default: 0
    }
  }

  /// The next multiple of 8.
  @inline(__always) static func aligned(_ byteCount: Int) -> Int { (byteCount + 7) & ~7 }
}
