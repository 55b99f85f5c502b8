import Dispatch
import Foundation
import RoostEngine
import RoostTestSupport
import Synchronization

/// Runs simulated processes on one disk, one at a time, in an order that a seed determines.
///
/// Each process has a thread of its own. Before each of its calls to the disk it may be another's turn, and it may be
/// killed: then its files are closed, which ends their locks, and nothing that it does has any effect any more.
final class Interleaving: Sendable {
  private struct State {
    var random: SeededGenerator
    /// The processes that have not ended.
    var running: [Int]
  }

  private let state: Mutex<State>
  private let turns: [DispatchSemaphore]
  private let end = DispatchSemaphore(value: 0)

  init(_ count: Int, seed: UInt64) {
    state = Mutex(State(random: SeededGenerator(seed: seed), running: Array(0..<count)))
    turns = (0..<count).map { _ in DispatchSemaphore(value: 0) }
  }

  /// Runs all processes to their ends.
  func run(_ body: @escaping @Sendable (Int) -> Void) {
    for process in turns.indices {
      Thread {
        self.turns[process].wait()
        body(process)
        self.finish(process)
      }.start()
    }
    if let first = next() { turns[first].signal() }
    end.wait()
  }

  /// Lets another process go on before this one does, or not.
  func step(_ process: Int) {
    guard let next = next(), next != process else { return }
    turns[next].signal()
    turns[process].wait()
  }

  private func finish(_ process: Int) {
    state.withLock { $0.running.removeAll { $0 == process } }
    if let next = next() { turns[next].signal() } else { end.signal() }
  }

  private func next() -> Int? {
    state.withLock { $0.running.randomElement(using: &$0.random) }
  }
}

/// A disk as one simulated process sees it.
final class ProcessDisk: FileSystem {
  private struct State {
    /// How many calls it makes before it is killed.
    var callsLeft: Int
    var isKilled = false
    var files: [any StorageFile] = []
  }

  private let disk: SimulatedDisk
  private let process: Int
  private let interleaving: Interleaving
  private let state: Mutex<State>

  /// - Parameter killedAfter: How many calls it makes before it is killed.
  init(
    _ disk: SimulatedDisk, _ process: Int, _ interleaving: Interleaving, killedAfter calls: Int
  ) {
    self.disk = disk
    self.process = process
    self.interleaving = interleaving
    state = Mutex(State(callsLeft: calls))
  }

  /// Whether the process was killed: what it does then tells nothing.
  var isKilled: Bool { state.withLock { $0.isKilled } }

  /// Waits for its turn to make a call; throws where the process is dead.
  fileprivate func call(
    _ operation: FileError.Operation, _ path: String
  ) throws(FileError) {
    if !isKilled { interleaving.step(process) }
    let (isDead, files) = state.withLock { state -> (Bool, [any StorageFile]) in
      guard !state.isKilled else { return (true, []) }
      state.callsLeft -= 1
      guard state.callsLeft < 0 else { return (false, []) }
      state.isKilled = true
      return (true, state.files)
    }
    for file in files { file.close() }
    guard !isDead else { throw FileError(operation, path: path, code: EIO) }
  }

  func open(_ path: String, _ mode: FileMode) throws(FileError) -> any StorageFile {
    try call(.open, path)
    let file = try disk.open(path, mode)
    state.withLock { $0.files.append(file) }
    return ProcessFile(file, in: self)
  }

  func identity(of path: String) throws(FileError) -> FileIdentity? {
    try call(.status, path)
    return try disk.identity(of: path)
  }

  func kind(of path: String, followsLinks: Bool) throws(FileError) -> FileKind? {
    try call(.status, path)
    return try disk.kind(of: path, followsLinks: followsLinks)
  }

  func rename(_ from: String, to: String) throws(FileError) {
    try call(.rename, from)
    try disk.rename(from, to: to)
  }

  func remove(_ path: String) throws(FileError) {
    try call(.remove, path)
    try disk.remove(path)
  }

  func synchronizeDirectory(of path: String) throws(FileError) {
    try call(.synchronize, path)
    try disk.synchronizeDirectory(of: path)
  }
}

/// An open file of a ``ProcessDisk``.
private final class ProcessFile: StorageFile {
  private let file: any StorageFile
  private let disk: ProcessDisk

  init(_ file: any StorageFile, in disk: ProcessDisk) {
    self.file = file
    self.disk = disk
  }

  deinit { file.close() }

  var isDisk: Bool { file.isDisk }
  func randomNumber() -> UInt64 { file.randomNumber() }
  var path: String { file.path }

  func identity() throws(FileError) -> FileIdentity {
    try disk.call(.status, path)
    return try file.identity()
  }

  func size() throws(FileError) -> UInt64 {
    try disk.call(.status, path)
    return try file.size()
  }

  func read(into view: MutableByteView, at offset: UInt64) throws(FileError) -> Int {
    try disk.call(.read, path)
    return try file.read(into: view, at: offset)
  }

  func write(_ views: [ByteView], at offset: UInt64) throws(FileError) {
    try disk.call(.write, path)
    try file.write(views, at: offset)
  }

  func synchronize() throws(FileError) {
    try disk.call(.synchronize, path)
    try file.synchronize()
  }

  func allocate(_ range: Range<UInt64>) throws(FileError) {
    try disk.call(.allocate, path)
    try file.allocate(range)
  }

  func truncate(to size: UInt64) throws(FileError) {
    try disk.call(.resize, path)
    try file.truncate(to: size)
  }

  func lock(exclusive: Bool) throws(FileError) -> Bool {
    try disk.call(.lock, path)
    return try file.lock(exclusive: exclusive)
  }

  func displacement(size: UInt64) throws(FileError) -> FileDisplacement? {
    try disk.call(.status, path)
    return try file.displacement(size: size)
  }

  func synchronizeName() throws(FileError) {
    try disk.call(.synchronize, path)
    try file.synchronizeName()
  }

  func close() { file.close() }
}
