/// How the results of a query in one version became those in another: what to do to a list that shows them.
///
/// First what is deleted and what moves is taken out of the list, by the positions that it had; then what is inserted and
/// what moved is put in, by the positions that it has then, in ascending order. All other objects stay in their order.
///
/// An object is told by its identifier. One that was deleted and inserted again may have another key: what is said of it
/// has the later one, and nothing is said where its values are the same.
package struct ResultsDifference: Equatable, Sendable {
  /// A result that entered or left.
  package struct Entry: Equatable, Sendable {
    /// Its old position, if it left; otherwise its new position.
    package var position: Int
    /// The object.
    package var key: Int64
  }

  /// A result whose order among the others changed.
  package struct Move: Equatable, Sendable {
    /// The old position.
    package var from: Int
    /// The new position.
    package var to: Int
    /// The object.
    package var key: Int64
  }

  /// A result with other values, of its own or behind its links, whether it moved or not.
  package struct Modification: Equatable, Sendable {
    /// The old position.
    package var from: Int
    /// The new position.
    package var to: Int
    /// The object.
    package var key: Int64
    /// The fields of its own that changed, ascending; none where something else did that is read of it.
    package var fields: [FieldID]
  }

  /// Objects that left the results, ascending by their old positions.
  package internal(set) var deletions: [Entry] = []
  /// Objects that entered the results, ascending by their new positions.
  package internal(set) var insertions: [Entry] = []
  /// Objects that moved, ascending by their new positions.
  package internal(set) var moves: [Move] = []
  /// Objects that changed, ascending by their new positions.
  package internal(set) var modifications: [Modification] = []
  /// Objects whose sort values changed but which kept their place among those that stay, ascending.
  package internal(set) var unmoved: [Move] = []

  /// Whether nothing changed.
  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && moves.isEmpty && modifications.isEmpty
  }

  /// Keeps those moves that change the order: among results that stay in their order, the most that can are left alone.
  ///
  /// - Parameter stays: Whether a result may be left alone, as far as those are concerned that did not move at all.
  mutating func keepMoves(of candidates: [Move], unless stays: (Int) -> Bool) {
    let free = candidates.indices.filter(stays)
    var isUnmoved = Array(repeating: false, count: candidates.count)
    for place in candidates.ascending(among: free) { isUnmoved[place] = true }
    for place in candidates.indices {
      if isUnmoved[place] {
        unmoved.append(candidates[place])
      } else {
        moves.append(candidates[place])
      }
    }
  }

  /// Notes which results in both versions have other values.
  mutating func keepModifications(_ changes: TableDifference, of both: [Move]) {
    let changed = changes.changedPlaces
    guard !changed.isEmpty else { return }
    for pair in both {
      guard let place = changed[pair.key] else { continue }
      modifications.append(
        Modification(
          from: pair.from, to: pair.to, key: pair.key, fields: changes.fields(ofChanged: place)))
    }
  }

  /// Leaves out modifications of other fields than these; not those of some objects.
  mutating func keepModifications(ofAny fields: Set<FieldID>, of keys: Set<Int64>) {
    modifications.removeAll {
      !keys.contains($0.key) && !$0.fields.contains(where: fields.contains)
    }
  }

  mutating func sort() {
    deletions = deletions.ascending(by: \.position)
    insertions = insertions.ascending(by: \.position)
    moves = moves.ascending(by: \.to)
    modifications = modifications.ascending(by: \.to)
  }
}

extension [ResultsDifference.Move] {
  /// The places of as many of some moves as can be left out, so that the rest still brings about the order: a longest
  /// sequence that ascends on both sides (patience sorting; Fredman 1975).
  ///
  /// - Parameter places: Places of moves that ascend by where they go.
  fileprivate func ascending(among places: [Int]) -> [Int] {
    // For each length the last place of the sequence that ends lowest, and for each place the one before it.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: count)
    for place in places {
      let length = ends.partitioningIndex { self[$0].from >= self[place].from }
      if length > 0 { before[place] = ends[length - 1] }
      if length == ends.count { ends.append(place) } else { ends[length] = place }
    }
    var sequence: [Int] = []
    var place = ends.last ?? -1
    while place >= 0 {
      sequence.append(place)
      place = before[place]
    }
    return sequence
  }
}
