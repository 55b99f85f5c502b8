internal import Synchronization

/// An open file of an ``OverlayFileSystem``.
///
/// A written block is in the scratch file from then on, at the same offset. So memory holds only a bit for each block,
/// however much is written.
final class OverlayFile: StorageFile {
  private struct State {
    var size: UInt64 = 0
    /// The end of the file below that is used: after it, all bytes are zero until they are written.
    var baseEnd: UInt64 = 0
    /// The blocks that are in the scratch file.
    var written = BlockBits()
  }

  private let base: any StorageFile
  private let scratch: any StorageFile
  private let state = Mutex(State())

  /// The block size: the smallest part that is copied to the scratch file.
  private static let blockBytes: UInt64 = 4096

  init(_ base: any StorageFile, _ scratch: any StorageFile) throws(FileError) {
    self.base = base
    self.scratch = scratch
    try begin()
  }

  var path: String { base.path }

  var isDisk: Bool { false }

  func identity() throws(FileError) -> FileIdentity { try base.identity() }

  func size() throws(FileError) -> UInt64 { state.withLock { $0.size } }

  func synchronize() throws(FileError) {}

  /// Locks the file below for reading, so that nobody writes it meanwhile.
  func lock(exclusive: Bool) throws(FileError) -> Bool {
    guard try base.lock(exclusive: false) else { return false }
    // The file may have grown before it was locked.
    if state.withLock({ $0.written.isEmpty }) { try begin() }
    return true
  }

  var lockOfThisProcess: FileLock? { base.lockOfThisProcess }

  func close() {
    base.close()
    scratch.close()
  }

  private func begin() throws(FileError) {
    let size = try base.size()
    state.withLock { $0 = State(size: size, baseEnd: size) }
  }

  // MARK: Content

  func read(into view: MutableByteView, at offset: UInt64) throws(FileError) -> Int {
    try state.withLock { (state) throws(FileError) in
      guard offset < state.size else { return 0 }
      let total = Int(min(UInt64(view.count), state.size - offset))
      var done = 0
      while done < total {
        let position = offset + UInt64(done)
        let isWritten = state.written.contains(position / Self.blockBytes)
        var end = Self.blockEnd(position)
        while end - offset < UInt64(total),
          state.written.contains(end / Self.blockBytes) == isWritten
        {
          end += Self.blockBytes
        }
        let part = view.slice(done, Int(min(end - offset, UInt64(total))) - done)
        let known = isWritten ? state.size : state.baseEnd
        let count = known > position ? Int(min(UInt64(part.count), known - position)) : 0
        let read =
          count > 0
          ? try (isWritten ? scratch : base).read(into: part.slice(0, count), at: position) : 0
        part.slice(read, part.count - read).zero()
        done += part.count
      }
      return total
    }
  }

  func write(_ views: [ByteView], at offset: UInt64) throws(FileError) {
    let count = views.reduce(UInt64(0)) { $0 + UInt64($1.count) }
    guard count > 0 else { return }
    let end = try checked(offset, plus: count, .write)
    try state.withLock { (state) throws(FileError) in
      // A block that is written in part is first copied whole.
      if offset % Self.blockBytes != 0 { try takeOver(offset / Self.blockBytes, &state) }
      if end % Self.blockBytes != 0 { try takeOver(end / Self.blockBytes, &state) }
      try scratch.write(views, at: offset)
      for block in offset / Self.blockBytes...(end - 1) / Self.blockBytes {
        state.written.insert(block)
      }
      state.size = max(state.size, end)
    }
  }

  func allocate(_ range: Range<UInt64>) throws(FileError) {
    guard !range.isEmpty else { return }
    let end = try checked(range.upperBound, plus: 0, .allocate)
    state.withLock { $0.size = max($0.size, end) }
  }

  func truncate(to size: UInt64) throws(FileError) {
    let size = try checked(size, plus: 0, .resize)
    try state.withLock { (state) throws(FileError) in
      let last = size / Self.blockBytes
      if size < state.size, size % Self.blockBytes != 0, state.written.contains(last) {
        let zeros = AlignedBytes(count: Int(Self.blockEnd(size) - size))
        try scratch.write(zeros.mutableView.readOnly, at: size)
        withExtendedLifetime(zeros) {}
      }
      state.written.removeAll(from: size % Self.blockBytes == 0 ? last : last + 1)
      state.baseEnd = min(state.baseEnd, size)
      state.size = size
    }
  }

  /// Copies a block to the scratch file, unless it is already there.
  private func takeOver(_ block: UInt64, _ state: inout State) throws(FileError) {
    guard !state.written.contains(block) else { return }
    let position = block * Self.blockBytes
    let bytes = AlignedBytes(count: Int(Self.blockBytes))
    if state.baseEnd > position {
      let count = Int(min(Self.blockBytes, state.baseEnd - position))
      _ = try base.read(into: bytes.mutableView.slice(0, count), at: position)
    }
    try scratch.write(bytes.mutableView.readOnly, at: position)
    withExtendedLifetime(bytes) {}
    state.written.insert(block)
  }

  /// The end of the block that contains a byte.
  private static func blockEnd(_ position: UInt64) -> UInt64 {
    (position / blockBytes + 1) * blockBytes
  }

  /// The end of some bytes.
  ///
  /// - Throws: `EFBIG` where no file can be so large.
  private func checked(
    _ offset: UInt64, plus count: UInt64, _ operation: FileError.Operation
  ) throws(FileError) -> UInt64 {
    let (end, overflows) = offset.addingReportingOverflow(count)
    guard !overflows, end <= UInt64(Int64.max) - Self.blockBytes else {
      throw FileError(operation, path: path, .tooLarge)
    }
    return end
  }
}

/// A set of blocks: a bit for each, in words of 64.
private struct BlockBits {
  /// By index; words without a set bit are omitted.
  private var words: [UInt64: UInt64] = [:]

  var isEmpty: Bool { words.isEmpty }

  func contains(_ block: UInt64) -> Bool {
    words[block / 64].map { $0 & 1 << (block % 64) != 0 } ?? false
  }

  mutating func insert(_ block: UInt64) { words[block / 64, default: 0] |= 1 << (block % 64) }

  mutating func removeAll(from block: UInt64) {
    words = words.filter { $0.key <= block / 64 }
    words[block / 64]? &= (1 << (block % 64)) - 1
  }
}
