/// A file's random identity.
package struct StoreIdentity: Hashable, Sendable {
  /// The first eight bytes, little-endian.
  package var low: UInt64
  /// The last eight bytes.
  package var high: UInt64

  /// A new identity from the system's random numbers.
  static func random() -> StoreIdentity {
    var generator = SystemRandomNumberGenerator()
    return StoreIdentity(low: generator.next(), high: generator.next())
  }
}

/// The first unit of a file, which never changes after the file was created.
package struct FileHeader: Equatable, Sendable {
  package static let formatNumber: UInt32 = 1
  private static let magic: [UInt8] = [
    0x89, 0x52, 0x6F, 0x6F, 0x73, 0x74, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0, 0, 0,
  ]

  package let identity: StoreIdentity

  init(identity: StoreIdentity) { self.identity = identity }

  /// Reads and checks the header of the file at `path`.
  ///
  /// - Parameter isWhole: Whether the file is long enough to hold a header.
  package init(_ bytes: ByteView, isWhole: Bool, path: String) throws(EngineError) {
    let magic = bytes.slice(0, Self.magic.count).array
    guard magic == Self.magic else { throw .notARoostFile(path: path) }
    guard isWhole else { throw .truncated(path: path) }
    let format = bytes.uint32(at: 16)
    guard bytes.uint64(at: Unit.bytes - 8) == XXH3.hash(bytes.slice(0, Unit.bytes - 8)) else {
      throw .corrupt(Corruption(.header, unit: 0))
    }
    guard format >= Self.formatNumber else { throw .fileIsOlder(format: format) }
    guard format == Self.formatNumber, bytes.uint32(at: 20) == UInt32(Unit.bytes) else {
      throw .fileIsNewer(features: ["file format \(format)"])
    }
    identity = StoreIdentity(low: bytes.uint64(at: 24), high: bytes.uint64(at: 32))
  }

  func store(in bytes: MutableByteView) {
    bytes.zero()
    for (offset, byte) in Self.magic.enumerated() { bytes.store(byte, at: offset) }
    bytes.store(Self.formatNumber, at: 16)
    bytes.store(UInt32(Unit.bytes), at: 20)
    bytes.store(identity.low, at: 24)
    bytes.store(identity.high, at: 32)
    bytes.store(XXH3.hash(bytes.readOnly.slice(0, Unit.bytes - 8)), at: Unit.bytes - 8)
  }
}
