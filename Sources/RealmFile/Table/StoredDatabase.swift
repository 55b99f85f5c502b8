/// A `.realm` file, opened for reading.
///
/// Its newest committed state is read; the file is never written to. It must not be in use: a process that writes to it
/// reuses the space of old states.
package final class StoredDatabase: Sendable {
  /// The format: 10, 11, or 20 to 24; nil in a file that was never written to.
  package let format: Int?
  package let tables: [StoredTable]
  private let byKey: [UInt32: Int]
  private let columnNames: [ColumnPlace: String]
  private let reader: NodeReader

  /// The formats that are read.
  package static let formats: [Int] = [10, 11, 20, 21, 22, 23, 24]
  private static let headerBytes: UInt64 = 24
  private static let mnemonic: UInt32 = 0x4244_2d54
  private static let streamingTop = UInt64.max
  private static let streamingCookie: UInt64 = 0x3034_1252_37e5_26c8

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - key: The 64 bytes of the key of an encrypted file.
  ///   - bytesMax: The most memory that reading one value may take.
  package init(path: String, key: [UInt8]?, bytesMax: Int) throws(RealmFileError) {
    let pages = try PageCache(path: path, key: key)
    if key != nil, try Self.hasMnemonic(pages.storedPrefix(Int(Self.headerBytes))) {
      throw .notEncrypted
    }
    guard pages.byteCount >= Self.headerBytes else { throw .notRealm }
    let word = try pages.word(at: 16)
    // With a key, the page had its checksum: it is the half of the key that decrypts which is wrong.
    guard UInt32(truncatingIfNeeded: word) == Self.mnemonic else {
      throw key == nil ? .notRealm : .wrongKey
    }
    guard pages.byteCount % 8 == 0 else { throw .damaged(at: pages.byteCount, .fileSize) }
    // The flag says which of the two states is the newest; the other may be half written.
    let slot = word >> 56 & 1
    let format = Int(word >> (slot == 0 ? 32 : 40) & 0xff)
    var top = try pages.word(at: slot * 8)
    if slot == 0, top == Self.streamingTop {
      guard pages.byteCount >= Self.headerBytes + 16,
        try pages.word(at: pages.byteCount - 8) == Self.streamingCookie
      else { throw .damaged(at: pages.byteCount, .footer) }
      top = try pages.word(at: pages.byteCount - 16)
    }
    let isUnwritten = top == 0 && format == 0
    guard isUnwritten || Self.formats.contains(format) else { throw .unsupportedFormat(format) }
    self.format = isUnwritten ? nil : format
    reader = NodeReader(pages, format: format, bytesMax: bytesMax)
    var tableReader = TableReader(reader)
    tables = try tableReader.tables(top: top)
    var byKey: [UInt32: Int] = [:]
    var columnNames: [ColumnPlace: String] = [:]
    for (index, table) in tables.enumerated() {
      byKey[table.key] = index
      for column in table.columns {
        columnNames[ColumnPlace(table: table.key, column: column.key)] = column.name
      }
    }
    self.byKey = byKey
    self.columnNames = columnNames
  }

  private static func hasMnemonic(_ header: [UInt8]) -> Bool {
    header.count >= 20 && Array(header[16..<20]) == Array("T-DB".utf8)
  }

  /// The table that links name by this key.
  package func table(_ key: UInt32) -> StoredTable? { byKey[key].map { tables[$0] } }

  /// The name of the column that a table's column of backlinks names by these keys.
  package func columnName(_ column: UInt64, of table: UInt32) -> String? {
    columnNames[ColumnPlace(table: table, column: column)]
  }

  private struct ColumnPlace: Hashable {
    var table: UInt32
    var column: UInt64
  }

  /// The number of objects of a table, as the file states it.
  package func count(of table: StoredTable) throws(RealmFileError) -> UInt64 {
    var budget = reader.budget
    return try ClusterTree(table.root, reader).count(&budget)
  }

  /// Goes through the objects of a table.
  package func cursor(over table: StoredTable) -> StoredCursor { StoredCursor(table, reader) }

  /// The cluster and the row of an object; nil if there is none with this key.
  package func find(
    _ key: Int64, in table: StoredTable
  ) throws(RealmFileError) -> (cluster: StoredCluster, row: Int)? {
    guard let key = UInt64(exactly: key) else { return nil }
    var budget = reader.budget
    guard let found = try ClusterTree(table.root, reader).find(key, &budget) else { return nil }
    return (StoredCluster(table, found.leaf, reader), found.row)
  }

  /// Throws if the file was written to since it was opened.
  package func checkUnchanged() throws(RealmFileError) { try reader.checkUnchanged() }
}
