internal import RoostEngine

/// The position of a result, as a section and a row.
public struct SectionPlace: Hashable, Comparable, Sendable {
  /// The index of its section.
  public var section: Int
  /// Its index in the section.
  public var row: Int

  /// A place in a section.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Whether one position is before the other.
  public static func < (a: SectionPlace, b: SectionPlace) -> Bool {
    a.section == b.section ? a.row < b.row : a.section < b.section
  }
}

/// The old and the new position of a result; they may be equal.
public struct SectionMove: Hashable, Sendable {
  /// The old position.
  public let from: SectionPlace
  /// The new position.
  public let to: SectionPlace
}

/// The changes of sections and their rows.
///
/// Not generic over the key, so that a program has one copy of the code.
struct SectionedRows: Sendable {
  /// The starts of the sections in one version.
  struct Sections {
    let starts: [Int]
    /// The index of each section in the other version; nil if it is not there.
    var others: [Int?]

    init(_ starts: [Int]) {
      self.starts = starts
      others = Array(repeating: nil, count: starts.count)
    }

    func section(of index: Int) -> Int { starts.section(of: index) }

    /// Whether the result's section is also in the other version.
    func isKept(_ index: Int) -> Bool { others[section(of: index)] != nil }

    func place(_ index: Int) -> SectionPlace {
      let section = section(of: index)
      return SectionPlace(section: section, row: index - starts[section])
    }

    /// The sections that the other version lacks.
    var unmatched: [Int] { others.indices.filter { others[$0] == nil } }
  }

  var sectionDeletions: [Int] = []
  var sectionInsertions: [Int] = []
  var deletions: [SectionPlace] = []
  var insertions: [SectionPlace] = []
  var moves: [SectionMove] = []
  var modifications: [SectionMove] = []

  /// No changes.
  init() {}

  init(_ changes: ResultsDifference, from before: Sections, to after: Sections) {
    sectionDeletions = before.unmatched
    sectionInsertions = after.unmatched
    let modified = changes.modifications.map { (from: $0.from, to: $0.to) }
    var moved = changes.moves.map { (from: $0.from, to: $0.to) }
    var known = Set(moved.map(\.to))
    // A result with unchanged order may still be in another section.
    for pair in changes.unmoved.map({ (from: $0.from, to: $0.to) }) + modified
    where before.others[before.section(of: pair.from)] != after.section(of: pair.to)
      && known.insert(pair.to).inserted
    {
      moved.append(pair)
    }
    var taken = changes.deletions.map(\.position)
    var put = changes.insertions.map(\.position)
    for (from, to) in moved.ascending(by: \.to) {
      if before.isKept(from), after.isKept(to) {
        moves.append(SectionMove(from: before.place(from), to: after.place(to)))
      } else {
        taken.append(from)
        put.append(to)
      }
    }
    // Rows of deleted or inserted sections are not reported by themselves.
    deletions = taken.ascending { $0 }.filter(before.isKept).map(before.place)
    insertions = put.ascending { $0 }.filter(after.isKept).map(after.place)
    modifications = modified.filter { before.isKept($0.from) && after.isKept($0.to) }.map {
      SectionMove(from: before.place($0.from), to: after.place($0.to))
    }
  }

  /// Whether neither sections nor rows changed.
  var isEmpty: Bool {
    sectionDeletions.isEmpty && sectionInsertions.isEmpty && deletions.isEmpty
      && insertions.isEmpty && moves.isEmpty && modifications.isEmpty
  }
}

extension [Int] {
  /// The section of a result, in an array of section starts.
  func section(of index: Int) -> Int { partitioningIndex { $0 > index } - 1 }
}
