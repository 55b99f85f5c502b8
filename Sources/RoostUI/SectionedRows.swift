internal import RoostEngine

/// Where a result is, among results in sections.
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

  /// Whether one comes before the other.
  public static func < (a: SectionPlace, b: SectionPlace) -> Bool {
    a.section == b.section ? a.row < b.row : a.section < b.section
  }
}

/// A result that was at one place, and is at another, or at the same.
public struct SectionMove: Hashable, Sendable {
  /// Where it was.
  public let from: SectionPlace
  /// Where it is.
  public let to: SectionPlace
}

/// What became of sections and their rows.
///
/// Knows no keys, so that a program has it once.
struct SectionedRows: Sendable {
  /// Where the results' sections begin, in one version.
  struct Sections {
    let starts: [Int]
    /// For each section where it is in the other version, if it is there.
    var others: [Int?]

    init(_ starts: [Int]) {
      self.starts = starts
      others = Array(repeating: nil, count: starts.count)
    }

    func section(of index: Int) -> Int { starts.section(of: index) }

    /// Whether a result is in a section that the other version has too.
    func isKept(_ index: Int) -> Bool { others[section(of: index)] != nil }

    func place(_ index: Int) -> SectionPlace {
      let section = section(of: index)
      return SectionPlace(section: section, row: index - starts[section])
    }

    /// The sections that the other version does not have.
    var unmatched: [Int] { others.indices.filter { others[$0] == nil } }
  }

  var sectionDeletions: [Int] = []
  var sectionInsertions: [Int] = []
  var deletions: [SectionPlace] = []
  var insertions: [SectionPlace] = []
  var moves: [SectionMove] = []
  var modifications: [SectionMove] = []

  /// Nothing.
  init() {}

  init(_ changes: ResultsDifference, from before: Sections, to after: Sections) {
    sectionDeletions = before.unmatched
    sectionInsertions = after.unmatched
    let modified = changes.modifications.map { (from: $0.from, to: $0.to) }
    var moved = changes.moves.map { (from: $0.from, to: $0.to) }
    var known = Set(moved.map(\.to))
    // What stays in its order may have come into another section.
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
    // What is in a section that goes goes with it, and what is in one that comes comes with it.
    deletions = taken.ascending { $0 }.filter(before.isKept).map(before.place)
    insertions = put.ascending { $0 }.filter(after.isKept).map(after.place)
    modifications = modified.filter { before.isKept($0.from) && after.isKept($0.to) }.map {
      SectionMove(from: before.place($0.from), to: after.place($0.to))
    }
  }

  /// Whether the sections and their rows are what they were.
  var isEmpty: Bool {
    sectionDeletions.isEmpty && sectionInsertions.isEmpty && deletions.isEmpty
      && insertions.isEmpty && moves.isEmpty && modifications.isEmpty
  }
}

extension [Int] {
  /// The section that a result is in, of those that begin at these indices.
  func section(of index: Int) -> Int { partitioningIndex { $0 > index } - 1 }
}
