extension ResultsDifference {
  /// The difference of two lists of objects, which may contain an object several times.
  ///
  /// - Parameters:
  ///   - before: The objects in the earlier version.
  ///   - after: The objects in the later version.
  ///   - changes: What became of the objects themselves.
  /// - Complexity: O(n log n) where the list is another, else O(n).
  package init(ofList before: [Int64], to after: [Int64], _ changes: TableDifference) {
    if before != after {
      let replaced = changes.replacedKeys
      let (old, new) = Self.numbers(before.map { replaced.key(of: $0) }, after)
      self.init(from: old, to: new, TableDifference())
    } else {
      self.init()
      if changes.isEmpty { return }
      unmoved = after.indices.map { Move(from: $0, to: $0, key: 0) }
    }
    for place in deletions.indices { deletions[place].key = before[deletions[place].position] }
    for place in insertions.indices { insertions[place].key = after[insertions[place].position] }
    for place in moves.indices { moves[place].key = after[moves[place].to] }
    for place in unmoved.indices { unmoved[place].key = after[unmoved[place].to] }
    keepModifications(changes, of: moves + unmoved)
    sort()
  }

  /// Numbers for the places of two lists: the same one for the first place of an object in both, for the second, and so
  /// on, and one of its own for each other place.
  private static func numbers(
    _ before: [Int64], _ after: [Int64]
  ) -> (before: [Int64], after: [Int64]) {
    // Each object has as many numbers as it has places in both.
    let all = (before + after).ascending()
    func numbers(_ list: [Int64]) -> [Int64] {
      var counts = [Int](repeating: 0, count: all.count)
      return list.map { key in
        let first = all.partitioningIndex { $0 >= key }
        defer { counts[first] += 1 }
        return Int64(first + counts[first])
      }
    }
    return (numbers(before), numbers(after))
  }
}
