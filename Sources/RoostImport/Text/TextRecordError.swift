public import Roost

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error in reading a JSON or CSV file for an import, or in what a mapping makes of its records.
@nonexhaustive
public enum TextRecordError: Error, Equatable, Sendable {
  /// The file was written to while it was read.
  case changed(path: String)
  /// The text is no JSON or CSV as expected.
  case malformed(path: String, line: Int, column: Int, expected: String, found: String)
  /// A record takes more memory than allowed.
  case tooLarge(path: String, line: Int, bytesMax: Int)
  /// The file has no class of this name, but these.
  case unknownClass(String, classes: [String])
  /// No record of the class has a value of this name, but the first one has these.
  case unknownColumn(className: String, column: String, columns: [String])
  /// A value was read as a Swift type that cannot hold it. An import has all of them in ``mismatches(_:)``.
  case mismatch(TextMismatch)
  /// Values that the mapping cannot read, the first of each column. An import ends with all of them together.
  case mismatches([TextMismatch])
  /// The file does not say which record this is, or to which one the link in a column leads.
  case noKey(className: String, line: Int, column: String)
  /// What makes the objects of a class threw an error: the line of the record, and the error in words.
  case mapping(className: String, path: String, line: Int, reason: String)
  /// The store refused the object of a record: the store's error.
  case notStored(className: String, path: String, line: Int, StoreError)
}

/// A value that a mapping cannot read.
public struct TextMismatch: Equatable, Sendable {
  /// The file.
  public let path: String
  /// The class.
  public let className: String
  /// The line where the record begins.
  public let line: Int
  /// The column, or the path to a member: `address.city`.
  public let column: String
  /// What the value is.
  public let found: String
  /// The Swift type, or the form of a date.
  public let asked: String
  /// In how many records the mapping ended at such a value of the column.
  public internal(set) var count = 1

  var words: String {
    "\(className).\(column) was read as \(asked), and is \(found) in the line \(line) of \"\(path)\""
      + (count > 1 ? ", as one of \(count) records" : "")
  }
}

extension TextRecordError: CustomStringConvertible, LocalizedError {
  /// The same as ``message``.
  public var description: String { message }

  /// The same as ``message``, for code that shows errors through Foundation.
  public var errorDescription: String? { message }

  /// What happened, and what to do next.
  ///
  /// Control characters in names and values are escaped for terminals: `\u001B`.
  public var message: String {
    guard case .mismatches(let mismatches) = self else { return words.withoutControlCharacters }
    return ([words] + mismatches.map { "- " + $0.words.withoutControlCharacters })
      .joined(separator: "\n")
  }

  private var words: String {
    switch self {
    case .changed(let path): "\"\(path)\" was written to while it was imported. Import it again."
    case .malformed(let path, let line, let column, let expected, let found):
      "\"\(path)\", line \(line), column \(column): expected \(expected), found \(found)."
    case .tooLarge(let path, let line, let bytesMax):
      "The record in the line \(line) of \"\(path)\" takes more than \(bytesMax) bytes. "
        + "Import it with a larger `recordBytesMax`, unless it may be damaged."
    case .unknownClass(let name, []):
      "The source has no class \"\(name)\", nor any other: only an array of objects at the top of the text is one. "
        + "`upsert(_:from:as:)` of RoostInterchange reads one that lies deeper, by the format's `member`."
    case .unknownClass(let name, let classes):
      "The source has no class \"\(name)\". It has: \(classes.joined(separator: ", "))."
    case .unknownColumn(let className, let column, let columns):
      "\(className) has no \"\(column)\". It has: \(columns.joined(separator: ", ")). "
        + "To read what no record may have: `try record[ifPresent: \"\(column)\"]`."
    case .mismatch(let mismatch):
      mismatch.words + ". To read it as it is: `try record.value(\"\(mismatch.column)\")`."
    case .mismatches: "The mapping does not fit these values, and nothing was imported:"
    case .noKey(let className, let line, ""):
      "\(className) in the line \(line) has no `_key` and no `$refId`. Read the property that identifies it, as `try record[\"id\"]`."
    case .noKey(let className, let line, let column):
      "\(className).\(column) in the line \(line) is an object without `_key` or `$refId`. "
        + "Say which member is its key: `try record.link(\"\(column)\", key: \"id\")`."
    case .mapping(let className, let path, let line, let reason):
      "Making an object of \(className) in the line \(line) of \"\(path)\" failed: \(reason). Nothing was imported."
    case .notStored(let className, let path, let line, let error):
      "\(className) in the line \(line) of \"\(path)\" could not be stored. \(error.message)"
    }
  }
}
