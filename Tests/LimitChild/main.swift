// What the tests need a process of its own for because it happens to whole processes: limits, and `fork`.
//
// It prints a line for every error that it met, in order, and "done" at the end where nothing was lost.
import Foundation
import Roost
import RoostTestSupport

struct Note: Model {
  let id: Int
  var text: String
  static let schema = Schema(Note.init, Key("id", \.id), Field("text", \.text))

  init(id: Int, text: String) {
    self.id = id
    self.text = text
  }

  /// A note of some 300 bytes, unlike every other.
  init(_ id: Int) {
    let words = (1...16).map { "\(id &* 0x1E37_79B9_7F4A_7C15 &* ($0 * 2 + 1))" }
    self.init(id: id, text: words.joined(separator: " "))
  }
}

struct Lost: Error {
  let what: String
}

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func open(_ path: String) throws -> Store { try Store(.file(path), models: Note.self) }

/// Throws unless the store holds exactly these notes and is sound.
func check(_ store: Store, holds ids: Set<Int>, _ when: String) throws {
  let notes = try store.snapshot().fetch(Note.all)
  guard notes.map(\.id) == ids.sorted() else { throw Lost(what: "notes \(when)") }
  guard notes.allSatisfy({ $0.text == Note($0.id).text }) else {
    throw Lost(what: "a text \(when)")
  }
  let damage: [StoreDamage] = try store.verify()
  guard damage.isEmpty else { throw Lost(what: "\(damage[0]) \(when)") }
}

/// Runs `body`, and prints the error that it must throw.
func expectError(_ body: () throws -> Void) throws {
  do { try body() } catch let error as StoreError {
    say(error.message)
    return
  }
  throw Lost(what: "an error")
}

#if canImport(Glibc)
let (fileSize, openFiles) = (
  __rlimit_resource_t(RLIMIT_FSIZE.rawValue), __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
)
typealias Resource = __rlimit_resource_t
#else
let (fileSize, openFiles) = (RLIMIT_FSIZE, RLIMIT_NOFILE)
typealias Resource = Int32
#endif

/// Runs `body` under a limit of the process, which is taken away afterwards.
func limiting(_ resource: Resource, to value: Int, _ body: () throws -> Void) throws {
  var old = rlimit()
  unsafe getrlimit(resource, &old)
  var limit = old
  limit.rlim_cur = rlim_t(value)
  guard unsafe setrlimit(resource, &limit) == 0 else { throw Lost(what: "the limit") }
  defer { unsafe setrlimit(resource, &old) }
  try body()
}

func sizeOfFile(_ path: String) throws -> Int {
  var status = stat()
  guard unsafe stat(path, &status) == 0 else { throw Lost(what: "the file") }
  return Int(status.st_size)
}

/// A file may not grow, then not even be written where it is, then both again.
func limitFileSize(in directory: String) throws {
  let path = directory + "/notes.roost"
  var ids = Set(0..<10_000)
  let store = try open(path)
  try store.write { try $0.insert(contentsOf: ids.sorted().map { Note($0) }) }
  try limiting(fileSize, to: try sizeOfFile(path) + 40_000) {
    try expectError {
      while true {
        let next = ids.count
        try store.write { try $0.insert(contentsOf: (next..<next + 50).map { Note($0) }) }
        ids.formUnion(next..<next + 50)
      }
    }
    try check(store, holds: ids, "after the limit was reached")
    for id in 0..<100 where try store.write({ try $0.delete(Note.self, id: id) }) { ids.remove(id) }
    try check(store, holds: ids, "after deleting at the limit")
  }
  try limiting(fileSize, to: 60_000) {
    try expectError {
      try store.write { try $0.insert(contentsOf: (100_000..<101_000).map { Note($0) }) }
    }
    try check(store, holds: ids, "below the limit")
    try expectError { _ = try open(directory + "/another.roost") }
  }
  try store.write { try $0.insert(contentsOf: (200_000..<202_000).map { Note($0) }) }
  ids.formUnion(200_000..<202_000)
  try check(store, holds: ids, "without a limit")
  store.close()
  try check(try open(path), holds: ids, "in the opened file")
}

