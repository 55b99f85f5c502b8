import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The memory of the page cache: slabs of 64 MiB address space, handed out in runs of units.
///
/// A slab is anonymous memory, so that a unit costs little before it is first written. It is not a
/// map of the file: no page of it can vanish, fail or change behind the engine's back. The first slab is small and from
/// the heap: a store that needs no more, in memory mostly, makes no map, and uses memory that the process has already.
final class FrameArena: Sendable {
  /// Some units of memory that belong to one frame.
  @safe
  struct Run: Sendable {
    let slab: Int
    let first: Int
    let units: Int
    nonisolated(unsafe) let base: UnsafeMutableRawPointer
  }

  @safe
  private struct Slab {
    nonisolated(unsafe) let base: UnsafeMutableRawPointer
    let units: Int
    var available = UnitBitmap()

    init(units: Int, base: UnsafeMutableRawPointer) {
      unsafe self.base = unsafe base
      self.units = units
      _ = available.insert(0..<units)
    }

    /// Gives the memory back to the system.
    func release() {
      if units == Unit.segmentUnits {
        unsafe _ = munmap(base, slabBytes)
      } else {
        unsafe free(base)
      }
    }
  }

  private static let slabBytes = Unit.segmentUnits * Unit.bytes
  /// The units of the first slab.
  private static let firstSlabUnits = 64
  private let slabs = Mutex<[Slab?]>([])

  deinit {
    slabs.withLock { slabs in
      for case let slab? in slabs { slab.release() }
    }
  }

  /// Memory for an extent, of any content.
  ///
  /// - Throws: ENOMEM as a file error when the system has no address space left.
  func allocate(_ units: Int) throws(EngineError) -> Run {
    #if ROOST_SEPARATE_FRAMES
    let run = Self.makeSeparateRun(units)
    #else
    let run = takeRun(units)
    #endif
    guard let run else {
      throw .file(FileError(.allocate, path: "memory", .outOfMemory))
    }
    return run
  }

  /// Frees memory.
  func release(_ run: Run) {
    #if ROOST_SEPARATE_FRAMES
    unsafe free(run.base)
    #else
    returnRun(run)
    #endif
  }

  #if ROOST_SEPARATE_FRAMES
  /// A run outside any slab, so that the address sanitizer detects an access outside it, or after its release.
  private static func makeSeparateRun(_ units: Int) -> Run? {
    var base: UnsafeMutableRawPointer?
    guard unsafe posix_memalign(&base, Unit.bytes, units * Unit.bytes) == 0, let base = unsafe base
    else { return nil }
    return unsafe Run(slab: 0, first: 0, units: units, base: base)
  }
  #endif

  private func takeRun(_ units: Int) -> Run? {
    slabs.withLock { slabs -> Run? in
      for index in slabs.indices {
        if let first = slabs[index]?.available.take(units), let slab = slabs[index] {
          return unsafe Run(
            slab: index, first: first, units: units, base: slab.base + first * Unit.bytes)
        }
      }
      let made =
        slabs.isEmpty && units <= Self.firstSlabUnits ? Self.makeFirstSlab() : Self.makeSlab()
      guard var slab = made, let first = slab.available.take(units) else { return nil }
      let index = slabs.firstIndex { $0 == nil } ?? slabs.count
      if index == slabs.count { slabs.append(slab) } else { slabs[index] = slab }
      return unsafe Run(
        slab: index, first: first, units: units, base: slab.base + first * Unit.bytes)
    }
  }

  private func returnRun(_ run: Run) {
    slabs.withLock { slabs in
      guard var slab = slabs[run.slab] else { return }
      slabs[run.slab] = nil  // so that the bitmap is not copied
      _ = slab.available.insert(run.first..<run.first + run.units)
      if slab.available.count == slab.units, slabs.contains(where: { $0 != nil }) {
        slab.release()
      } else {
        slabs[run.slab] = slab
      }
    }
  }

  private static func makeFirstSlab() -> Slab? {
    var base: UnsafeMutableRawPointer?
    let status = unsafe posix_memalign(&base, Unit.bytes, firstSlabUnits * Unit.bytes)
    guard status == 0, let base = unsafe base else { return nil }
    return unsafe Slab(units: firstSlabUnits, base: base)
  }

  private static func makeSlab() -> Slab? {
    let flags = MAP_PRIVATE | MAP_ANON | (Self.noReserve)
    let base = unsafe mmap(nil, slabBytes, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else { return nil }
    unsafe adviseHugePages(base)
    return unsafe Slab(units: Unit.segmentUnits, base: base)
  }

  /// Requests pages of 2 MiB, if the system has them: leaves are visited in any order, and each TLB miss
  /// costs more than reading a column of a leaf.
  ///
  /// The first such page of a slab is left as it is, so that a small store stays small.
  @unsafe
  private static func adviseHugePages(_ base: UnsafeMutableRawPointer) {
    #if os(Linux) || os(Android)
    let hugePageBytes = 2 << 20
    // Failure affects only speed.
    unsafe _ = madvise(base + hugePageBytes, slabBytes - hugePageBytes, MADV_HUGEPAGE)
    #endif
  }

  #if canImport(Darwin)
  private static let noReserve: Int32 = 0
  #else
  private static let noReserve = MAP_NORESERVE
  #endif
}
