/// Readers and writers over a file that has extents but neither header nor slots, for the trees' own
/// tests and measurements.
extension PageReader {
  /// A reader of a file's extents.
  package convenience init(scratch file: any StorageFile, cacheBytes: Int = 256 << 20) {
    self.init(file: file, cacheBytes: cacheBytes)
  }
}

extension PageWriter {
  /// A writer that takes new units from `highWater` on and leaves all others alone.
  package convenience init(
    scratch reader: PageReader, transaction: UInt64, highWater: UInt64 = Unit.firstExtent
  ) {
    self.init(
      reader: reader, transaction: transaction, space: FreeSpace(highWater: highWater),
      protected: ProtectedVersions(held: Array(1..<transaction)),
      // The units below exist already, and must not be filled with zeros.
      grower: FileGrower(
        file: reader.file, size: highWater * UInt64(Unit.bytes), highWater: highWater))
  }

  /// The unit after the last used unit.
  package var highWater: UInt64 { space.highWater }

  /// The number of free units below it.
  package var freeUnits: UInt64 { space.free.count }

  /// Writes everything to the file.
  package func writeOut() throws(EngineError) { try flush() }
}
