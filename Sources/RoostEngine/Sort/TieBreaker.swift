/// Sorts rows with equal words by their complete keys.
struct TieBreaker {
  let tree: ObjectTree
  let order: [SortColumn]
  let edges: [TreeEdge]
  /// The leaf and row of each row number, ascending.
  let places: [UInt64]

  /// Sorts the runs of rows with equal words.
  ///
  /// The rows of all runs are read leaf by leaf, each leaf once, instead of run by run.
  func settle(_ sorted: inout [UInt32], _ words: SortWords) throws(EngineError) {
    let runs = runs(sorted, words)
    guard !runs.isEmpty else { return }
    // For each row its index among the tied rows, in leaf order.
    var ranks = [UInt32](repeating: .max, count: places.count)
    for run in runs { for number in sorted[run] { ranks[Int(number)] = 0 } }
    var tied: [UInt32] = []
    for number in ranks.indices where ranks[number] == 0 {
      ranks[number] = UInt32(tied.count)
      tied.append(UInt32(number))
    }
    let keys = try keys(of: tied)
    var cancellation = SortCancellation()
    for run in runs {
      var members = sorted[run].map { ranks[Int($0)] }
      members.sort { first, second in
        if cancellation.isDue() { return false }
        let order = keys.compare(keys[Int(first)], keys[Int(second)])
        return order != 0 ? order < 0 : first < second
      }
      for (place, member) in zip(run, members) { sorted[place] = tied[Int(member)] }
    }
    try checkCancellation()
  }

  /// The ranges of two or more rows with equal words.
  private func runs(_ sorted: [UInt32], _ words: SortWords) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    for place in 1..<max(sorted.count, 1) {
      let number = Int(sorted[place])
      let previous = Int(sorted[place - 1])
      guard !words.areEqual(number, previous) else { continue }
      if place - start > 1 { runs.append(start..<place) }
      start = place
    }
    if sorted.count - start > 1 { runs.append(start..<sorted.count) }
    return runs
  }

  /// The complete keys of some rows.
  private func keys(of numbers: [UInt32]) throws(EngineError) -> KeyHeap {
    var heap = KeyHeap()
    var writer = SortKeyBytes(order)
    var leaf: ScanLeaf?
    var current = -1
    for number in numbers {
      let place = places[Int(number)]
      let (ordinal, row) = SortedPlaces.unpacked(place)
      if ordinal != current {
        try checkCancellation()
        if leaf == nil {
          leaf = try ScanLeaf(edges[ordinal], in: tree.context)
        } else {
          try leaf?.move(to: edges[ordinal])
        }
        current = ordinal
      }
      try leaf?.write(&writer, row: row)
      heap.append(writer.bytes)
    }
    return heap
  }
}

/// Concatenated keys in one array.
private struct KeyHeap {
  private var bytes: [UInt8] = []
  private var ends: [Int] = [0]

  mutating func append(_ key: [UInt8]) {
    bytes += key
    ends.append(bytes.count)
  }

  /// The range of a key.
  subscript(index: Int) -> Range<Int> { ends[index]..<ends[index + 1] }

  /// Negative, zero or positive as the first key sorts before, with or after the other.
  func compare(_ first: Range<Int>, _ second: Range<Int>) -> Int {
    bytes.withByteView { view in
      view.slice(first.lowerBound, first.count)
        .compare(view.slice(second.lowerBound, second.count))
    }
  }
}
