/// What a source knows of its records while a mapping reads them.
final class TextReader {
  /// The names of the classes.
  let classNames: [String]
  private var uses: [String: ColumnUse] = [:]
  private var roundings: [Place: Int] = [:]
  /// The first mismatch of each column.
  private var mismatches: [Place: TextMismatch] = [:]
  /// The columns, in the order in which they were found.
  private var columns: [Place] = []

  private struct Place: Hashable {
    var className: String
    var column: String
  }

  /// Columns with mismatches that an error lists: a damaged file may have any number.
  private static let columnsMax = 100

  init(_ classNames: [String]) { self.classNames = classNames }

  /// What the mapping has read of a class.
  func use(of className: String) -> ColumnUse {
    if let known = uses[className] { return known }
    let use = ColumnUse()
    uses[className] = use
    return use
  }

  /// Counts a value that was rounded.
  func countRounding(_ className: String, _ column: String) {
    roundings[Place(className: className, column: column), default: 0] += 1
  }

  var countedRoundings: [ImportReport.Rounding] {
    roundings.sorted { ($0.key.className, $0.key.column) < ($1.key.className, $1.key.column) }.map {
      ImportReport.Rounding(className: $0.key.className, property: $0.key.column, count: $0.value)
    }
  }

  /// Keeps a mismatch; false if there are too many.
  func add(_ mismatch: TextMismatch) -> Bool {
    let place = Place(className: mismatch.className, column: mismatch.column)
    if mismatches[place] != nil {
      mismatches[place]?.count += 1
      return true
    }
    guard columns.count < Self.columnsMax else { return false }
    columns.append(place)
    mismatches[place] = mismatch
    return true
  }

  /// All that were kept.
  var kept: [TextMismatch] { columns.compactMap { mismatches[$0] } }
}

/// Which values of a class's records a mapping has asked for.
final class ColumnUse {
  private var isFound: [String: Bool] = [:]

  /// Notes that a value was read.
  ///
  /// - Parameter isThere: Whether the record has it.
  func note(_ column: String, isThere: Bool) {
    if isThere { isFound[column] = true } else if isFound[column] == nil { isFound[column] = false }
  }

  /// A value that was read and that no record has; nil if there is none.
  var nowhere: String? { isFound.filter { !$0.value }.keys.min() }
}
