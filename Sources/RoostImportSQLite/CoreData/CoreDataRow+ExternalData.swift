#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CoreDataRow {
  /// The value of a binary attribute that allows external storage, also if it is in a file of its own; nil for NULL.
  ///
  /// Such an attribute has "Allows External Storage" in the model, or `@Attribute(.externalStorage)`. The file does not say which
  /// attributes have it. If all values of one look like it, reading it as `Data` is an error, with the line that reads it.
  ///
  /// - Parameters:
  ///   - attribute: The attribute.
  ///   - skippingMissing: Whether a value whose file does not exist is nil, counted in the report's `omissions`, and not an error.
  /// - Throws: If the value is not one of such an attribute, or its file does not exist or is larger than `valueBytesMax`.
  public func externalData(
    _ attribute: String, skippingMissing: Bool = false
  ) throws(SQLiteError) -> Data? {
    let (stored, column) = try found(attribute)
    guard stored != .null else { return nil }
    switch ExternalData(stored) {
    case .within(let bytes): return bytes
    case .file(let name):
      if let bytes = try reader.external.bytes(of: name) { return bytes }
      if skippingMissing {
        reader.tables.countOmission(own.name, attribute)
        return nil
      }
      throw .mismatch(
        table: own.name, column: attribute, row: row.keyInWords, declared: column.type.words,
        found: "the name of the file \(name), which is missing", asked: "external data",
        line: "`try row.externalData(\(attribute.swiftLiteral), skippingMissing: true)`")
    case nil:
      throw .mismatch(
        table: own.name, column: attribute, row: row.keyInWords, declared: column.type.words,
        found: stored.words, asked: "external data",
        line: "`try row[\(attribute.swiftLiteral)] as Data?`")
    }
  }

  /// The error for an attribute that is read as `Data`, and may allow external storage.
  func mayBeExternal(_ attribute: String, _ stored: SQLiteValue) -> SQLiteError {
    let name = attribute.swiftLiteral
    return .mismatch(
      table: own.name, column: attribute, row: row.keyInWords, declared: "Binary Data",
      found: stored.words + ", as attributes that allow external storage do", asked: "Data",
      line:
        "`try row.externalData(\(name))`, or, if it does not allow that, `try row.value(\(name))`"
    )
  }
}
