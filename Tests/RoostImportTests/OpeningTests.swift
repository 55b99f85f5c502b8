import Foundation
import RoostImport
import Testing

/// What opening and reading a file says where it cannot be read.
@Suite struct OpeningTests {
  /// The message of the error that opening a file throws; empty where it throws none.
  private func message(opening url: URL, key: Data? = nil) -> String {
    do {
      _ = try RealmSource(url, key: key)
      return ""
    } catch {
      return error.message
    }
  }

  private func message(opening bytes: [UInt8], key: Data? = nil) throws -> String {
    let file = try TemporaryFile(bytes)
    return message(opening: file.url, key: key).replacingOccurrences(
      of: file.url.path, with: "FILE")
  }

  @Test func aFileOfFormat9IsRefusedByItsNumber() throws {
    let bytes = try RealmSamples.bytes("format-9.realm")
    #expect(
      try message(opening: bytes)
        == "The file has Realm's format 9, of before 2020, which is not read. Open it once with a version of "
        + "Realm that upgrades it (realm-core 6 to 13), and then import it.")
  }

  @Test func aFormatToComeIsRefusedByItsNumber() throws {
    var bytes = try RealmSamples.bytes("empty.realm")
    bytes[20] = 25
    bytes[21] = 25
    #expect(
      try message(opening: bytes)
        == "The file has Realm's format 25, which is not known. Formats 10, 11 and 20 to 24 are read."
    )
  }

  @Test func whatIsNoRealmFileIsRefused() throws {
    let expected =
      "\"FILE\" is not a Realm file, or is encrypted. Give the key of an encrypted file: 64 bytes "
      + "(needs the trait `RealmEncryption` of the package roost)."
    #expect(try message(opening: []) == expected)
    #expect(try message(opening: [UInt8](repeating: 7, count: 23)) == expected)
    #expect(try message(opening: Array("SQLite format 3, and more".utf8)) == expected)
    #expect(try message(opening: RealmSamples.bytes("encrypted.realm")) == expected)
  }

  @Test func whatCannotBeOpenedSaysWhy() throws {
    let folder = FileManager.default.temporaryDirectory
    #expect(
      message(opening: folder)
        == "\"\(folder.path)\" could not be opened: it is not a regular file.")
    let missing = folder.appendingPathComponent("roost-missing.realm")
    #expect(
      message(opening: missing)
        == "\"\(missing.path)\" could not be opened: No such file or directory.")
  }

  @Test func aTruncatedFileIsDamaged() throws {
    let bytes = try RealmSamples.bytes("all-types.realm")
    #expect(
      try message(opening: Array(bytes.dropLast(8)))
        == "\"FILE\" is damaged at byte \(bytes.count - 8): the end of the file is missing.")
    #expect(
      try message(opening: Array(bytes.dropLast(3)))
        == "\"FILE\" is damaged at byte \(bytes.count - 3): the file's length is no multiple of 8: its end is missing."
    )
  }

  @Test func aFileThatIsTruncatedWhileItIsReadGivesAnError() throws {
    // Larger than the pages that are kept.
    let file = try TemporaryFile(RealmSamples.bytes("bigdata.realm"))
    let source = try RealmSource(file.url)
    let handle = try FileHandle(forWritingTo: file.url)
    try handle.truncate(atOffset: 65_536)
    try handle.close()
    #expect(throws: RealmError.changed(path: file.url.path)) {
      var objects = try source.objects(source.classes[0].name)
      while let object = try objects.next() { _ = try object.values }
    }
  }

  @Test func aFileThatWasWrittenToMeanwhileIsNoticed() throws {
    let bytes = try RealmSamples.bytes("versions.realm")
    let file = try TemporaryFile(bytes)
    let source = try RealmSource(file.url)
    try source.checkUnchanged()
    try Data(bytes + [UInt8](repeating: 0, count: 4096)).write(to: file.url, options: [])
    #expect(throws: RealmError.changed(path: file.url.path)) { try source.checkUnchanged() }
  }

  @Test func aKeyOfAPlainFileIsAnError() throws {
    let bytes = try RealmSamples.bytes("versions.realm")
    #if RealmEncryption
    #expect(
      try message(opening: bytes, key: RealmSamples.key)
        == "\"FILE\" is not encrypted. Open it without a key.")
    #endif
    #expect(
      try message(opening: bytes, key: RealmSamples.key.dropLast())
        == "The key of a Realm file has 64 bytes; this one has 63.")
  }

  #if !RealmEncryption
  @Test func aKeyWithoutTheTraitSaysWhichTraitToTurnOn() throws {
    #expect(
      try message(opening: RealmSamples.bytes("encrypted.realm"), key: RealmSamples.key)
        == "Encrypted Realm files are read only with the trait `RealmEncryption`. Add it to the package roost: "
        + "`.package(url: …, from: …, traits: [\"RealmEncryption\"])`.")
  }
  #endif

  @Test func namesWithControlCharactersAreEscaped() {
    #expect(
      RealmError.unknownClass("\u{1b}[2J").message
        == "The file has no class \"\\u001B[2J\". `classes` lists those it has.")
  }
}
