import Foundation
import Roost
import RoostTestSupport
import Testing

/// What becomes of a store when the system refuses: the real one, not a simulated disk.
@Suite struct SystemLimitTests {
  // MARK: Limits of the process

  /// The lines that a process prints which lives under a limit.
  private func linesOfChild(_ limit: String) throws -> [String] {
    try withTemporaryDirectory { directory in
      let process = Process()
      process.executableURL = ImportProcess.program.deletingLastPathComponent()
        .appendingPathComponent("LimitChild")
      process.arguments = [limit, directory]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit, "signal \(process.terminationStatus)")
      return String(decoding: output, as: UTF8.self)
        .replacing(directory + "/", with: "").split(separator: "\n").map(String.init)
    }
  }

  @Test func aLimitOfTheFilesSizeIsAnErrorAndNotTheEndOfTheProcess() throws {
    let lines = try linesOfChild("file-size")
    let reason = ": File too large (errno 27). Check the device and the limits of the process, and"
    #expect(
      lines == [
        "The system could not allocate room for notes.roost\(reason) try again.",
        "The system could not allocate room for notes.roost\(reason) try again.",
        "The system could not resize another.roost\(reason) try again.",
        "done",
      ])
  }

  @Test func aLimitOfTheFilesSizeLosesNothingThatWasNotSynced() throws {
    let lines = try linesOfChild("file-size-before-a-sync")
    let reason = ": File too large (errno 27). Check the device and the limits of the process, and"
    let refused = "The system could not write notes.roost\(reason) try again."
    #expect(lines == [refused, refused, "done"])
  }

  @Test func aLimitOfOpenFilesIsAnErrorOfTheStoreThatIsOpened() throws {
    let lines = try linesOfChild("open-files")
    let reason =
      ": Too many open files (errno 24). Check the device and the limits of the process, and"
    #expect(
      lines == [
        "The system could not open other.roost\(reason) try again.",
        "The system could not open new.roost\(reason) try again.",
        "done",
      ])
  }

  @Test func aForkedChildCanNeitherUseTheStoreOfItsParentNorTakeItsLock() throws {
    let lines = try linesOfChild("fork")
    let forked =
      "notes.roost was opened by the process that forked this one, and two processes must not write to it. "
      + "Open it in the child, when the parent has closed it."
    let locked = "notes.roost is open in another process. Close it there, then try again."
    #expect(lines == [forked, forked, forked, forked, locked, locked, "done"])
  }

  // MARK: The medium

  private func open(_ path: String, isReadOnly: Bool = false) throws -> Store {
    var configuration = Configuration()
    configuration.isReadOnly = isReadOnly
    configuration.cacheBytesMax = 1 << 20
    return try Store(.file(path), models: Group.self, configuration: configuration)
  }

  private func groups(_ ids: Range<Int>) -> [Group] {
    ids.map { Group(id: $0, name: "group number \($0 &* 0x9E37_79B9)", size: $0) }
  }

  private func expectSound(_ store: Store) throws {
    let damage: [StoreDamage] = try store.verify()
    #expect(damage == [])
  }

  @Test(.enabled(if: Mount.isPossible, "Only root may mount."))
  func aFullFileSystemRollsBackAndGoesOnWhenThereIsRoom() throws {
    try Mount.withMemory(bytes: 4 << 20) { mount in
      let path = mount.path + "/groups.roost"
      let store = try open(path)
      var count = 0
      var step = 4096
      // In ever smaller transactions, until not even one object has room.
      while step > 0 {
        do throws(any Error) {
          try store.write { try $0.insert(contentsOf: groups(count..<count + step)) }
          count += step
        } catch {
          #expect(error as? StoreError == .diskFull(path: path))
          step /= 4
        }
      }
      #expect(count > 30_000)
      #expect(try store.snapshot().fetch(Group.all) == groups(0..<count))
      // A second store finds no room at all.
      #expect(throws: StoreError.diskFull(path: mount.path + "/other.roost")) {
        try open(mount.path + "/other.roost")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: mount.path) == ["groups.roost"])
      for id in 0..<300 { try store.write { _ = try $0.delete(Group.self, id: id) } }
      #expect(try store.snapshot().fetch(Group.all) == groups(300..<count))
      try mount.run("mount", "-o", "remount,size=\(16 << 20)", mount.path)
      try store.write { try $0.insert(contentsOf: groups(0..<300)) }
      try store.write { try $0.insert(contentsOf: groups(count..<count + 10_000)) }
      try expectSound(store)
      store.close()
      #expect(try open(path).snapshot().fetch(Group.all) == groups(0..<count + 10_000))
    }
  }

  @Test(.enabled(if: Mount.isPossible, "Only root may mount."))
  func aFileSystemThatIsOnlyReadIsReadAndSaysSoToWhoWrites() throws {
    try Mount.withMemory(bytes: 8 << 20) { mount in
      let path = mount.path + "/groups.roost"
      try open(path).write { try $0.insert(contentsOf: groups(0..<1000)) }
      try mount.run("mount", "-o", "remount,ro", mount.path)
      #expect(throws: StoreError.permissionDenied(operation: .open, path: path, errno: EROFS)) {
        try open(path)
      }
      let new = mount.path + "/new.roost"
      #expect(throws: StoreError.permissionDenied(operation: .open, path: new, errno: EROFS)) {
        try open(new)
      }
      do {
        let store = try open(path, isReadOnly: true)
        #expect(try store.snapshot().fetch(Group.all) == groups(0..<1000))
        try expectSound(store)
        #expect(throws: StoreError.readOnly) {
          try store.write { try $0.insert(contentsOf: groups(1000..<1001)) }
        }
      }
      try mount.run("mount", "-o", "remount,rw", mount.path)
      let store = try open(path)
      try store.write { try $0.insert(contentsOf: groups(1000..<2000)) }
      #expect(try store.snapshot().fetch(Group.all) == groups(0..<2000))
    }
  }

  /// Nothing is mapped into memory: what is gone is an error, and not a signal.
  @Test func aFileThatAnotherProcessCutsOffIsDamagedWhereItIsCut() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      try open(path).write { try $0.insert(contentsOf: groups(0..<300_000)) }
      // Now nothing of it is in memory, and never will be more than a mebibyte.
      let store = try open(path)
      let pinned = store.snapshot()
      let size = try #require(
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
      for share in [2, 4, 64] {
        try Mount.run("truncate", "-s", "\(size / share / 4096 * 4096)", path)
        let error = #expect(throws: StoreError.self) {
          _ = try pinned.fetch(Group.all)
        }
        guard case .corrupt(path, let damage) = error else {
          Issue.record("\(error.debugDescription)")
          continue
        }
        #expect(damage.reason == "extent beyond file" && damage.model == "Group")
        #expect(damage.keys?.isEmpty == false)
        let found: [StoreDamage] = try store.verify()
        #expect(!found.isEmpty)
        // Succeeds or not, as what it needs is in memory or not.
        do throws(any Error) {
          try store.write { try $0.insert(contentsOf: groups(300_000 + share..<300_001 + share)) }
        } catch { #expect(error is StoreError) }
      }
      store.close()
    }
  }

  @Test func aFileThatWasCutOffWhileItWasClosedIsSaidToBeCut() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      try open(path).write { try $0.insert(contentsOf: groups(0..<100_000)) }
      try Mount.run("truncate", "-s", "400000", path)
      #expect(throws: StoreError.fileTruncated(path: path)) { try open(path) }
    }
  }
}

/// A file system of the tests' own.
private struct Mount {
  /// Where it is.
  let path: String

  /// Whether this process may mount one.
  static let isPossible: Bool = {
    #if os(Linux)
    return (try? withMemory(bytes: 1 << 20) { _ in }) != nil
    #else
    return false
    #endif
  }()

  struct Failure: Error {
    let command: [String]
    let status: Int32
  }

  /// Calls `body` with a file system in memory that holds so much.
  static func withMemory(bytes: Int, _ body: (Mount) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      try run("mount", "-t", "tmpfs", "-o", "size=\(bytes)", "roost-tests", directory)
      defer { try? run("umount", "-l", directory) }
      try body(Mount(path: directory))
    }
  }

  func run(_ command: String...) throws { try Self.run(command) }

  static func run(_ command: String...) throws { try run(command) }

  private static func run(_ command: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(command: command, status: process.terminationStatus)
    }
  }
}
