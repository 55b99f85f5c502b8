import Foundation
import Roost
import RoostImport
import RoostImportSQLite
import Testing

/// Foreign keys and tables between two others.
@Suite struct LinkTests {
  private struct Company: Model, Equatable {
    let id: Int
    var name: String
    static let schema = Schema(Company.init, Key("id", \.id), Field("name", \.name))
  }

  private struct Tag: Model, Equatable {
    let id: String
    static let schema = Schema(Tag.init, Key("id", \.id))
  }

  private struct Person: Model, Equatable {
    let id: Int
    var employer: Link<Company>?
    var tags: Links<Tag>
    static let schema = Schema(
      Person.init, Key("id", \.id), Field("employer", \.employer), Field("tags", \.tags))
  }

  private struct Badge: Model, Equatable {
    let id: Int
    var owner: Link<Person>
    static let schema = Schema(
      Badge.init, Key("id", \.id), Field("owner", \.owner, .onTargetDelete(.cascade)))
  }

  private static let schema = """
    CREATE TABLE company (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT);
    CREATE TABLE tag (name TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE person (id INTEGER PRIMARY KEY, employer_id INTEGER REFERENCES company, code TEXT REFERENCES Company (Code), loose INTEGER);
    CREATE TABLE badge (number INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES person (id));
    CREATE TABLE person_tag (person_id INTEGER REFERENCES person, tag TEXT REFERENCES tag (name), place INTEGER);
    INSERT INTO company VALUES (10, 'A', 'Acme'), (20, 'B', 'Bolt');
    INSERT INTO tag VALUES ('x'), ('y'), ('z');
    INSERT INTO person VALUES (1, 10, 'B', 20), (2, NULL, NULL, NULL), (3, 20, 'A', 10);
    INSERT INTO badge VALUES (100, 3);
    INSERT INTO person_tag VALUES (1, 'z', 2), (3, 'y', 1), (1, 'x', 1), (3, NULL, 2);

    """

  private func open(
    _ sql: String = "",
    employer: @escaping @Sendable (SQLiteRow) throws -> Link<Company>? = {
      try $0.link("employer_id")
    },
    tags: @escaping @Sendable (SQLiteRow) throws -> Links<Tag> = {
      try $0.links(through: "person_tag", from: "person_id", to: "tag")
    }
  ) async throws -> Store {
    let file = try SQLiteFile(Self.schema + sql)
    return try await Store.open(
      .inMemory, models: Person.self, Company.self, Tag.self, Badge.self, importing: file.source
    ) {
      $0.rows("badge") { Badge(id: try $0.id(), owner: try $0.link("owner")) }
      $0.rows("person") {
        Person(id: try $0.id(), employer: try employer($0), tags: try tags($0))
      }
      $0.rows("company") { Company(id: try $0.id(), name: try $0["name"]) }
      $0.rows("tag") { Tag(id: try $0.id()) }
    }
  }

  private func employers(_ store: Store) throws -> [Int?] {
    try store.snapshot().fetch(Person.all).map { $0.employer?.id }
  }

  private func tags(_ store: Store) throws -> [[String]] {
    try store.snapshot().fetch(Person.all).map { Array($0.tags) }
  }

  private func omissions(_ store: Store) throws -> [String] {
    let report = try #require(try store.importReport)
    return report.omissions.map { "\($0.className).\($0.property) \($0.count)" }
  }

  @Test func foreignKeysAndJoinTablesBecomeLinks() async throws {
    let store = try await open()
    #expect(try employers(store) == [10, nil, 20])
    #expect(try tags(store) == [["z", "x"], [], ["y"]])
    #expect(try store.snapshot().fetch(Badge.all) == [Badge(id: 100, owner: Link(id: 3))])
    let report = try #require(try store.importReport)
    // The table between was read, though no mapping names it.
    #expect(report.unnamed.isEmpty)
    #expect(report.isComplete)
    let damage = try await store.verify()
    #expect(damage == [])
  }

  @Test func aForeignKeyToAnotherColumnGivesTheKey() async throws {
    let store = try await open(employer: { try $0.link("code") })
    #expect(try employers(store) == [20, nil, 10])
  }

