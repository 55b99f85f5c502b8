import Synchronization

/// The extents that records of a ring describe, each by a delta from an older one.
///
/// Its base may be an extent of an earlier record, and that one's base too: a root has a delta in each record. So the
/// extents are an array, and not a chain of objects: nothing is recursive.
struct RecordedPages: Sendable {
  /// Where the bytes lie that a delta begins from.
  private enum Base {
    case none
    /// An extent of the file.
    case file(unit: UInt64)
    /// An earlier extent of the records.
    case page(Int)
  }

  /// One extent.
  private struct Page {
    let pointer: ExtentPointer
    let delta: PageDelta
    let base: Base
  }

  private var pages: [Page] = []
  /// The last extent that was recorded for each unit.
  private var owners: [UInt64: Int] = [:]

  init() {}

  /// Adds the extents of one record, whose bases are extents of the version before it.
  ///
  /// - Throws: `.corrupt` where two have a unit in common, or a base overlaps an earlier record's extent and is not it.
  mutating func add(_ extents: [RecordedExtent]) throws(EngineError) {
    let first = pages.count
    for extent in extents {
      pages.append(
        Page(pointer: extent.pointer, delta: extent.delta, base: try base(of: extent)))
    }
    // All bases are extents of the version before, also of an extent that is written elsewhere in the record.
    for (index, extent) in extents.enumerated() {
      for unit in extent.pointer.unit..<extent.pointer.end {
        if let owner = owners[unit], owner >= first {
          throw .corrupt(Corruption(.ringRecord, unit: extent.pointer.unit))
        }
        owners[unit] = first + index
      }
    }
  }

  private func base(of extent: RecordedExtent) throws(EngineError) -> Base {
    guard let base = extent.base else { return .none }
    guard let owner = owners[base.unit] else {
      guard base.range.allSatisfy({ owners[$0] == nil }) else {
        throw .corrupt(Corruption(.ringRecord, unit: extent.pointer.unit))
      }
      return .file(unit: base.unit)
    }
    guard pages[owner].pointer.unit..<pages[owner].pointer.end == base.range,
      base.range.allSatisfy({ owners[$0] == owner })
    else { throw .corrupt(Corruption(.ringRecord, unit: extent.pointer.unit)) }
    return .page(owner)
  }

  /// The extents that no later one overlaps, and that have no free unit: their positions, by their first units.
  fileprivate func live(without free: UnitSet) -> [UInt64: Int] {
    var live: [UInt64: Int] = [:]
    for (unit, index) in owners {
      let pointer = pages[index].pointer
      let range = pointer.unit..<pointer.end
      guard unit == pointer.unit, range.allSatisfy({ owners[$0] == index }),
        free.runs(in: range).isEmpty
      else { continue }
      live[unit] = index
    }
    return live
  }

  fileprivate func pointer(at index: Int) -> ExtentPointer { pages[index].pointer }

  /// Builds an extent's bytes; the caller compares their checksum.
  ///
  /// - Complexity: The bytes of the extent and of all that it was made from; memory for two extents.
  fileprivate func build(
    _ index: Int, over file: any StorageFile, into bytes: MutableByteView
  ) throws(EngineError) {
    var path = [index]
    var largest = pages[index].delta.baseByteCount
    var base = pages[index].base
    while case .page(let earlier) = base {
      path.append(earlier)
      largest = max(largest, pages[earlier].delta.baseByteCount)
      base = pages[earlier].base
    }
    // The last step writes to the caller's bytes, each other one to the buffer that its base does not lie in.
    let buffers = [AlignedBytes(count: largest), AlignedBytes(count: largest)]
    defer { withExtendedLifetime(buffers) {} }
    var turn = 0
    var source = buffers[turn].mutableView.slice(
      0, pages[path[path.count - 1]].delta.baseByteCount)
    if case .file(let unit) = base {
      let count: Int
      do { count = try file.read(into: source, at: unit * UInt64(Unit.bytes)) } catch {
        throw .file(error)
      }
      guard count == source.count else {
        throw .corrupt(Corruption(.extentBeyondFile, unit: unit))
      }
    }
    for step in path.reversed() {
      turn = 1 - turn
      let delta = pages[step].delta
      let target = step == index ? bytes : buffers[turn].mutableView.slice(0, delta.byteCount)
      delta.apply(base: source.readOnly, into: target)
      source = target
    }
  }
}

/// The extents of a recovered version that only the ring has: they are built when they are asked for.
///
/// They stay until they are no longer needed, so that the cache may drop what was built.
final class RecordedTable: Sendable {
  private struct Content {
    var pages = RecordedPages()
    /// The positions of the extents, by their first units.
    var live: [UInt64: Int] = [:]
  }

  private let content = Mutex(Content())
  /// Whether there are none, so that reading a file without them takes no lock.
  private let isEmpty = Atomic<Bool>(true)

  init() {}

  /// The number of the extents, and their bytes.
  var size: (count: Int, bytes: Int) {
    content.withLock { content in
      (
        content.live.count,
        content.live.values.reduce(0) { $0 + content.pages.pointer(at: $1).byteCount }
      )
    }
  }

  /// Replaces all extents.
  ///
  /// - Parameter free: The units that became free in the records: no version sees their extents any more.
  func set(_ pages: RecordedPages, without free: UnitSet) {
    let live = pages.live(without: free)
    content.withLock { $0 = Content(pages: pages, live: live) }
    isEmpty.store(live.isEmpty, ordering: .releasing)
  }

  /// Builds an extent, if it is here; the caller compares the checksum.
  ///
  /// - Returns: Whether it is.
  func build(
    _ pointer: ExtentPointer, over file: any StorageFile, into bytes: MutableByteView
  ) throws(EngineError) -> Bool {
    guard !isEmpty.load(ordering: .acquiring) else { return false }
    let found = content.withLock { content -> (pages: RecordedPages, index: Int)? in
      guard let index = content.live[pointer.unit], content.pages.pointer(at: index) == pointer
      else { return nil }
      return (content.pages, index)
    }
    guard let found else { return false }
    try found.pages.build(found.index, over: file, into: bytes)
    return true
  }

  /// The pointers of all extents, by unit.
  var pointers: [ExtentPointer] {
    content.withLock { content in
      content.live.values.map { content.pages.pointer(at: $0) }
    }.ascending { Int(clamping: $0.unit) }
  }

  /// Drops the extents of a range: no version sees them any more.
  func drop(_ range: Range<UInt64>) {
    guard !isEmpty.load(ordering: .acquiring) else { return }
    content.withLock { content in
      for unit in range { content.live[unit] = nil }
    }
  }
}
