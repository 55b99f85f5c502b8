import Foundation

/// What this machine can do at most, measured beside the databases: no database can beat it.
struct Machine {
  let cores = ProcessInfo.processInfo.activeProcessorCount
  let memory = ProcessInfo.processInfo.physicalMemory
  let system = ProcessInfo.processInfo.operatingSystemVersionString
  let processor = Self.processorName()
  private(set) var limits: [Limit] = []

  struct Limit {
    let name: String
    let unit: String
    let value: Double
  }

  /// Measures for about a second, with a file in a folder.
  mutating func measureLimits(in directory: URL) throws {
    for bytes in [4096, 8192, 16_384, 24_576] {
      let sync = try Self.synchronizations(of: bytes, count: 200, in: directory)
      limits.append(Limit(name: "sync of \(bytes) bytes", unit: "µs", value: sync.median))
    }
    limits.append(Limit(name: "memory, one core", unit: "GB/s", value: Self.memoryBandwidth()))
    let read = try Self.cachedReads(of: 4096, count: 20_000, in: directory)
    limits.append(Limit(name: "read of 4096 cached bytes", unit: "µs", value: read.median))
  }

  /// Times writes over bytes that the file already has, each followed by a sync of its data.
  private static func synchronizations(
    of bytes: Int, count: Int, in directory: URL
  ) throws -> Measurements {
    let places = 64
    return try withFile(in: directory) { file in
      let block = [UInt8](repeating: 1, count: bytes)
      func write(_ index: Int) throws {
        guard pwrite(file, block, bytes, off_t(index % places * bytes)) == bytes,
          synchronize(file) == 0
        else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      }
      for index in 0..<places { try write(index) }
      return try measure(count) { try write($0 * 7) }
    }
  }

  /// Times reads of random places of a file that is in the system's cache.
  private static func cachedReads(
    of bytes: Int, count: Int, in directory: URL
  ) throws -> Measurements {
    let places = 16_384
    return try withFile(in: directory) { file in
      var block = [UInt8](repeating: 1, count: bytes)
      for place in 0..<places { pwrite(file, block, bytes, off_t(place * bytes)) }
      var random = SplitMix64(seed: 3)
      return try measure(count) { _ in
        guard pread(file, &block, bytes, off_t(random.below(places) * bytes)) == bytes else {
          throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
      }
    }
  }

  /// Sums 512 MiB of integers, in vectors; the best of a few runs.
  private static func memoryBandwidth() -> Double {
    let count = 1 << 23
    let vectors = [SIMD8<Int64>](repeating: .one, count: count)
    let times = (0..<5).map { _ in
      var sum = SIMD8<Int64>.zero
      let time = ContinuousClock().measure {
        for vector in vectors { sum &+= vector }
      }
      precondition(sum[0] == Int64(count))
      return time
    }
    let seconds = (times.min() ?? .zero) / .seconds(1)
    return Double(count * MemoryLayout<SIMD8<Int64>>.stride) / seconds / 1e9
  }

  private static func measure(_ count: Int, _ body: (Int) throws -> Void) rethrows -> Measurements {
    var measurements = Measurements()
    for index in 0..<count {
      let took = try ContinuousClock().measure { try body(index) }
      measurements.add(Unit.microseconds.value(took))
    }
    return measurements
  }

  private static func withFile<R>(in directory: URL, _ body: (Int32) throws -> R) throws -> R {
    let path = directory.appending(path: "machine").path
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer {
      close(file)
      unlink(path)
    }
    return try body(file)
  }

  private static func synchronize(_ file: Int32) -> Int32 {
    #if canImport(Darwin)
    fcntl(file, F_FULLFSYNC)
    #else
    fdatasync(file)
    #endif
  }

  private static func processorName() -> String {
    #if canImport(Darwin)
    "an Apple processor"
    #else
    let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model = lines.split(separator: "\n").first { $0.hasPrefix("model name") }
    let name = model?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
    return name ?? "an unknown processor"
    #endif
  }
}
