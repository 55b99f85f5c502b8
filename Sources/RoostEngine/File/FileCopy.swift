/// Copies the content of one open file to another.
struct FileCopy {
  private let source: any StorageFile
  private let target: any StorageFile

  private static let stepBytes = 1 << 20

  init(from source: any StorageFile, to target: any StorageFile) {
    self.source = source
    self.target = target
  }

  /// Copies all bytes, after reserving room for them.
  func run() throws(FileError) {
    let size = try source.size()
    try target.truncate(to: 0)
    try target.allocate(0..<size)
    let buffer = AlignedBytes(count: Self.stepBytes)
    var position: UInt64 = 0
    while position < size {
      let count = try source.read(into: buffer.mutableView, at: position)
      // The file ended too early: it was truncated meanwhile.
      guard count > 0 else { throw FileError(.read, path: source.path, .invalid) }
      try target.write(buffer.mutableView.readOnly.slice(0, count), at: position)
      position += UInt64(count)
    }
    withExtendedLifetime(buffer) {}
  }
}
