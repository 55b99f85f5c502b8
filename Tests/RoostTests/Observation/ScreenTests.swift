import Roost
import Testing

/// Lists on screens while objects come and go: what lists crash at that hold indices and objects of one state, and are
/// shown another one.
@Suite struct ScreenTests {
  enum Edit: String, CaseIterable { case delete, add }
  enum Editor: String, CaseIterable {
    case sameView = "in the same view", otherView = "in another view"
  }
  enum Place: String, CaseIterable { case navigation = "under a navigation", tabs = "in tabs" }
  enum KeyKind: String, CaseIterable {
    case own = "with a key of its own", assigned = "with an assigned key"
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let edit: Edit
    let editor: Editor
    let place: Place
    let key: KeyKind
    var testDescription: String {
      "\(edit.rawValue) \(editor.rawValue) \(place.rawValue), \(key.rawValue)"
    }
  }

  static let cases = Edit.allCases.flatMap { edit in
    Editor.allCases.flatMap { editor in
      Place.allCases.flatMap { place in
        KeyKind.allCases.map { Case(edit: edit, editor: editor, place: place, key: $0) }
      }
    }
  }

  /// An object on a screen.
  private protocol Note: Model where ID: Comparable {
    var text: String { get }
    static func make(_ number: Int, shelf: Int) -> Self
    static func on(shelf: Int) -> Query<Self>
    static func all(descending: Bool) -> Query<Self>
  }

  private struct OwnNote: Note {
    let id: String
    var shelf: Int
    var text: String
    static let schema = Schema(
      OwnNote.init, Key("id", \.id), Field("shelf", \.shelf), Field("text", \.text))

    static func make(_ number: Int, shelf: Int) -> OwnNote {
      OwnNote(id: "note \(number)", shelf: shelf, text: "Text \(number)")
    }
    static func on(shelf: Int) -> Query<OwnNote> { OwnNote.where { $0.shelf == shelf } }
    static func all(descending: Bool) -> Query<OwnNote> {
      OwnNote.all.order(by: \.text, descending: descending)
    }
  }

  private struct AssignedNote: Note {
    let id: Int
    var shelf: Int
    var text: String
    static let schema = Schema(
      AssignedNote.init, Key("id", \.id, .assigned), Field("shelf", \.shelf), Field("text", \.text))

    static func make(_ number: Int, shelf: Int) -> AssignedNote {
      AssignedNote(id: .assigned, shelf: shelf, text: "Text \(number)")
    }
    static func on(shelf: Int) -> Query<AssignedNote> { AssignedNote.where { $0.shelf == shelf } }
    static func all(descending: Bool) -> Query<AssignedNote> {
      AssignedNote.all.order(by: \.text, descending: descending)
    }
  }

  /// A list that is shown: its cells, and the rows that it holds.
  private struct Screen<N: Note> {
    let query: Query<N>
    var changes: Changes<ResultsChange<N>>.Iterator
    var cells: [(id: N.ID, text: String)] = []
    var rows: Rows<N>?

    init(_ query: Query<N>, in store: Store) {
      self.query = query
      changes = store.changes(of: query).makeAsyncIterator()
    }

    /// Comes to the front, or is told of a change while it is there.
    mutating func update() async throws {
      let change = try #require(try await changes.next())
      try change.apply(to: &cells) { row in (try row.value.id, try row.value.text) }
      rows = change.results
      #expect(try change.snapshot.fetch(query).map(\.id) == cells.map(\.id))
      try check()
    }

    /// The cells are what the held rows say, also when there are newer versions.
    func check() throws {
      let rows = try #require(rows)
      #expect(try rows.map { try $0.value.id } == cells.map(\.id))
      #expect(try rows.map { try $0.value.text } == cells.map(\.text))
    }

    /// What somebody does at an index of the list, which may be that of an older version.
    func edit(_ edit: Edit, at index: Int, number: Int, in store: Store) async throws {
      let id = cells[index].id
      try await store.write { tx in
        switch edit {
        case .delete: _ = try tx.delete(N.self, id: id)
        case .add: _ = try tx.insert(N.make(number, shelf: 1))
        }
      }
    }
  }

  @Test(arguments: cases)
  func aListWithIndicesOfAnOldVersionTakesTheChangeToTheNewOne(_ example: Case) async throws {
    switch example.key {
    case .own: try await run(OwnNote.self, example)
    case .assigned: try await run(AssignedNote.self, example)
    }
  }

