/// Runs of consecutive results with the same key.
struct SectionRuns<Key: Hashable & Sendable>: Sendable {
  private(set) var keys: [Key] = []
  /// The index of each section's first result.
  private(set) var starts: [Int] = []
  /// The number of results.
  private(set) var count = 0

  /// The indices of a section's results.
  func range(of section: Int) -> Range<Int> {
    starts[section]..<(section + 1 < starts.count ? starts[section + 1] : count)
  }

  /// Appends results with one key.
  mutating func append(_ key: Key, count added: Int = 1) {
    guard added > 0 else { return }
    if keys.last != key {
      keys.append(key)
      starts.append(count)
    }
    count += added
  }

  /// The sections after some results are removed and others inserted.
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

  /// Pairs the sections that are in both versions, in the same order.
  ///
  /// A key with several sections matches none of them, because its results may have been joined or
  /// separated. Some sections whose order changed are not matched either.
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

  /// The index of each key's section; −1 for a key that has several.
  private var places: [Key: Int] {
    var places: [Key: Int] = [:]
    for (place, key) in keys.enumerated() { places[key] = places[key] == nil ? place : -1 }
    return places
  }
}
