// Imports batches until it is killed, and prints the number of each as soon as it is durable.
import Foundation
import RoostTestSupport

guard let path = CommandLine.arguments.dropFirst().first else {
  FileHandle.standardError.write(Data("usage: ImportChild FILE\n".utf8))
  exit(2)
}
do {
  let workload = try ImportWorkload(path: path)
  var batch = try workload.nextBatch()
  while true {
    try workload.importBatch(batch)
    FileHandle.standardOutput.write(Data("\(batch)\n".utf8))
    batch += 1
  }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
