import Foundation

/// How long this machine takes to make bytes durable: what no database can beat.
struct SyncProbe {
  /// Times writes over bytes that the file already has, each followed by a sync of its data.
  static func measure(bytes: Int, count: Int, directory: URL) throws -> Measurements {
    let path = directory.appending(path: "sync-probe").path
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer {
      close(file)
      unlink(path)
    }
    let places = 64
    let block = [UInt8](repeating: 1, count: bytes)
    func write(_ index: Int) throws {
      guard pwrite(file, block, bytes, off_t(index % places * bytes)) == bytes,
        synchronize(file) == 0
      else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    for index in 0..<places { try write(index) }
    var measurements = Measurements()
    for index in 0..<count {
      let took = try ContinuousClock().measure { try write(index * 7) }
      measurements.add(Workload.Unit.microseconds.value(took))
    }
    return measurements
  }

  private static func synchronize(_ file: Int32) -> Int32 {
    #if canImport(Darwin)
    fcntl(file, F_FULLFSYNC)
    #else
    fdatasync(file)
    #endif
  }
}
