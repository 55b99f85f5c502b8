#if RealmEncryption
import Foundation
import RoostImport
import Testing

/// Encrypted files, with their key and with others.
@Suite struct EncryptionTests {
  private func open(_ bytes: [UInt8], key: Data = RealmSamples.key) throws -> (
    TemporaryFile, RealmSource
  ) {
    let file = try TemporaryFile(bytes)
    return (
      file,
      try RealmSource(path: file.url.path, key: key, valueBytesMax: 64 << 20, naming: .tables)
    )
  }

  /// A digest (FNV-1a) of the lines that say what is in a file.
  private func digest(_ lines: [String]) -> UInt64 {
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in lines.joined(separator: "\n").utf8 {
      digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return digest
  }

  /// That of the text of `plain.json`, which Realm's content of the encrypted samples is, without its first line.
  private static let plainDigest: UInt64 = 0x1096_9869_ab9a_650e

  @Test func anEncryptedFileIsReadWithItsKey() throws {
    let (file, source) = try open(RealmSamples.bytes("encrypted.realm"))
    #expect(try digest(source.lines()) == Self.plainDigest)
    withExtendedLifetime(file) {}
  }

  @Test func pagesWhoseWritingWasInterruptedAreReadByTheirFormerEntry() throws {
    var bytes = try RealmSamples.bytes("encrypted.realm")
    // The entries of pages 0, 3, 10 and 70: what they say moves to the second half, and the first is of a page to come.
    for entry in [0, 192, 640, 266_624] {
      bytes.replaceSubrange(entry + 32..<entry + 64, with: Array(bytes[entry..<entry + 32]))
      bytes[entry + 3] ^= 0x55
      bytes[entry + 20] ^= 1
    }
    let (file, source) = try open(bytes)
    #expect(try digest(source.lines()) == Self.plainDigest)
    withExtendedLifetime(file) {}
  }

  @Test func anotherKeyIsTold() throws {
    let bytes = try RealmSamples.bytes("encrypted.realm")
    for place in [0, 31, 32, 63] {
      var key = RealmSamples.key
      key[place] ^= 1
      let file = try TemporaryFile(bytes)
      #expect(throws: RealmError.wrongKey(path: file.url.path)) {
        _ = try RealmSource(file.url, key: key)
      }
    }
  }

  @Test func aChangedByteOfAPageIsDamage() throws {
    var bytes = try RealmSamples.bytes("encrypted.realm")
    // Pages 1 to 60.
    for page in 1...60 { bytes[page * 4096 + 4096 + 77] ^= 4 }
    #expect(throws: RealmError.self) {
      let (_, source) = try open(bytes)
      _ = try source.lines()
    }
  }

  @Test func aTruncatedEncryptedFileGivesAnError() throws {
    let bytes = try RealmSamples.bytes("encrypted.realm")
    for count in [0, 1, 4095, 4096, 4097, 8191, 8192, 8200, 65_536, 300_000] {
      #expect(throws: RealmError.self) {
        let (_, source) = try open(Array(bytes.prefix(count)))
        _ = try source.lines()
      }
    }
  }

  @Test func otherEncryptedSamplesOfAFolderHaveTheSameContent() throws {
    for name in ["encrypted-copy.realm", "encrypted-torn.realm"] {
      // Only the folder with all samples has them.
      let path = RealmSamples.folder.appendingPathComponent(name).path
      guard FileManager.default.fileExists(atPath: path) else { continue }
      let (file, source) = try open(RealmSamples.bytes(name))
      #expect(try digest(source.lines()) == Self.plainDigest, "\(name)")
      withExtendedLifetime(file) {}
    }
  }
}
#endif