  private func run<N: Note>(_ type: N.Type, _ example: Case) async throws {
    let store = try Store(.inMemory, models: N.self)
    try await store.write { tx in
      for number in 10..<30 { _ = try tx.insert(N.make(number, shelf: number % 2)) }
    }
    // Under a navigation lies the list of all, with that of a shelf in front; tabs are the same list in two orders.
    var back = Screen(N.all(descending: false), in: store)
    var front = Screen(
      example.place == .navigation ? N.on(shelf: 1) : N.all(descending: true), in: store)
    try await back.update()
    try await front.update()

    // Both are of the first version; the second edit comes from one that has not seen the first.
    for (number, index) in [(5, 3), (99, 0), (50, 3)] {
      switch example.editor {
      case .sameView: try await front.edit(example.edit, at: index, number: number, in: store)
      case .otherView:
        // A note of the shelf that is shown in front: the odd ones of the list of all.
        try await back.edit(example.edit, at: 2 * index + 1, number: number, in: store)
      }
      try front.check()
      try back.check()
      let isThere = try store.snapshot().fetch(front.query).map(\.id) == front.cells.map(\.id)
      // What was deleted already, by an index of the old list, is deleted once.
      if !isThere { try await front.update() }
    }
    try await back.update()
    #expect(try store.snapshot().count(N.all(descending: false)) == back.cells.count)
  }

  // MARK: Parents that show their children

  fileprivate struct Parent: Model {
    let id: Int
    var name: String
    var favourite: Link<Child>?
    var children: Links<Child> = []
    static let pupils = Inverse(\Child.teacher)
    static let schema = Schema(
      Parent.init, Key("id", \.id), Field("name", \.name), Field("favourite", \.favourite),
      Field("children", \.children))
  }

  fileprivate struct Child: Model {
    let id: Int
    var name: String
    var age: Int
    var teacher: Link<Parent>?
    static let schema = Schema(
      Child.init, Key("id", \.id), Field("name", \.name), Field("age", \.age),
      Field("teacher", \.teacher))
  }

  /// How a parent's cell comes to the children that it shows.
  enum Way: CaseIterable {
    case link, list, inverse

    /// Parents in an order, or by a condition, that reads the children's names.
    fileprivate var query: Query<Parent> {
      switch self {
      case .link: Parent.all.order { $0.favourite.name }
      case .list: Parent.where { $0.children.contains { $0.name != "" } }
      case .inverse: Parent.where { $0[Parent.pupils].contains { $0.name != "" } }
      }
    }

    /// All parents, of which the cells read the children's names.
    fileprivate func changesOfAll(in store: Store) -> Changes<ResultsChange<Parent>> {
      switch self {
      case .link: store.changes(of: Parent.all, reading: { $0.favourite.name })
      case .list: store.changes(of: Parent.all, reading: { $0.children.targets.max { $0.name } })
      case .inverse:
        store.changes(of: Parent.all, reading: { ($0.name, $0[Parent.pupils].max { $0.name }) })
      }
    }

    /// What a cell shows.
    fileprivate func text(_ row: Row<Parent>, _ snapshot: Snapshot) throws -> String {
      let parent = try row.value
      let children =
        switch self {
        case .link: try parent.favourite.flatMap { try snapshot.fetch($0) }.map { [$0] } ?? []
        case .list: try snapshot.fetch(parent.children)
        case .inverse: try snapshot.fetch(Parent.pupils(of: parent.id))
        }
      return "\(parent.name): \(children.map(\.name))"
    }
  }

  @Test(arguments: Way.allCases, [true, false])
  func aChangeOfAChildRendersItsParentAnew(_ way: Way, queryReadsIt: Bool) async throws {
    let store = try Store(.inMemory, models: Parent.self, Child.self)
    try await store.write { tx in
      for id in 0..<6 {
        let child = Child(id: id, name: "Child \(id)", age: 7, teacher: nil)
        try tx.insert(child)
        try tx.insert(
          Parent(
            id: id, name: "Parent \(id)", favourite: Link(id: child.id),
            children: [child.id]))
        try tx.update(Child.self, id: id, set: \.teacher, to: Link(id: id))
      }
    }
    // The list lies under the detail, which somebody edits.
    let changes = queryReadsIt ? store.changes(of: way.query) : way.changesOfAll(in: store)
    var list = changes.makeAsyncIterator()
    var detail = store.changes(of: Child.self, id: 3).makeAsyncIterator()
    var cells: [String] = []
    var rendered: [Int] = []
    func render(_ change: ResultsChange<Parent>) throws {
      rendered = []
      try change.apply(to: &cells) { row in
        rendered.append(try row.id)
        return try way.text(row, change.snapshot)
      }
      #expect(try cells == change.results.map { try way.text($0, change.snapshot) })
    }
    try render(try #require(try await list.next()))
    _ = try await detail.next()
    #expect(rendered == Array(0..<6))

    try await store.write { try $0.update(Child.self, id: 3, set: \.name, to: "Child 3, edited") }
    #expect(try await detail.next()?.after?.name == "Child 3, edited")
    let change = try #require(try await list.next())
    try render(change)
    #expect(rendered == [3])
    #expect(cells[3] == "Parent 3: [\"Child 3, edited\"]")
    #expect(change.modifications.map(\.id) == [3] && change.modifications[0].fields == [])
    #expect(change.insertions.isEmpty && change.deletions.isEmpty && change.moves.isEmpty)

    // What nobody shows is not told.
    try await store.write { try $0.update(Child.self, id: 2, set: \.age, to: 8) }
    try await store.write { try $0.update(Parent.self, id: 5, set: \.name, to: "Parent five") }
    try render(try #require(try await list.next()))
    #expect(rendered == [5])
  }
}
