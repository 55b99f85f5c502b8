// What the tests need a process of its own for: one that is killed, and one whose memory is measured.
import Foundation
import RoostEngine
import RoostTestSupport

/// Imports batches until it is killed, and prints the number of each as soon as it is durable.
func importBatches(into path: String) throws {
  let workload = try ImportWorkload(path: path)
  var batch = try workload.nextBatch()
  while true {
    try workload.importBatch(batch)
    FileHandle.standardOutput.write(Data("\(batch)\n".utf8))
    batch += 1
  }
}

/// Makes a store of so many objects in one transaction, rolls back another as large, and prints the bytes
/// of the file and the most memory that the process ever had, or what went wrong.
func writeLargeTransactions(to path: String, count: Int, cacheBytes: Int) throws {
  let store = try PersonStore(PosixFileSystem(), path: path, count: count, cacheBytes: cacheBytes)
  let fileBytes = try store.engine.fileBytes()
  let before = try store.engine.snapshot().contentDigest()
  let transaction = try store.engine.beginWrite()
  var random = SeededGenerator(seed: 2)
  for index in count..<2 * count { try store.insert(index, transaction, &random) }
  transaction.rollback()
  guard try store.engine.snapshot().contentDigest() == before else {
    throw EngineError.unknownTable(name: "content after the rollback")
  }
  try store.engine.write { (transaction) throws(EngineError) in
    try store.insert(count, transaction, &random)
  }
  let objects = try store.engine.snapshot().view.objects(store.table).count
  guard objects == UInt64(count + 1) else {
    throw EngineError.unknownTable(name: "the last object")
  }
  if let finding = try store.engine.snapshot().verify().first {
    throw EngineError.corrupt(finding)
  }
  print(fileBytes, peakMemoryBytes())
}

/// The most memory that this process ever had at once.
func peakMemoryBytes() -> Int {
  #if os(Linux)
  // Not getrusage: there a child begins with what its parent had.
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
    return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }
  return 0
  #else
  var usage = rusage()
  unsafe getrusage(RUSAGE_SELF, &usage)
  return usage.ru_maxrss
  #endif
}

let arguments = CommandLine.arguments.dropFirst()
do {
  switch (arguments.count, arguments.first) {
  case (1, let path?):
    try importBatches(into: path)
  case (3, let path?):
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    try writeLargeTransactions(to: path, count: numbers[0], cacheBytes: numbers[1])
  default:
    FileHandle.standardError.write(
      Data("usage: ImportChild FILE [OBJECTS CACHEBYTES]\n".utf8))
    exit(2)
  }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
