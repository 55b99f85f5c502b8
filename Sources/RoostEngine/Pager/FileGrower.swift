/// Reserves space at the end of the file before it is written.
///
/// Without objects a file grows by what it needs, for many stores stay empty. Then it grows by an eighth while it is small,
/// then by half a mebibyte, then by a 128th. Some of the reserved space is written with zeros ahead of the transactions that
/// will use it: a sync over units that were written before is a third cheaper than a sync over fresh units. Growth by more
/// than a mebibyte at once is reserved as it is.
///
/// The last part is kept for transactions that only delete: a copy-on-write tree writes to remove, and a full disk
/// would otherwise stay full. Used under the write lock.
final class FileGrower {
  private let file: any StorageFile
  /// The reserved bytes of the file.
  private(set) var size: UInt64
  /// The end of the written part of the file, including the current transaction's writes.
  private var written: UInt64
  /// The end of the part reserved for transactions.
  private var reserved: UInt64
  private let keepsRoomForDeletes: Bool

  private static let stepMin: UInt64 = 16 << 10
  private static let step: UInt64 = 1 << 20
  private static let zerosAhead: UInt64 = 256 << 10
  /// The bytes kept for deletes after the end of a large transaction: a copy of a few leaves.
  private static let roomBehindMuch: UInt64 = 512 << 10

  /// - Parameters:
  ///   - size: The bytes that the file has.
  ///   - highWater: The units that may hold something, or will where a crash took the growth of the file.
  init(
    file: any StorageFile, size: UInt64, highWater: UInt64, keepsRoomForDeletes: Bool = false
  ) {
    self.file = file
    self.size = size
    self.keepsRoomForDeletes = keepsRoomForDeletes
    written = min(size, highWater * UInt64(Unit.bytes))
    reserved = written
  }

  /// Checks that the file still has its name, and all its bytes.
  func checkPlace() throws(EngineError) {
    let displacement: FileDisplacement?
    do { displacement = try file.displacement(size: size) } catch { throw .file(error) }
    if let displacement { throw .displaced(path: file.path, displacement) }
  }

  /// Ensures that the units below `highWater` have space in the file.
  ///
  /// - Parameters:
  ///   - onlyDeletes: Whether the room that is kept for deletes may be used.
  ///   - isEmpty: Whether there is nothing to delete.
  ///   - isWrittenNext: Whether all units are written next that were not below the mark before. Those of a small commit wait in
  ///     memory, and are synced with many others: for them zeros would be a second copy.
  func reserve(
    through highWater: UInt64, onlyDeletes: Bool, isEmpty: Bool, isWrittenNext: Bool = true
  ) throws(EngineError) {
    let needed = highWater * UInt64(Unit.bytes)
    guard needed > reserved else { return }
    let isSmall = needed < written + Self.step
    let keepsRoom = keepsRoomForDeletes && !onlyDeletes && !isEmpty
    let kept = keepsRoom ? roomToKeep(behind: needed, isSmall: isSmall) : 0
    do {
      if needed + kept > size {
        if isEmpty {
          try grow(to: needed, room: 0, step: UInt64(Unit.bytes))
        } else {
          try grow(
            to: needed + kept, room: isSmall ? Self.room(of: size) : 0, step: Self.stepMin)
        }
      }
      reserved = needed
      guard needed > written else { return }
      written = needed
      guard isSmall, isWrittenNext else { return }
      let ahead = needed..<max(needed, min(size, needed + Self.zerosAhead))
      if !ahead.isEmpty { try file.writeZeros(ahead) }
      written = ahead.upperBound
    } catch { throw .file(error) }
  }

  /// Whether the disk has no room to keep for deletes behind the units below `highWater`.
  func isShortOfRoom(behind highWater: UInt64) throws(EngineError) -> Bool {
    let needed = highWater * UInt64(Unit.bytes)
    let end = needed + roomToKeep(behind: needed, isSmall: needed < written + Self.step)
    guard keepsRoomForDeletes, end > size else { return false }
    do { try grow(to: end, room: 0, step: Self.stepMin) } catch {
      guard error.isLackOfRoom else { throw .file(error) }
      return true
    }
    return false
  }

  /// Reserves some room after the needed bytes; if there is none, only the needed bytes.
  private func grow(to needed: UInt64, room: UInt64, step: UInt64) throws(FileError) {
    let end = (needed + room + step - 1) / step * step
    do {
      try file.allocate(size..<end)
      size = end
    } catch {
      guard error.isLackOfRoom, end > needed else { throw error }
      try file.allocate(size..<needed)
      size = needed
    }
  }

  /// The extra bytes that a file of this size gets when it grows.
  private static func room(of size: UInt64) -> UInt64 {
    max(min(size / 8, step / 2), size / 128)
  }

  /// The bytes after the needed ones that are kept for deletes.
  ///
  /// A file that grew by much at once was smaller before, and has little to keep of.
  private func roomToKeep(behind needed: UInt64, isSmall: Bool) -> UInt64 {
    let room = Self.roomForDeletes(beside: needed)
    return isSmall ? room : min(room, Self.roomBehindMuch)
  }

  /// The bytes kept for deletes in a file whose first `bytes` may be in use.
  ///
  /// A small file has room to write all of it anew: a deleted object may lie in its largest leaf.
  private static func roomForDeletes(beside bytes: UInt64) -> UInt64 {
    let content = bytes - min(bytes, Unit.firstExtent * UInt64(Unit.bytes))
    return max(min(content, 256 << 10), min(bytes / 8, 1 << 20))
  }
}

extension FileError {
  /// Whether there was no room on the disk, or none that the process may use.
  var isLackOfRoom: Bool { meaning == .outOfSpace || meaning == .tooLarge }
}