  @Test func aColumnWithoutAForeignKeyLeadsToATableThatIsNamed() async throws {
    let store = try await open(employer: { try $0.link("loose", in: "company") })
    #expect(try employers(store) == [20, nil, 10])
    let error = await #expect(throws: SQLiteError.self) {
      try await open(employer: { try $0.link("loose") })
    }
    #expect(
      error
        == .noForeignKey(
          table: "person", column: "loose", line: "`try row.link(\"loose\", in: \"table\")`"))
  }

  @Test func linksComeInTheOrderOfAColumn() async throws {
    let store = try await open(tags: {
      try $0.links(through: "person_tag", from: "person_id", to: "tag", orderedBy: "place")
    })
    #expect(try tags(store) == [["x", "z"], [], ["y"]])
  }

  @Test func aJoinTableWithoutForeignKeysOrRowidsIsRead() async throws {
    let store = try await open(
      """
      CREATE TABLE loose_tag (t TEXT, p INTEGER, PRIMARY KEY (t, p)) WITHOUT ROWID;
      INSERT INTO loose_tag VALUES ('y', 1), ('x', 1), ('z', 2);
      """,
      tags: { try $0.links(through: "loose_tag", from: "p", to: "t", in: "tag") })
    #expect(try tags(store) == [["x", "y"], ["z"], []])
    let report = try #require(try store.importReport)
    #expect(report.unnamed.map(\.className) == ["person_tag"])
  }

  @Test func aDanglingForeignKeyIsAnErrorWithTheLineThatLeavesItOut() async throws {
    let gone = "UPDATE person SET employer_id = 77 WHERE id = 3;"
    let error = await #expect(throws: SQLiteError.self) { try await open(gone) }
    #expect(
      error?.only
        == .dangling(
          table: "person", column: "employer_id", row: "id 3", found: "the integer 77",
          target: "company", line: "`try row.link(\"employer_id\", skippingDangling: true)`"))
    let store = try await open(
      gone, employer: { try $0.link("employer_id", skippingDangling: true) })
    #expect(try employers(store) == [10, nil, nil])
    #expect(try omissions(store) == ["person.employer_id 1"])
  }

  @Test func aDanglingKeyOfALinkWithoutNilIsAnErrorWithTheLineThatLeavesItsRowOut() async throws {
    struct Company: Model {
      let id: Int
      static let schema = Schema(Company.init, Key("id", \.id))
    }
    struct Worker: Model {
      let id: Int
      var employer: Link<Company>
      static let schema = Schema(Worker.init, Key("id", \.id), Field("employer", \.employer))
    }
    let file = try SQLiteFile(
      """
      CREATE TABLE company (id INTEGER PRIMARY KEY);
      CREATE TABLE worker (id INTEGER PRIMARY KEY, employer INTEGER REFERENCES company);
      INSERT INTO company VALUES (1); INSERT INTO worker VALUES (1, 1), (2, 77);
      """)
    for skips in [false, true] {
      let error = await #expect(throws: SQLiteError.self) {
        try await Store.open(
          .inMemory, models: Company.self, Worker.self, importing: file.source
        ) {
          $0.rows("company") { Company(id: try $0.id()) }
          $0.rows("worker") { row in
            Worker(id: try row.id(), employer: try row.link("employer", skippingDangling: skips))
          }
        }
      }
      let line =
        "`guard let target = try row.link(\"employer\", skippingDangling: true) as Link<Company>? else { return nil }` "
        + "in a closure `{ row -> <#Model#>? in … }`, which leaves the row out"
      #expect(
        error?.only
          == .dangling(
            table: "worker", column: "employer", row: "id 2", found: "the integer 77",
            target: "company", line: line))
    }
    let store = try await Store.open(
      .inMemory, models: Company.self, Worker.self, importing: file.source
    ) {
      $0.rows("company") { Company(id: try $0.id()) }
      $0.rows("worker") { row -> Worker? in
        guard let target = try row.link("employer", skippingDangling: true) as Link<Company>? else {
          return nil
        }
        return Worker(id: try row.id(), employer: target)
      }
    }
    #expect(try store.snapshot().fetch(Worker.all).map(\.id) == [1])
    #expect(try omissions(store) == ["worker.employer 1"])
  }

  @Test func aDanglingRowOfAJoinTableIsAnErrorWithTheLineThatLeavesItOut() async throws {
    let gone = "INSERT INTO person_tag VALUES (3, 'gone', 0), (3, 'x', 9);"
    let error = await #expect(throws: SQLiteError.self) { try await open(gone) }
    #expect(
      error?.only
        == .dangling(
          table: "person_tag", column: "tag", row: "id 3", found: "the text \"gone\"",
          target: "tag",
          line:
            "`try row.links(through: \"person_tag\", from: \"person_id\", to: \"tag\", skippingDangling: true)`"
        ))
    let store = try await open(
      gone,
      tags: {
        try $0.links(
          through: "person_tag", from: "person_id", to: "tag", skippingDangling: true)
      })
    #expect(try tags(store) == [["z", "x"], [], ["y", "x"]])
    #expect(try omissions(store) == ["person_tag.tag 1"])
  }

  @Test func aForeignKeyThatMayNotBeMissingSaysSo() async throws {
    let error = await #expect(throws: SQLiteError.self) {
      try await open("INSERT INTO badge VALUES (101, 66);")
    }
    guard case .dangling("badge", "owner", "number 101", _, "person", _)? = error?.only else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func thousandsOfLinksThroughATableWithoutAnIndexAreFound() async throws {
    let store = try await open(
      """
      WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 20999)
      INSERT INTO person SELECT i, 10, 'A', NULL FROM n;
      INSERT INTO person_tag SELECT id, CASE id % 3 WHEN 0 THEN 'x' WHEN 1 THEN 'y' ELSE 'z' END, 0 FROM person WHERE id >= 1000;
      """)
    let found = try tags(store)
    #expect(found.count == 20_003)
    #expect(
      found.dropFirst(3).enumerated().allSatisfy {
        $0.element == [["x", "y", "z"][($0.offset + 1000) % 3]]
      })
  }
}
