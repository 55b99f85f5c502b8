/// Selecting the rows that equal one of several constants.
extension ColumnChunk {
  /// The maximum number of constants that are filtered one by one.
  ///
  /// A pass over integers is vector code and takes a thirtieth of the time of a binary search per row.
  private var passesMax: Int { type == .integer ? 24 : 4 }

  /// Selects the rows that equal one of the constants, which may include null.
  ///
  /// Few constants that the zone map does not rule out are filtered one by one; many integers are looked
  /// up row by row in a sorted list, and many texts of a dictionary by their codes.
  package func filter(oneOf constants: [Value], into selection: Selection, scratch: Selection) {
    let candidates = constants.filter {
      entry.answer(.equal, $0, rowCount: rowCount) != .none
    }
    if candidates.count > passesMax, lookUp(candidates, into: selection) { return }
    selection.reset(rowCount: rowCount, selected: false)
    for constant in candidates {
      filter(.equal, constant, into: scratch)
      selection.formUnion(scratch)
    }
  }

  /// Looks up every row; false if the column's type or encoding does not support it.
  private func lookUp(_ constants: [Value], into selection: Selection) -> Bool {
    switch type {
    case .integer:
      let numbers = constants.compactMap { constant -> Int64? in
        guard case .integer(let number) = constant else { return nil }
        return number
      }.ascending()
      chooseRows(among: numbers, into: selection) { uncheckedInteger($0) }
    case .bytes where entry.encoding == .dictionary:
      let entries = Selection()
      entries.reset(rowCount: Int(entry.parameter), selected: false)
      for case .bytes(let bytes) in constants {
        let range = unsafe bytes.withUnsafeBytes { unsafe codes(.equal, ByteView($0)) }
        if let range { entries.set(Int(range.lower), true) }
      }
      scan(entries: entries, into: selection)
    default: return false
    }
    keepPresent(selection)
    if constants.contains(.null) {
      for row in 0..<rowCount where isNull(row) { selection.set(row, true) }
    }
    return true
  }

  private func chooseRows(
    among sorted: [Int64], into selection: Selection, _ value: (Int) -> Int64
  ) {
    let numbers = sorted.span
    selection.fill(rowCount: rowCount) { row in
      let value = value(row)
      let place = numbers.indices.partitioningIndex { numbers[$0] >= value }
      return place < numbers.count && numbers[place] == value
    }
  }
}
