import Foundation
import RoostEngine
import RoostTestSupport
import Testing

/// Random operations on a handful of files, whose answers must not depend on where the files are.
@Suite struct FileOracleTests {
  @Test(arguments: 1...12)
  func allFileSystemsGiveTheSameAnswers(seed: UInt64) throws {
    var transcripts: [[String]] = []
    for kind in FileSystemUnderTest.allCases {
      try kind.withFileSystem { system, directory in
        var user = RandomUser(seed: seed, system: system, directory: directory)
        transcripts.append((0..<700).map { _ in user.step() })
      }
    }
    let posix = transcripts[0]
    for other in transcripts[1...] {
      guard let step = posix.indices.first(where: { posix[$0] != other[$0] }) else { continue }
      Issue.record("seed \(seed), step \(step): \(posix[step]) is not \(other[step])")
    }
  }
}

/// Somebody who opens, reads, writes and renames at random, and writes down what happened.
private struct RandomUser {
  private var generator: SeededGenerator
  private let system: any FileSystem
  private let directory: String
  private var files: [(file: any StorageFile, isWritable: Bool)] = []

  init(seed: UInt64, system: any FileSystem, directory: String) {
    generator = SeededGenerator(seed: seed)
    self.system = system
    self.directory = directory
  }

  mutating func step() -> String {
    let choice = Int.random(in: 0..<100, using: &generator)
    do {
      return files.isEmpty || choice < 25 ? try useNames(choice) : try useFile(choice)
    } catch let error as FileError {
      return "\(error.operation) \(error.path.dropFirst(directory.count)) \(error.code)"
    } catch {
      return "\(error)"
    }
  }

  private mutating func useNames(_ choice: Int) throws -> String {
    let path = randomPath()
    switch choice {
    case 0..<5:
      let target = randomPath()
      try system.rename(path, to: target)
      return "renamed"
    case 5..<8:
      try system.remove(path)
      return "removed"
    case 8..<12:
      let identity = try system.identity(of: path)
      // The identities are each system's own; which open files have it is not.
      let same = try files.map { try $0.file.identity() == identity }
      return "kind \(String(describing: try system.kind(of: path))) same \(same)"
    case 12..<15:
      try system.synchronizeDirectory(of: path)
      return "synchronized"
    default:
      let mode = [FileMode.readOnly, .readWrite, .create, .create][
        Int.random(in: 0..<4, using: &generator)]
      let file = try system.open(path, mode)
      files.append((file, mode != .readOnly))
      return "opened \(try file.size())"
    }
  }

  private mutating func useFile(_ choice: Int) throws -> String {
    let index = Int.random(in: 0..<files.count, using: &generator)
    let (file, isWritable) = files[index]
    let offset = UInt64.random(in: 0...600_000, using: &generator)
    switch choice {
    case 25..<30:
      file.close()
      if Bool.random(using: &generator) { files.remove(at: index) }
      return "closed"
    case 30..<50:
      let bytes = try file.bytes(at: offset, Int.random(in: 0...200_000, using: &generator))
      return "read \(bytes.count) \(unsafe bytes.withUnsafeBytes { unsafe XXH3.hash($0) })"
    case 50..<55:
      try file.truncate(to: offset)
      return "truncated"
    case 55..<60:
      try file.allocate(offset..<offset + UInt64.random(in: 0...100_000, using: &generator))
      return "allocated \(try file.size())"
    case 60..<65:
      // Darwin lets a file opened for reading have an exclusive lock, Linux does not.
      let isExclusive = Bool.random(using: &generator) && isWritable
      return "lock \(try file.lock(exclusive: isExclusive))"
    case 65..<70:
      try file.synchronize()
      return "synchronized"
    default:
      let parts = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        [UInt8](
          repeating: UInt8.random(in: 0...255, using: &generator),
          count: Int.random(in: 0...20_000, using: &generator))
      }
      try file.write(parts: parts, at: offset)
      return "written \(try file.size())"
    }
  }

  private mutating func randomPath() -> String {
    directory + "/" + ["a", "b", "c"][Int.random(in: 0..<3, using: &generator)]
  }
}
