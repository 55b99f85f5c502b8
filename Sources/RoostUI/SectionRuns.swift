/// Which results follow one another with the same key.
struct SectionRuns<Key: Hashable & Sendable>: Sendable {
  private(set) var keys: [Key] = []
  /// Where each section begins.
  private(set) var starts: [Int] = []
  /// How many results there are.
  private(set) var count = 0

  /// The results of a section.
  func range(of section: Int) -> Range<Int> {
    starts[section]..<(section + 1 < starts.count ? starts[section + 1] : count)
  }

  /// Takes in results behind all others.
  mutating func append(_ key: Key, count added: Int = 1) {
    guard added > 0 else { return }
    if keys.last != key {
      keys.append(key)
      starts.append(count)
    }
    count += added
  }

  /// The sections without some results, and with others.
  ///
  /// - Parameters:
  ///   - taken: Indices of results that are here.
  ///   - put: Indices that results have then, ascending.
  ///   - key: The key of such a result.
  func edited(
    taking taken: [Int], putting put: [Int], _ key: (Int) throws -> Key
  ) rethrows -> SectionRuns {
    var counts = keys.indices.map { range(of: $0).count }
    for index in taken { counts[starts.section(of: index)] -= 1 }
    var edited = SectionRuns()
    var rest = put[...]
    for (section, count) in counts.enumerated() {
      var left = count
      while left > 0 {
        if rest.first == edited.count {
          edited.append(try key(rest.removeFirst()))
          continue
        }
        let kept = min(left, (rest.first ?? .max) - edited.count)
        edited.append(keys[section], count: kept)
        left -= kept
      }
    }
    for index in rest { edited.append(try key(index)) }
    return edited
  }

  /// Tells which sections are in both, in the same order.
  ///
  /// Those of a key that comes again behind others are taken for others: its results may have come together, or
  /// apart. So are some of those that have changed their order.
  func pairs(
    with later: SectionRuns
  ) -> (before: SectionedRows.Sections, after: SectionedRows.Sections) {
    var before = SectionedRows.Sections(starts)
    var after = SectionedRows.Sections(later.starts)
    let (places, laterPlaces) = (places, later.places)
    var last = -1
    for (place, key) in later.keys.enumerated() {
      guard laterPlaces[key] == place, let from = places[key], from > last else { continue }
      before.others[from] = place
      after.others[place] = from
      last = from
    }
    return (before, after)
  }

  /// Where the section of each key is; −1 for a key that has several.
  private var places: [Key: Int] {
    var places: [Key: Int] = [:]
    for (place, key) in keys.enumerated() { places[key] = places[key] == nil ? place : -1 }
    return places
  }
}
