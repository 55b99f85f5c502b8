import Foundation

/// The files of a database.
enum DatabaseFiles {
  /// The bytes of those that exist.
  static func size(_ paths: [String]) throws -> Int {
    try existing(paths).reduce(0) { sum, path in
      sum + (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
    }
  }

  /// The bytes that those which exist take on the disk: what was never written of a file takes none.
  static func diskSize(_ paths: [String]) throws -> Int {
    existing(paths).reduce(0) { sum, path in
      var status = stat()
      return sum + (stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0)
    }
  }

  static func remove(_ paths: [String]) throws {
    for path in existing(paths) { try FileManager.default.removeItem(atPath: path) }
  }

  #if os(Linux)
  /// Takes the files out of the system's cache, so that they are read from the disk next.
  static func evict(_ paths: [String]) throws {
    for path in existing(paths) {
      let file = try FileHandle(forUpdating: URL(filePath: path))
      try file.synchronize()
      posix_fadvise(file.fileDescriptor, 0, 0, POSIX_FADV_DONTNEED)
      try file.close()
    }
  }
  #endif

  private static func existing(_ paths: [String]) -> [String] {
    paths.filter { FileManager.default.fileExists(atPath: $0) }
  }
}
