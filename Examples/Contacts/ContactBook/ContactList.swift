import Roost
import RoostUI

/// The contacts on a screen: sections and rows that are brought up to date, as a table view of UIKit or AppKit would be.
public struct ContactList: Sendable {
  /// The contacts that are found under a letter.
  public struct Section: Equatable, Sendable {
    /// The letter.
    public let letter: String
    /// A line for each.
    public var rows: [String]
  }

  /// What is on the screen.
  public private(set) var sections: [Section] = []

  /// An empty screen.
  public init() {}

  /// Follows a book until the task is cancelled, and gives each state of the screen to `show`.
  public static func follow(
    _ book: ContactBook, _ show: (ContactList, _ whatHappened: String) async throws -> Void
  ) async throws {
    var list = ContactList()
    let changes = book.store.changes(
      of: Contact.byName, sectionedBy: { Contact.letter(of: try $0.name) })
    for try await change in changes {
      try list.apply(change)
      try await show(list, Self.words(change))
    }
  }

  /// Takes rows and sections out, and puts others in, in this order; what a change does not name is not touched.
  private mutating func apply(_ change: SectionsChange<Contact, String>) throws {
    guard !change.isInitial else {
      sections = try change.sections.map { try Self.section($0, change) }
      return
    }
    var moving: [SectionPlace: String] = [:]
    for move in change.rowMoves {
      moving[move.to] = sections[move.from.section].rows[move.from.row]
    }
    for place in (change.rowDeletions + change.rowMoves.map(\.from)).sorted(by: >) {
      sections[place.section].rows.remove(at: place.row)
    }
    for section in change.sectionDeletions.reversed() { sections.remove(at: section) }
    for section in change.sectionInsertions {
      sections.insert(try Self.section(change.sections[section], change), at: section)
    }
    for place in (change.rowInsertions + change.rowMoves.map(\.to)).sorted() {
      let row = try moving[place] ?? Self.row(place, change)
      sections[place.section].rows.insert(row, at: place.row)
    }
    for place in change.rowModifications.map(\.to) {
      sections[place.section].rows[place.row] = try Self.row(place, change)
    }
  }

  private static func section(
    _ section: SectionsChange<Contact, String>.Section, _ change: SectionsChange<Contact, String>
  ) throws -> Section {
    Section(letter: section.key, rows: try change.results[section.range].map(Self.line))
  }

  private static func row(
    _ place: SectionPlace, _ change: SectionsChange<Contact, String>
  ) throws -> String {
    try line(change.results[change.sections[place.section].range.lowerBound + place.row])
  }

  private static func line(_ row: Row<Contact>) throws -> String {
    let name = try row.name
    let gap = String(repeating: " ", count: max(1, 24 - name.count))
    return name + gap + (try row.phone)
  }

  private static func words(_ change: SectionsChange<Contact, String>) -> String {
    if change.isInitial { return "\(change.results.count) contacts" }
    let counts = [
      ("new", change.change.insertions.count), ("gone", change.change.deletions.count),
      ("moved", change.change.moves.count), ("changed", change.change.modifications.count),
      ("new sections", change.sectionInsertions.count),
      ("sections gone", change.sectionDeletions.count),
    ]
    return counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
  }
}

extension ContactBook {
  /// The screen as it is made anew, to compare with one that was brought up to date.
  public func list() throws -> [ContactList.Section] {
    var list: [ContactList.Section] = []
    for contact in try store.snapshot().fetch(Contact.byName) {
      let gap = String(repeating: " ", count: max(1, 24 - contact.name.count))
      let line = contact.name + gap + contact.phone
      let letter = Contact.letter(of: contact.name)
      if list.last?.letter == letter {
        list[list.count - 1].rows.append(line)
      } else {
        list.append(.init(letter: letter, rows: [line]))
      }
    }
    return list
  }
}
