import RoostEngine

/// One file of a ``SimulatedDisk``: what a reader sees, what a crash cannot take, what is between.
struct SimulatedInode: Sendable {
  /// A change that is not durable yet.
  enum Change: Sendable {
    case write([UInt8], at: UInt64)
    case resize(from: UInt64, to: UInt64)

    func apply(to bytes: inout SparseBytes) {
      switch self {
      case .write(let written, let offset): bytes.write(written, at: offset)
      case .resize(_, let size): bytes.resize(to: size)
      }
    }

    /// The sectors whose bytes change.
    var sectors: Range<UInt64> {
      switch self {
      case .write(let bytes, let offset):
        sectorRange(offset..<offset + UInt64(bytes.count))
      case .resize(let old, let new):
        new < old ? sectorRange(new..<old) : 0..<0
      }
    }
  }

  /// The bytes that a reader sees.
  private(set) var current: SparseBytes
  /// The bytes that a crash cannot take.
  private(set) var durable: SparseBytes
  /// What was done since, oldest first.
  private(set) var pending: [Change] = []
  /// How many changes were ever pending: what a sync covers are those before its beginning.
  private(set) var changeCount = 0
  var locks = LockTable<ObjectIdentifier>()
  var openCount = 0

  init(durable: SparseBytes = SparseBytes()) {
    self.durable = durable
    current = durable
  }

  mutating func write(_ bytes: [UInt8], at offset: UInt64) {
    guard !bytes.isEmpty else { return }
    change(.write(bytes, at: offset))
  }

  mutating func resize(to size: UInt64) {
    guard size != current.size else { return }
    change(.resize(from: current.size, to: size))
  }

  private mutating func change(_ change: Change) {
    change.apply(to: &current)
    pending.append(change)
    changeCount += 1
  }

  /// Makes durable what was pending when `changeCount` was `count`.
  mutating func synchronize(changesBefore count: Int) {
    let covered = covered(changesBefore: count)
    for change in pending[..<covered] { change.apply(to: &durable) }
    pending.removeSubrange(..<covered)
  }

  /// Makes a part of it durable and forgets the rest, as a system does whose sync failed.
  mutating func failSynchronizing(changesBefore count: Int, using generator: inout SeededGenerator)
  {
    let covered = covered(changesBefore: count)
    durable = crashed(
      Array(pending[..<covered]), Survival.share(percent: 50), tornIn: 0, using: &generator)
    pending.removeSubrange(..<covered)
  }

  private func covered(changesBefore count: Int) -> Int {
    // Another sync may have covered some of them in the meantime.
    max(0, pending.count - (changeCount - count))
  }
}

/// The unit in which a medium keeps or loses what was written.
let sectorBytes: UInt64 = 512

private func sectorRange(_ bytes: Range<UInt64>) -> Range<UInt64> {
  bytes.isEmpty
    ? 0..<0 : bytes.lowerBound / sectorBytes..<(bytes.upperBound - 1) / sectorBytes + 1
}

extension SparseBytes {
  init(_ bytes: [UInt8]) {
    self.init()
    write(bytes, at: 0)
  }

  mutating func write(_ bytes: [UInt8], at offset: UInt64) {
    unsafe bytes.withUnsafeBytes { unsafe write(ByteView($0), at: offset) }
  }

  /// All the bytes.
  var array: [UInt8] { bytes(at: 0, Int(size)) }

  /// That many bytes from `offset` on, zeros beyond the end.
  func bytes(at offset: UInt64, _ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    _ = unsafe bytes.withUnsafeMutableBytes { unsafe read(into: MutableByteView($0), at: offset) }
    return bytes
  }
}
