/// An SQLite file that was copied and opened, for several readers one after the other: all read the same copy.
package final class CopiedFile {
  let copy: SourceCopy
  let connection: Connection
  /// The check of the copy's pages: nothing that was read before its end may be kept.
  let check: PageCheck
  /// The most bytes of a row.
  let valueBytesMax: Int

  /// The file that was copied.
  package var path: String { copy.path }

  /// - Parameter valueBytesMax: The most bytes of a row.
  package init(_ path: String, valueBytesMax: Int = 256 << 20) throws(SQLiteError) {
    self.valueBytesMax = valueBytesMax
    copy = try SourceCopy(path)
    connection = try Connection(copy, valueBytesMax: valueBytesMax)
    check = try PageCheck(of: copy, connection, valueBytesMax: valueBytesMax)
  }

  /// Waits for the check of the pages, and throws if damage was found.
  package func waitForCheck() throws(SQLiteError) { try check.wait() }

  /// Throws if damage was found, or the source was written to since.
  func checkUnchanged() throws(SQLiteError) {
    try check.wait()
    try copy.checkUnchanged()
  }
}
