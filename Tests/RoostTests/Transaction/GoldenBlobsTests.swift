import Foundation
import Roost
import RoostTestSupport
import Testing

/// A file with blobs of all lengths, kept in Tests/FormatTests/golden.
///
/// `ROOST_GOLDEN_BLOBS=FILE` in the environment makes it anew; an old one stays.
@Suite struct GoldenBlobsTests {
  private static let lengths = [0, 1, 1024, 1025, 65_536, 65_537, 150_000, 700_000]

  private func store(_ path: String, isReadOnly: Bool) throws -> Store {
    var configuration = Configuration()
    configuration.isReadOnly = isReadOnly
    return try Store(.file(path), models: Film.self, configuration: configuration)
  }

  /// The first half is noise, the second repeats itself.
  private func bytes(of film: Int) -> [UInt8] {
    let count = Self.lengths[film]
    let start = noise(count / 2, seed: UInt64(film) + 1)
    return start + (count / 2..<count).map { UInt8($0 / 100 % 251) }
  }

  /// Makes the file, by inserting and by edits in place.
  private func fill(_ store: Store) throws {
    try store.write { transaction in
      for film in Self.lengths.indices {
        let sound = Sound(left: Blob(bytes(of: film)), speed: film)
        try transaction.insert(Film(id: film - 3, title: "film \(film)", sound: sound))
      }
    }
    for film in Self.lengths.indices {
      try store.write { transaction in
        let editor = try transaction.blob(\Film.pictures, of: film - 3)
        let bytes = bytes(of: film)
        try editor.append(bytes[(bytes.count / 2)...])
        try editor.insert(bytes[..<(bytes.count / 2)], at: 0)
        try editor.insert([1, 2, 3], at: bytes.count / 3)
        try editor.removeSubrange(bytes.count / 3..<bytes.count / 3 + 3)
      }
    }
  }

  @Test func aFileWithBlobsIsReadAsItWasWritten() throws {
    if let path = ProcessInfo.processInfo.environment["ROOST_GOLDEN_BLOBS"] {
      try fill(try store(path, isReadOnly: false))
    }
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("FormatTests/golden/format-1-blobs.roost")
    let store = try store(golden.path, isReadOnly: true)
    #expect(try store.verify().isEmpty)
    let snapshot = store.snapshot()
    #expect(try snapshot.count(Film.all) == Self.lengths.count)
    for film in Self.lengths.indices {
      let bytes = bytes(of: film)
      let found = try snapshot.find(Film.self, id: film - 3)
      #expect(found.title == "film \(film)" && found.sound.speed == film)
      for path in [\Film.pictures, \Film.sound.left] {
        #expect(try snapshot.blob(path, of: film - 3).read(0..<bytes.count) == bytes)
      }
    }
  }
}
