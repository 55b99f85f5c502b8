/// Reserves room at the end of the file before it is written.
///
/// Small growth is reserved a mebibyte or a sixteenth of the file at a time, and the first
/// mebibyte of it is written with zeros: a sync over units that were written before is a third
/// cheaper than one over fresh ones. Growth by more than a mebibyte at once is reserved as it is.
/// Used under the write lock.
final class FileGrower {
  private let file: any StorageFile
  /// How many bytes of the file are reserved.
  private(set) var size: UInt64

  private static let step: UInt64 = 1 << 20

  init(file: any StorageFile, size: UInt64) {
    self.file = file
    self.size = size
  }

  /// Makes sure that the units below `highWater` have room in the file.
  func reserve(through highWater: UInt64) throws(EngineError) {
    let needed = highWater * UInt64(Unit.bytes)
    guard needed > size else { return }
    let isSmall = needed - size <= Self.step
    let growth = isSmall ? max(Self.step, size / 16) : needed - size
    let target = (size + growth + Self.step - 1) / Self.step * Self.step
    do {
      try file.allocate(size..<target)
      if isSmall { try writeZeros(size..<min(target, size + Self.step)) }
    } catch { throw .file(error) }
    size = target
  }

  private func writeZeros(_ range: Range<UInt64>) throws(FileError) {
    let zeros = [UInt8](repeating: 0, count: Int(range.count))
    var failure: FileError?
    unsafe zeros.withUnsafeBytes { buffer in
      do throws(FileError) { unsafe try file.write([buffer], at: range.lowerBound) } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