/// What was written without a sync is not lost where the file may then not be written: neither by the next write nor by closing.
func limitFileSizeBeforeASync(in directory: String) throws {
  let path = directory + "/notes.roost"
  var ids = Set(0..<10_000)
  var store = try open(path)
  try store.write { try $0.insert(contentsOf: ids.sorted().map { Note($0) }) }
  func insertNext() throws {
    let next = ids.count
    try store.write(durability: .relaxed) { try $0.insert(Note(next)) }
    ids.insert(next)
  }
  // In a ring, then in a slot that was not synced either.
  for count in [10, 1000] {
    for _ in 0..<count { try insertNext() }
    try limiting(fileSize, to: 60_000) {
      try expectError { try insertNext() }
      try check(store, holds: ids, "below the limit")
      store.close()
    }
    store = try open(path)
    try check(store, holds: ids, "opened after a write that failed")
    for _ in 0..<count { try insertNext() }
    try limiting(fileSize, to: 60_000) { store.close() }
    store = try open(path)
    try check(store, holds: ids, "opened after closing below the limit")
  }
}

/// No file may be opened.
func limitOpenFiles(in directory: String) throws {
  let path = directory + "/notes.roost"
  let other = directory + "/other.roost"
  var ids = Set(0..<2000)
  try open(other).write { try $0.insert(Note(1)) }
  let store = try open(path)
  try store.write { try $0.insert(contentsOf: ids.sorted().map { Note($0) }) }
  try limiting(openFiles, to: 0) {
    try expectError { _ = try open(other) }
    try expectError { _ = try open(directory + "/new.roost") }
    // What is open is read and written.
    try store.write { try $0.insert(Note(2000)) }
    ids.insert(2000)
    try check(store, holds: ids, "while no file may be opened")
  }
  guard try FileManager.default.contentsOfDirectory(atPath: directory).count == 2 else {
    throw Lost(what: "a clean directory")
  }
  // One file is enough to read, and its directory beside it to make one.
  let free = dup(0)
  close(free)
  try limiting(openFiles, to: Int(free) + 1) {
    try check(try open(other), holds: [1], "opened as the one file")
  }
  try limiting(openFiles, to: Int(free) + 2) {
    try check(try open(directory + "/new.roost"), holds: [], "made as the one file")
  }
  try check(try open(other), holds: [1], "without a limit")
  try check(store, holds: ids, "at last")
}

/// A child that is forked has its parent's open file and memory: it may use neither.
func forkWhileOpen(in directory: String) throws {
  let path = directory + "/notes.roost"
  var ids = Set(0..<2000)
  let store = try open(path)
  try store.write { try $0.insert(contentsOf: ids.sorted().map { Note($0) }) }
  var held: (snapshot: Snapshot, rows: Rows<Note>)? = (
    store.snapshot(), try store.snapshot().rows(Note.all)
  )
  let process = try forkProcess()
  if process == 0 {
    do {
      if let held { try useInChild(store, held.snapshot, held.rows, path) }
      exit(0)
    } catch {
      say("the child failed: \(error)")
      exit(1)
    }
  }
  held = nil
  for id in 2000..<2200 {
    try store.write { try $0.insert(Note(id)) }
    ids.insert(id)
  }
  var status: Int32 = 0
  guard unsafe waitpid(process, &status, 0) == process, status == 0 else {
    throw Lost(what: "the child, with status \(status)")
  }
  try check(store, holds: ids, "in the parent")
  store.close()
  try check(try open(path), holds: ids, "in the opened file")
}

func useInChild(
  _ store: Store, _ snapshot: Snapshot, _ rows: Rows<Note>, _ path: String
) throws {
  try expectError { _ = try store.snapshot().count(Note.all) }
  try expectError { _ = try snapshot.fetch(Note.all) }
  try expectError { try store.write { try $0.insert(Note(1_000_000)) } }
  try expectError { try store.synchronize() }
  // What the parent had read is in memory.
  guard try rows[7].text == Note(7).text else { throw Lost(what: "a row") }
  try expectError { _ = try open(path) }
  store.close()
  // The lock is the parent's: it has not ended.
  try expectError { _ = try open(path) }
}

let arguments = CommandLine.arguments
do {
  switch (arguments.count, arguments.count > 1 ? arguments[1] : "") {
  case (3, "file-size"): try limitFileSize(in: arguments[2])
  case (3, "file-size-before-a-sync"): try limitFileSizeBeforeASync(in: arguments[2])
  case (3, "open-files"): try limitOpenFiles(in: arguments[2])
  case (3, "fork"): try forkWhileOpen(in: arguments[2])
  default:
    FileHandle.standardError.write(
      Data("usage: LimitChild file-size|file-size-before-a-sync|open-files|fork DIRECTORY\n".utf8))
    exit(2)
  }
  say("done")
} catch {
  say("failed: \(error)")
  exit(1)
}
