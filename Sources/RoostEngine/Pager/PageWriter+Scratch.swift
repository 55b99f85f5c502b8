/// Readers and writers over a file that has extents but neither header nor slots: what the trees' own
/// tests and measurements stand on.
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
      // What lies below is there already, and is not to be filled with zeros.
      grower: FileGrower(
        file: reader.file, size: highWater * UInt64(Unit.bytes), highWater: highWater))
  }

  /// The unit after the last that was taken.
  package var highWater: UInt64 { space.highWater }

  /// How many units below it are free.
  package var freeUnits: UInt64 { space.free.count }

  /// Writes everything to the file.
  package func writeOut() throws(EngineError) { try flush() }
}
