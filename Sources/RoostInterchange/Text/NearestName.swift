/// Finds the known name that a misspelt one was probably meant to be, for errors.
package enum NearestName {
  /// The maximum characters of a misspelt name.
  private static let countMax = 64

  /// A question with the nearest of some names, after a space: ` Did you mean "city"?`.
  ///
  /// - Parameter other: The text if no name is near.
  /// - Complexity: The product of the lengths, for each name.
  package static func question(
    _ name: String, among names: some Sequence<String>, else other: String = ""
  ) -> String {
    nearest(to: name, among: names).map { " Did you mean \"\($0)\"?" } ?? other
  }

  /// The name with the fewest letters added, left out, replaced or exchanged with their neighbour; of several the first.
  ///
  /// - Returns: Nil if a third of the letters would have to change. Capital letters do not count.
  package static func nearest(
    to name: String, among names: some Sequence<String>
  ) -> String? {
    let letters = Array(name.lowercased())
    guard !letters.isEmpty, letters.count <= countMax else { return nil }
    var best: (name: String, distance: Int)?
    let distanceMax = (letters.count + 1) / 3
    for known in names where known != name {
      let other = Array(known.lowercased())
      let limit = min(distanceMax, best.map { $0.distance - 1 } ?? distanceMax)
      guard abs(other.count - letters.count) <= limit else { continue }
      let distance = distance(letters, other)
      if distance <= limit { best = (known, distance) }
    }
    return best?.name
  }

  /// The number of single changes from one word to another (Damerau and Levenshtein, no part changed twice).
  private static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for (place, letter) in one.enumerated() {
      var row = [place + 1]
      for (column, otherLetter) in other.enumerated() {
        var least = min(
          last[column] + (letter == otherLetter ? 0 : 1), last[column + 1] + 1, row[column] + 1)
        if place > 0, column > 0, letter == other[column - 1], one[place - 1] == otherLetter {
          least = min(least, beforeLast[column - 1] + 1)
        }
        row.append(least)
      }
      beforeLast = last
      last = row
    }
    return last[other.count]
  }
}
