import Foundation
import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// The files that a store is made in before it has its name.
@Suite struct UnfinishedFileTests {
  private static let suffixes = [".new", ".compacting"]

  private func mode(of path: String) throws -> UInt16 {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require((attributes[.posixPermissions] as? NSNumber)?.uint16Value)
  }

  private func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  // MARK: Links

  /// Plants a link where an unfinished file goes, does something, and expects that what it leads to is as it was.
  private func expectLinkIsNotFollowed(
    at link: String, in directory: String, _ body: () throws -> Void
  ) throws {
    let victim = directory + "/victim"
    let secret = Data("somebody's file".utf8)
    try secret.write(to: URL(fileURLWithPath: victim))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: victim)
    try body()
    #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == secret)
  }

  // Who makes a store has no lock but the new file's: removing the link could remove another maker's file.
  @Test func aPlantedLinkIsNotFollowedWhereAStoreIsMade() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/store.roost"
      try expectLinkIsNotFollowed(at: path + ".new", in: directory) {
        #expect(throws: EngineError.file(FileError(.open, path: path + ".new", code: EEXIST))) {
          _ = try Engine.open(path)
        }
      }
      #expect(try PosixFileSystem().kind(of: path + ".new", followsLinks: false) == .link)
      #expect(try PosixFileSystem().kind(of: path) == nil)
    }
  }

  @Test func plantedLinksAreRemovedByTheNextOpening() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/store.roost"
      _ = try PersonStore(PosixFileSystem(), path: path, count: 10)
      for suffix in Self.suffixes {
        try expectLinkIsNotFollowed(at: path + suffix, in: directory) { _ = try Engine.open(path) }
        #expect(try PosixFileSystem().kind(of: path + suffix, followsLinks: false) == nil)
      }
    }
  }

  @Test func aPlantedLinkIsNotFollowedWhereAStoreIsCompacted() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/store.roost"
      _ = try PersonStore(PosixFileSystem(), path: path, count: 10)
      try expectLinkIsNotFollowed(at: path + ".compacting", in: directory) {
        _ = try Engine.compact(path)
      }
      #expect(try Engine.open(path).snapshot().verify() == [])
    }
  }

  @Test func aPlantedLinkIsNotFollowedWhereAStoreIsSalvaged() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/store.roost"
      let copy = directory + "/copy.roost"
      _ = try PersonStore(PosixFileSystem(), path: path, count: 10)
      try expectLinkIsNotFollowed(at: copy + ".new", in: directory) {
        #expect(throws: EngineError.file(FileError(.open, path: copy + ".new", code: EEXIST))) {
          _ = try Engine.salvage(path, to: copy)
        }
      }
      #expect(try PosixFileSystem().kind(of: copy) == nil)
    }
  }

  @Test func aPlantedLinkIsNotFollowedWhereAMirrorIsMade() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/store.roost"
      let mirror = MirroredFileSystem(mirroring: path, on: PosixFileSystem())
      try expectLinkIsNotFollowed(at: path + ".new", in: directory) {
        #expect(throws: EngineError.file(FileError(.open, path: path + ".new", code: EEXIST))) {
          _ = try Engine.open(path, in: mirror)
        }
      }
    }
  }

  // MARK: Permissions

  @Test func aNewStoreIsItsOwnersAloneUnlessTheOptionsSayOtherwise() throws {
    try withTemporaryDirectory { directory in
      for (permissions, expected) in [(nil, 0o600), (0o644, 0o644), (0o666, 0o666)]
        as [(UInt16?, UInt16)]
      {
        let path = directory + "/\(expected).roost"
        var options = EngineOptions()
        if let permissions { options.newFilePermissions = permissions }
        _ = try Engine.open(path, options: options)
        #expect(try mode(of: path) == expected)
        let mirrored = directory + "/mirrored-\(expected).roost"
        let mirror = MirroredFileSystem(
          mirroring: mirrored, on: PosixFileSystem(),
          permissions: options.newFilePermissions)
        _ = try Engine.open(mirrored, in: mirror, options: options)
        #expect(try mode(of: mirrored) == expected)
      }
    }
  }

  @Test(arguments: [0o600, 0o640, 0o644])
  func aCopyIsNeverOpenToMoreThanTheFileIs(permissions: Int) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/store.roost"
      _ = try PersonStore(PosixFileSystem(), path: path, count: 20_000)
      try setMode(permissions, of: path)
      var seen: Set<UInt16> = []
      _ = try Engine.compact(
        path,
        progress: { _ in
          if let mode = try? mode(of: path + ".compacting") { seen.insert(mode) }
        })
      #expect(seen == [UInt16(permissions)])
      #expect(try mode(of: path) == UInt16(permissions))
      let copy = directory + "/copy.roost"
      seen = []
      _ = try Engine.salvage(path, to: copy) { _ in
        if let mode = try? mode(of: copy + ".new") { seen.insert(mode) }
      }
      #expect(seen == [UInt16(permissions)])
      #expect(try mode(of: copy) == UInt16(permissions))
    }
  }

  // MARK: Leftovers

  @Test(arguments: FileSystemUnderTest.allCases)
  func whatACrashLeftIsRemovedByTheNextOpening(_ kind: FileSystemUnderTest) throws {
    try kind.withFileSystem { system, directory in
      let path = directory + "/store.roost"
      _ = try Engine.open(path, in: system)
      for suffix in Self.suffixes {
        let leftover = try system.open(path + suffix, .create)
        try leftover.truncate(to: 100_000)
        leftover.close()
      }
      _ = try Engine.open(path, in: system)
      for suffix in Self.suffixes { #expect(try system.kind(of: path + suffix) == nil) }
      // Where there is no store yet, too.
      let other = directory + "/other.roost"
      try system.open(other + ".new", .create).truncate(to: 100_000)
      _ = try Engine.open(other, in: system)
      #expect(try system.kind(of: other + ".new") == nil)
    }
  }

  @Test(arguments: FileSystemUnderTest.allCases)
  func whatSomebodyIsFillingIsLeftAlone(_ kind: FileSystemUnderTest) throws {
    try kind.withFileSystem { system, directory in
      let path = directory + "/store.roost"
      let unfinished = try UnfinishedFile(at: path + ".new", in: system).create()
      try unfinished.truncate(to: 4096)
      #expect(throws: EngineError.locked(path: path)) { _ = try Engine.open(path, in: system) }
      #expect(throws: FileError(.open, path: path + ".new", code: EBUSY)) {
        _ = try UnfinishedFile(at: path + ".new", in: system).create()
      }
      #expect(try unfinished.size() == 4096)
      unfinished.close()
      _ = try Engine.open(path, in: system)
      #expect(try system.kind(of: path + ".new") == nil)
    }
  }

  @Test func aDirectoryInTheWayIsAnErrorAndStays() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/store.roost"
      try FileManager.default.createDirectory(
        atPath: path + ".new", withIntermediateDirectories: false)
      #expect(throws: EngineError.file(FileError(.open, path: path + ".new", code: EEXIST))) {
        _ = try Engine.open(path)
      }
      #expect(try PosixFileSystem().kind(of: path + ".new") == .directory)
    }
  }
}
