import Foundation

/// Reads a CSV file record by record, with one or two megabytes of it in memory, for the recount without Roost.
///
/// The file's first line names its columns; the reader keeps those it is asked for, and a value is addressed by its
/// column's place in that list. `NA` means that there is no value. Fields may be quoted as RFC 4180 has it.
///
/// ```swift
/// var planes = try CSVReader(folder.file("planes"), columns: ["tailnum", "seats"])
/// while try planes.next() { print(planes.text(0) ?? "?", planes.integer(1) ?? 0) }
/// ```
public struct CSVReader: ~Copyable {
  /// How many records have been read.
  public private(set) var recordCount = 0

  private var source: any ByteSource
  private var buffer: [UInt8]
  private var record: CSVRecord
  /// How many fields each record has.
  private let fieldCount: Int
  /// Where in a record the columns asked for are.
  private let places: [Int]

  /// Opens a file and reads its first line; throws where the file cannot be read or lacks a column.
  public init(_ source: any ByteSource, columns: [String]) throws {
    var source = source
    var buffer: [UInt8] = []
    var record = CSVRecord()
    guard try Self.advance(&record, &buffer, &source) else {
      throw FlightsDataError.noColumns(file: source.name)
    }
    let header = record.fields.map { [buffer] in String(decoding: buffer[$0], as: UTF8.self) }
    let places = try columns.map { column in
      guard let place = header.firstIndex(of: column) else {
        throw FlightsDataError.missingColumn(column, file: source.name)
      }
      return place
    }
    self.source = source
    self.buffer = buffer
    self.record = record
    self.places = places
    fieldCount = header.count
  }

  /// Goes to the next record; false after the last one.
  public mutating func next() throws -> Bool {
    guard try Self.advance(&record, &buffer, &source) else { return false }
    recordCount += 1
    guard record.fields.count == fieldCount else {
      throw FlightsDataError.wrongFieldCount(
        record.fields.count, of: fieldCount, record: recordCount, file: source.name)
    }
    return true
  }

  /// Finds the next record, reading on where the buffer has only a part of it.
  private static func advance(
    _ record: inout CSVRecord, _ buffer: inout [UInt8], _ source: inout any ByteSource
  ) throws -> Bool {
    var sourceHasMore = true
    while !record.scan(buffer, isComplete: !sourceHasMore) {
      guard sourceHasMore else { return false }
      buffer.removeFirst(record.end)
      record.end = 0
      sourceHasMore = try source.read(into: &buffer)
    }
    return true
  }
}

// MARK: - Values of the record at hand

extension CSVReader {
  /// The text in a column, or nil where the file has `NA`.
  public func text(_ column: Int) -> String? {
    let field = record.fields[places[column]]
    if field.count == 2, buffer[field] == [UInt8(ascii: "N"), UInt8(ascii: "A")] { return nil }
    let text = String(decoding: buffer[field], as: UTF8.self)
    return record.hasQuotes ? text.replacingOccurrences(of: "\"\"", with: "\"") : text
  }

  /// The integer in a column, or nil where the file has none.
  public func integer(_ column: Int) -> Int? {
    let field = record.fields[places[column]]
    guard let first = field.first else { return nil }
    let isNegative = buffer[first] == UInt8(ascii: "-")
    let digits = isNegative ? field.dropFirst() : field
    guard !digits.isEmpty else { return nil }
    var value = 0
    for index in digits {
      let digit = Int(buffer[index]) - 48
      guard 0...9 ~= digit, value < 1 << 56 else { return nil }
      value = value * 10 + digit
    }
    return isNegative ? -value : value
  }
}

/// Where one record's fields lie in a buffer.
private struct CSVRecord {
  /// The fields, without the quotes around them.
  var fields: [Range<Int>] = []
  /// Where the next record begins.
  var end = 0
  var hasQuotes = false

  /// Finds the fields of the record that begins at `end`; false, and nothing done, when the buffer has not all of it.
  ///
  /// The file's last line may end without a line feed: `isComplete` says that nothing follows the buffer.
  mutating func scan(_ buffer: [UInt8], isComplete: Bool) -> Bool {
    fields.removeAll(keepingCapacity: true)
    hasQuotes = false
    var start = end
    var isQuoted = false
    for index in end..<buffer.count {
      switch buffer[index] {
      case UInt8(ascii: ",") where !isQuoted:
        add(start..<index, of: buffer)
        start = index + 1
      case UInt8(ascii: "\n") where !isQuoted:
        add(start..<index, of: buffer)
        end = index + 1
        return true
      case UInt8(ascii: "\""):
        isQuoted.toggle()
        hasQuotes = true
      default:
        break
      }
    }
    guard isComplete, end < buffer.count else { return false }
    add(start..<buffer.count, of: buffer)
    end = buffer.count
    return true
  }

  private mutating func add(_ field: Range<Int>, of buffer: [UInt8]) {
    var field = field
    if let last = field.last, buffer[last] == UInt8(ascii: "\r") { field = field.dropLast() }
    if hasQuotes, field.count >= 2, buffer[field.lowerBound] == UInt8(ascii: "\"") {
      field = field.dropFirst().dropLast()
    }
    fields.append(field)
  }
}
