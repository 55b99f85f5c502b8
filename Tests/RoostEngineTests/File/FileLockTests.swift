import Foundation
import RoostEngine
import RoostTestSupport
import Testing

@Suite struct FileLockTests {
  private let system = PosixFileSystem()

  @Test func isRefusedWhileAnotherProcessHasIt() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/file"
      let file = try system.open(path, .create)
      let other = try OtherProcess(locking: path, exclusive: true)
      #expect(try !file.lock(exclusive: true))
      #expect(try !file.lock(exclusive: false))
      other.end()
      #expect(try file.lock(exclusive: true))
    }
  }

  @Test func isSharedWithAnotherProcess() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/file"
      let file = try system.open(path, .create)
      let other = try OtherProcess(locking: path, exclusive: false)
      #expect(try file.lock(exclusive: false))
      #expect(try !file.lock(exclusive: true))
      other.end()
      #expect(try file.lock(exclusive: true))
    }
  }

  @Test func keepsAnotherProcessOutUntilTheFileIsClosed() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/file"
      let file = try system.open(path, .create)
      #expect(try file.lock(exclusive: true))
      #expect(throws: OtherProcess.LockIsTaken.self) {
        _ = try OtherProcess(locking: path, exclusive: true)
      }
      file.close()
      try OtherProcess(locking: path, exclusive: true).end()
    }
  }

  @Test func endsWhenTheFileIsDropped() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/file"
      let file = try system.open(path, .create)
      #expect(try system.open(path, .readWrite).lock(exclusive: true))
      #expect(try file.lock(exclusive: true))
    }
  }

  /// A classic POSIX lock would be lost here.
  @Test func outlastsTheClosingOfAnotherOpening() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/file"
      let file = try system.open(path, .create)
      #expect(try file.lock(exclusive: true))
      try system.open(path, .readOnly).close()
      #expect(throws: OtherProcess.LockIsTaken.self) {
        _ = try OtherProcess(locking: path, exclusive: false)
      }
    }
  }

  @Test(arguments: FileSystemUnderTest.allCases)
  func isBetweenOpenings(_ kind: FileSystemUnderTest) throws {
    try kind.withFileSystem { system, directory in
      let path = directory + "/file"
      let first = try system.open(path, .create)
      let second = try system.open(path, .readWrite)
      #expect(try first.lock(exclusive: false))
      #expect(try second.lock(exclusive: false))
      #expect(try !first.lock(exclusive: true))
      second.close()
      #expect(try first.lock(exclusive: true))
      let third = try system.open(path, .readWrite)
      #expect(try !third.lock(exclusive: false))
      #expect(try first.lock(exclusive: false))
      #expect(try third.lock(exclusive: false))
    }
  }

  @Test(arguments: FileSystemUnderTest.allCases)
  func isWorthNothingOnAFileThatWasReplaced(_ kind: FileSystemUnderTest) throws {
    try kind.withFileSystem { system, directory in
      let path = directory + "/file"
      let file = try system.open(path, .create)
      _ = try system.open(path + ".new", .create)
      try system.rename(path + ".new", to: path)
      #expect(throws: FileError(.lock, path: path, code: ESTALE)) {
        _ = try file.lock(exclusive: true)
      }
      try system.remove(path)
      #expect(throws: FileError(.lock, path: path, code: ESTALE)) {
        _ = try file.lock(exclusive: true)
      }
    }
  }
}

/// A process that holds a lock such as Roost's until it is ended.
private final class OtherProcess {
  struct LockIsTaken: Error {}

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(locking path: String, exclusive: Bool) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.program, path, exclusive ? "exclusive" : "shared"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let answer = output.fileHandleForReading.availableData
    guard String(decoding: answer, as: UTF8.self).hasPrefix("locked") else {
      end()
      throw LockIsTaken()
    }
  }

  deinit { end() }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  private static let program = """
    import fcntl, os, struct, sys
    descriptor = os.open(sys.argv[1], os.O_RDWR)
    exclusive = sys.argv[2] == "exclusive"
    try:
        if sys.platform == "darwin":
            fcntl.flock(descriptor, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        else:
            kind = fcntl.F_WRLCK if exclusive else fcntl.F_RDLCK
            # struct flock of 64-bit Linux; 37 is F_OFD_SETLK.
            fcntl.fcntl(descriptor, 37, struct.pack("hhqqi4x", kind, os.SEEK_SET, 1 << 62, 1, 0))
        print("locked", flush=True)
    except OSError:
        print("taken", flush=True)
    sys.stdin.read()
    """
}
