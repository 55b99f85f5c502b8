/// The matching rows of a table, leaf by leaf: pointers to the leaves and bitmaps, but no frame.
struct LeafMatches: Sendable {
  /// A leaf with matches.
  private struct Leaf: Sendable {
    let edge: TreeEdge
    /// The number of matches in the leaves before.
    let start: Int
    let rows: Rows
  }

  /// The matching rows of a leaf.
  private enum Rows: Sendable {
    case all
    /// Row numbers, from this index of `numbers` on.
    case listed(Int)
    /// A bitmap, from this index of `words` on.
    case marked(Int)
  }

  private var leaves: [Leaf] = []
  private var numbers: [UInt16] = []
  private var words: [UInt64] = []
  /// The number of matching rows.
  private(set) var count = 0

  /// Adds the matches of the next leaf.
  mutating func append(_ leaf: borrowing ScanLeaf, _ answer: ZoneMapResult, _ selection: Selection)
  {
    let rowCount = leaf.rowCount
    let matching = answer == .all ? rowCount : answer == .none ? 0 : selection.count
    guard matching > 0 else { return }
    let rows: Rows
    if matching == rowCount {
      rows = .all
    } else if matching * 16 <= rowCount {
      rows = .listed(numbers.count)
      selection.forEach { numbers.append(UInt16($0)) }
    } else {
      rows = .marked(words.count)
      words.append(contentsOf: repeatElement(0, count: (rowCount + 63) >> 6))
      if case .marked(let first) = rows {
        selection.forEach { words[first + $0 >> 6] |= 1 &<< UInt64($0 & 63) }
      }
    }
    leaves.append(Leaf(edge: leaf.edge, start: count, rows: rows))
    count += matching
  }

  /// The edge to a leaf.
  func edge(_ leaf: Int) -> TreeEdge { leaves[leaf].edge }

  /// The number of matches in the leaves before a leaf.
  func start(_ leaf: Int) -> Int { leaf < leaves.count ? leaves[leaf].start : count }

  /// The leaf that contains a match.
  func leaf(at position: Int) -> Int {
    leaves.partitioningIndex { $0.start > position } - 1
  }

  /// The row of a match in its leaf.
  func row(at position: Int, in leaf: Int) -> Int {
    let rank = position - leaves[leaf].start
    switch leaves[leaf].rows {
    case .all: return rank
    case .listed(let first): return Int(numbers[first + rank])
    case .marked(let first):
      var rest = rank
      var index = first
      while true {
        let ones = words[index].nonzeroBitCount
        if rest < ones { break }
        rest -= ones
        index += 1
      }
      var word = words[index]
      for _ in 0..<rest { word &= word &- 1 }
      return (index - first) << 6 | word.trailingZeroBitCount
    }
  }

  /// The matching rows of a leaf at these positions.
  func rows(_ leaf: Int, at positions: Range<Int>) -> LeafRows {
    let start = leaves[leaf].start
    let ranks = positions.lowerBound - start..<positions.upperBound - start
    switch leaves[leaf].rows {
    case .all: return LeafRows(ranks)
    case .listed(let first):
      return LeafRows(numbers[first + ranks.lowerBound..<first + ranks.upperBound])
    case .marked(let first):
      var rows: [UInt16] = []
      rows.reserveCapacity(ranks.count)
      var seen = 0
      var index = first
      while seen < ranks.upperBound {
        var word = words[index]
        while word != 0, seen < ranks.upperBound {
          if seen >= ranks.lowerBound {
            rows.append(
              UInt16(truncatingIfNeeded: (index - first) << 6 | word.trailingZeroBitCount))
          }
          word &= word &- 1
          seen += 1
        }
        index += 1
      }
      return LeafRows(rows[...])
    }
  }
}
