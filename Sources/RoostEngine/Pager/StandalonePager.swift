/// A reader and the writers of a file that has extents and no slots, for tests and measurements of
/// trees.
package final class StandalonePager {
  /// Reads everything that was written.
  package let reader: PageReader
  /// The number of the last transaction.
  package private(set) var transaction: UInt64 = 0
  /// The extents and the bytes that the last transaction wrote to the file.
  package private(set) var writtenBytes = 0
  private let grower: FileGrower
  private var space = FreeSpace(highWater: Unit.firstExtent)

  /// A pager over an empty file.
  package init(file: any StorageFile, cacheBytes: Int) {
    reader = PageReader(file: file, cacheBytes: cacheBytes)
    grower = FileGrower(file: file, size: 0, highWater: 0)
  }

  /// The units that the file has, used or free.
  package var highWater: UInt64 { space.highWater }

  /// Runs one transaction and writes it to the file; if `body` throws, none of it remains.
  ///
  /// - Parameter protected: The versions whose extents must stay, ascending.
  package func write<Result>(
    protected: [UInt64], _ body: (PageWriter) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    transaction += 1
    let writer = PageWriter(
      reader: reader, transaction: transaction, space: space,
      protected: ProtectedVersions(held: protected),
      grower: grower)
    do {
      let result = try body(writer)
      try writer.flush()
      space = writer.space
      writtenBytes = writer.fileBytes
      return result
    } catch {
      writer.discard()
      throw error
    }
  }
}
