#if RealmEncryption
internal import Crypto
internal import CryptoExtras
#endif

/// Reads the pages of an encrypted file: AES-256 in CBC mode, each page with an HMAC-SHA-224.
///
/// Each 64 pages follow a page of 64 entries. An entry has the initialization vector and the checksum of its page twice:
/// those of the page's last writing, and of the one before, which holds if a crash came between the entry and the page.
struct PageDecryption {
  /// The bytes in a page.
  static let pageBytes = 4096
  private static let pagesPerTable: UInt64 = 64
  private static let entryBytes = 64

  private let authenticationKey: [UInt8]
  #if RealmEncryption
  private let key: SymmetricKey
  #endif
  private var table: (number: UInt64, bytes: [UInt8])?

  /// Takes the 64 bytes of a key.
  init(key: [UInt8]) throws(RealmFileError) {
    guard key.count == 64 else { throw .keyLength(key.count) }
    authenticationKey = Array(key[32...])
    #if RealmEncryption
    self.key = SymmetricKey(data: key[..<32])
    #else
    throw .encryptionUnavailable
    #endif
  }

  /// The number of decrypted bytes in a file of this size.
  static func byteCount(ofFile bytes: UInt64) -> UInt64 {
    let pages = bytes / UInt64(pageBytes)
    let tables = pages / (pagesPerTable + 1) + (pages % (pagesPerTable + 1) == 0 ? 0 : 1)
    return (pages - tables) * UInt64(pageBytes)
  }

  /// The decrypted page of this number.
  mutating func page(_ number: UInt64, of file: ReadOnlyFile) throws(RealmFileError) -> [UInt8] {
    let zeros = { [UInt8](repeating: 0, count: Self.pageBytes) }
    let entry = try entry(of: number, in: file)
    let first = Vector(entry[..<32])
    let second = Vector(entry[32...])
    // Never written.
    guard first.value != 0 else { return zeros() }
    let tablesBefore = number / Self.pagesPerTable + 1
    let encrypted = try file.read(
      Self.pageBytes, at: (number + tablesBefore) * UInt64(Self.pageBytes))
    let checksum = SHA2.authentication(of: encrypted, key: authenticationKey, .sha224)
    if checksum == first.checksum { return try decrypt(encrypted, number, first.value) }
    if second.value != 0, checksum == second.checksum {
      return try decrypt(encrypted, number, second.value)
    }
    // The file was truncated and grown again.
    if encrypted.allSatisfy({ $0 == 0 }) { return zeros() }
    if number == 0 { throw .wrongKey }
    throw .damaged(at: number * UInt64(Self.pageBytes), .page)
  }

  /// An initialization vector and the checksum of the page that was encrypted with it.
  private struct Vector {
    var value: UInt32
    var checksum: [UInt8]

    init(_ bytes: ArraySlice<UInt8>) {
      value = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
      checksum = Array(bytes.dropFirst(4))
    }
  }

  /// The 64 bytes about a page. The last table is kept: pages are mostly read in order.
  private mutating func entry(
    of number: UInt64, in file: ReadOnlyFile
  ) throws(RealmFileError) -> ArraySlice<UInt8> {
    let tableNumber = number / Self.pagesPerTable
    let place = Int(number % Self.pagesPerTable) * Self.entryBytes
    if table?.number != tableNumber {
      let offset = tableNumber * (Self.pagesPerTable + 1) * UInt64(Self.pageBytes)
      table = (tableNumber, try file.read(Self.pageBytes, at: offset))
    }
    let bytes = table?.bytes ?? []
    return Array(bytes[place..<place + Self.entryBytes])[...]
  }

  private func decrypt(
    _ page: [UInt8], _ number: UInt64, _ vector: UInt32
  ) throws(RealmFileError) -> [UInt8] {
    #if RealmEncryption
    let position = number * UInt64(Self.pageBytes)
    var bytes: [UInt8] = []
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: vector >> shift))
    }
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: position >> shift))
    }
    bytes += [0, 0, 0, 0]
    do {
      let plain = try AES._CBC.decrypt(
        page, using: key, iv: AES._CBC.IV(ivBytes: bytes), noPadding: true)
      guard plain.count == Self.pageBytes else { throw RealmFileError.wrongKey }
      return Array(plain)
    } catch {
      throw .damaged(at: position, .page)
    }
    #else
    throw .encryptionUnavailable
    #endif
  }
}
