import Foundation
import RoostEngine
import RoostTestSupport
import Testing

@Suite struct PosixFileTests {
  private let system = PosixFileSystem()

  @Test func readsWhatAShortFileHas() throws {
    try withFile { file, _ in
      try file.write(Array("roost".utf8), at: 3)
      #expect(try file.size() == 8)
      #expect(try file.bytes(at: 0, 100) == [0, 0, 0] + Array("roost".utf8))
      #expect(try file.bytes(at: 7, 100) == Array("t".utf8))
      #expect(try file.bytes(at: 8, 100) == [])
      #expect(try file.bytes(at: 1 << 40, 100) == [])
      #expect(try file.bytes(at: 0, 0) == [])
    }
  }

  #if os(Linux)
  @Test func aDurableWriteIsReadAndFollowsOnlyWhatIsSynced() throws {
    try withFile { file, _ in
      try file.write([UInt8](repeating: 9, count: 8 * 4096), at: 0)
      let bytes = AlignedBytes(count: 4096, alignment: 4096)
      var begun = 0
      // A process begins to ask the kernel for them after some.
      for round in 0..<200 {
        let offset = UInt64(round % 8 * 4096)
        bytes.mutableView.store(UInt64(round), at: 8)
        try bytes.withView { view throws(FileError) in
          try file.write([UInt8(round)], at: 7)
          #expect(!file.beginDurableWrite(view, at: offset))
          try file.synchronize()
          guard file.beginDurableWrite(view, at: offset) else { return }
          begun += 1
          try file.finishDurableWrite()
          #expect(try file.bytes(at: offset, 4096) == view.array)
        }
      }
      // Some kernels, containers and file systems have none.
      if begun == 0 { print("This system has no durable writes: only syncs were tested.") }
      #expect(try file.size() == 8 * 4096)
    }
  }

  /// Some say so when it begins, some when it ends, and some write such bytes through their cache.
  @Test func aDurableWriteThatTheFileSystemDoesNotTakeIsWrittenAndSynced() throws {
    try withFile { file, _ in
      try file.write([UInt8](repeating: 9, count: 4 * 4096), at: 0)
      try file.synchronize()
      let bytes = AlignedBytes(count: 2 * 4096, alignment: 4096)
      for round in 0..<200 {
        bytes.mutableView.store(UInt64(round), at: 9)
        try bytes.withView { view throws(FileError) in
          guard file.beginDurableWrite(view.slice(1, 4096), at: 4097) else { return }
          try file.finishDurableWrite()
          #expect(try file.bytes(at: 4097, 4096) == view.slice(1, 4096).array)
        }
      }
      #expect(try file.bytes(at: 4096, 1) == [9] && file.bytes(at: 8193, 1) == [9])
    }
  }
  #endif

  @Test func writesMoreBuffersThanTheSystemTakesAtOnce() throws {
    try withFile { file, _ in
      var generator = SeededGenerator(seed: 2)
      let parts = (0..<3000).map { _ in
        generator.bytes(Int.random(in: 0...40, using: &generator))
      }
      try file.write(parts: parts, at: 777)
      let joined = Array(parts.joined())
      #expect(try file.size() == UInt64(777 + joined.count))
      #expect(try file.bytes(at: 777, joined.count) == joined)
    }
  }

  @Test func writesNothingWhereThereIsNothingToWrite() throws {
    try withFile { file, _ in
      try file.write(parts: [], at: 10)
      try file.write(parts: [[], []], at: 10)
      #expect(try file.size() == 0)
    }
  }

  @Test func refusesOffsetsThatNoFileHas() throws {
    try withFile { file, path in
      #expect(throws: FileError(.write, path: path, code: EFBIG)) {
        try file.write([1, 2], at: UInt64(Int64.max) - 1)
      }
      #expect(throws: FileError(.read, path: path, code: EFBIG)) {
        _ = try file.bytes(at: .max, 1)
      }
      #expect(throws: FileError(.resize, path: path, code: EFBIG)) {
        try file.truncate(to: .max)
      }
      #expect(throws: FileError(.allocate, path: path, code: EFBIG)) {
        try file.allocate(0..<UInt64.max)
      }
    }
  }

  @Test func growsWithZerosWhenRoomIsReserved() throws {
    try withFile { file, path in
      try file.write([1, 2, 3], at: 0)
      try file.allocate(2..<100_000)
      #expect(try file.size() == 100_000)
      #expect(try file.bytes(at: 0, 200_000) == [1, 2, 3] + [UInt8](repeating: 0, count: 99_997))
      try file.allocate(0..<10)
      #expect(try file.size() == 100_000)
    }
  }

  @Test func cutsAndFillsUp() throws {
    try withFile { file, _ in
      try file.write([UInt8](repeating: 7, count: 1000), at: 0)
      try file.truncate(to: 10)
      try file.truncate(to: 20)
      #expect(
        try file.bytes(at: 0, 100)
          == [UInt8](repeating: 7, count: 10) + [UInt8](repeating: 0, count: 10))
    }
  }

  @Test func opensNothingButRegularFiles() throws {
    try withTemporaryDirectory { directory in
      let pipe = directory + "/pipe"
      try #require(unsafe mkfifo(pipe, 0o600) == 0)
      for mode in [FileMode.readOnly, .readWrite, .create] {
        #expect(throws: FileError(.open, path: directory, code: EISDIR)) {
          _ = try system.open(directory, mode)
        }
        #expect(throws: FileError(.open, path: pipe, code: EINVAL)) {
          _ = try system.open(pipe, mode)
        }
        #expect(throws: FileError(.open, path: "/dev/null", code: EINVAL)) {
          _ = try system.open("/dev/null", mode)
        }
      }
      let kinds = try [directory, pipe, directory + "/missing"].map { try system.kind(of: $0) }
      #expect(kinds == [.directory, .other, nil])
    }
  }

  @Test func saysWhyAFileCannotBeOpened() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/file"
      #expect(throws: FileError(.open, path: path, code: ENOENT)) {
        _ = try system.open(path, .readWrite)
      }
      #expect(throws: FileError(.open, path: "", code: ENOENT)) { _ = try system.open("", .create) }
      _ = try system.open(path, .create)
      #expect(throws: FileError(.open, path: path + "/x", code: ENOTDIR)) {
        _ = try system.open(path + "/x", .create)
      }
      let long = directory + "/" + String(repeating: "x", count: 300)
      #expect(throws: FileError(.open, path: long, code: ENAMETOOLONG)) {
        _ = try system.open(long, .create)
      }
    }
  }

  /// To the system a path ends at its first zero byte: it would be another file's.
  @Test func refusesAPathWithAZeroByte() throws {
    try withFile { _, path in
      let cut = path + "\0.roost"
      #expect(throws: FileError(.open, path: cut, code: EINVAL)) {
        _ = try system.open(cut, .readOnly)
      }
      #expect(throws: FileError(.remove, path: cut, code: EINVAL)) { try system.remove(cut) }
      #expect(throws: FileError(.rename, path: cut, code: EINVAL)) {
        try system.rename(cut, to: path)
      }
      #expect(throws: FileError(.status, path: cut, code: EINVAL)) {
        _ = try system.identity(of: cut)
      }
    }
  }

  @Test func doesNotWriteToAFileOpenedForReading() throws {
    try withFile { _, path in
      let file = try system.open(path, .readOnly)
      #expect(throws: FileError(.write, path: path, code: EBADF)) { try file.write([1], at: 0) }
    }
  }

  @Test func refusesEverythingOnceClosed() throws {
    try withFile { file, path in
      file.close()
      file.close()
      #expect(throws: FileError(.read, path: path, code: EBADF)) { _ = try file.bytes(at: 0, 1) }
      #expect(throws: FileError(.write, path: path, code: EBADF)) { try file.write([1], at: 0) }
      #expect(throws: FileError(.synchronize, path: path, code: EBADF)) { try file.synchronize() }
      #expect(throws: FileError(.lock, path: path, code: EBADF)) {
        _ = try file.lock(exclusive: true)
      }
      #expect(throws: FileError(.status, path: path, code: EBADF)) { _ = try file.size() }
    }
  }

  @Test func knowsAFileByItsIdentityWhateverItsName() throws {
    try withFile { file, path in
      let link = path + ".link"
      try #require(unsafe symlink(path, link) == 0)
      let identity = try file.identity()
      #expect(try system.identity(of: link) == identity)
      #expect(try system.open(link, .readOnly).identity() == identity)
      try system.rename(path, to: path + ".new")
      #expect(try system.identity(of: path + ".new") == identity)
      #expect(try system.identity(of: path) == nil)
      #expect(try system.identity(of: link) == nil)
    }
  }

  @Test func renamesOverAnotherFileAndSyncsTheDirectory() throws {
    try withTemporaryDirectory { directory in
      let (old, new) = (directory + "/old", directory + "/new")
      try system.open(old, .create).write([1], at: 0)
      let replacement = try system.open(new, .create)
      try replacement.write([2], at: 0)
      try replacement.synchronize()
      try system.rename(new, to: old)
      try system.synchronizeDirectory(of: old)
      #expect(try system.open(old, .readOnly).bytes(at: 0, 9) == [2])
      #expect(throws: FileError(.open, path: directory + "/none", code: ENOENT)) {
        try system.synchronizeDirectory(of: directory + "/none/file")
      }
    }
  }

  @Test func saysAnErrorInWords() {
    let error = FileError(.synchronize, path: "/a/b.roost", code: ENOSPC)
    #expect(error.description.hasPrefix("cannot synchronize \"/a/b.roost\": No space left"))
    #expect(error.meaning == .outOfSpace)
    #expect(FileError(.open, path: "", code: ENOENT).meaning == .missingFile)
    #expect(FileError(.open, path: "", code: 99_999).description.hasSuffix("(99999)"))
  }

  private func withFile(_ body: (any StorageFile, String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/file"
      try body(try system.open(path, .create), path)
    }
  }
}
