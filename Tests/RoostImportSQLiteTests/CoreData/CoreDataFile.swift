import Foundation
import Roost
import RoostImport
import RoostImportSQLite

/// A store as Core Data lays it out, made by SQL.
struct CoreDataFile {
  let file: SQLiteFile

  /// - Parameters:
  ///   - model: What the table `Z_MODELCACHE` has; nil for no such table.
  ///   - sql: What follows the tables and their rows.
  init(model: [UInt8]? = CoreDataFile.model.content, _ sql: String = "") throws {
    let cache = model.map {
      "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE VALUES (\($0.sqlLiteral));"
    }
    // Nobody needs the file after a crash.
    let start = "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN;"
    file = try SQLiteFile(start + Self.tables + Self.rows + (cache ?? "") + sql + "COMMIT;")
  }

  var source: ImportSource { .coreData(file.url) }

  /// What a mapping makes of objects, by their number.
  func read(
    _ entities: String..., text: @escaping @Sendable (CoreDataRow) throws -> String
  ) async throws -> [Int: String] {
    let store = try await Store.open(.inMemory, models: Item.self, importing: source) {
      for entity in entities {
        $0.rows(of: entity) { Item(id: try $0.id(), text: try text($0)) }
      }
    }
    let items = try store.snapshot().fetch(Item.all)
    return Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0.text) })
  }

  /// The properties that `Person` and its subentities have.
  static let personProperties: [ModelCache.Property] = [
    .attribute("firstName", 700), .attribute("age", 100), .attribute("height", 500),
    .attribute("weight", 600), .attribute("isMember", 800), .attribute("born", 900),
    .attribute("salary", 400), .attribute("key", 1100), .attribute("site", 1200),
    .attribute("photo", 1000), .attribute("extra", 1800),
    .attribute("nickname", 700, isTransient: true), .fetched("namesakes"),
    .toOne("employer", "Company", inverse: "staff"), .toOne("badge", "Badge", inverse: "owner"),
    .toOne("boss", "Person", inverse: "reports"), .toMany("reports", "Person", inverse: "boss"),
    .toMany("friends", "Person", inverse: "friendOf", isOrdered: true),
    .toMany("friendOf", "Person", inverse: "friends"),
    .toMany("buddies", "Person", inverse: "buddies"),
    .toMany("tags", "Tag", inverse: "people"), .toMany("notes", "Note"),
  ]

  static let model = ModelCache(entities: [
    .init(
      "Company",
      [
        .attribute("name", 700), .attribute("code", 1100),
        .toMany("staff", "Person", inverse: "employer", isOrdered: true),
      ]),
    .init("Person", personProperties),
    .init("Manager", personProperties + [.attribute("level", 300)]),
    .init("Contractor", personProperties + [.attribute("level", 700)]),
    .init("Tag", [.attribute("näme", 700), .toMany("people", "Person", inverse: "tags")]),
    .init("Note", [.attribute("words", 700)]),
    .init("Badge", [.attribute("number", 300), .toOne("owner", "Person", inverse: "badge")]),
  ])

  private static let tables = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER);
    CREATE TABLE ZCOMPANY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZCODE BLOB);
    CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, ZISMEMBER INTEGER,
      ZEMPLOYER INTEGER, Z_FOK_EMPLOYER INTEGER, ZBADGE INTEGER, ZBOSS INTEGER, Z2_BOSS INTEGER, ZLEVEL INTEGER,
      ZBORN TIMESTAMP, ZSALARY DECIMAL, ZHEIGHT FLOAT, ZWEIGHT FLOAT, ZFIRSTNAME VARCHAR, ZLEVEL1 VARCHAR, ZSITE VARCHAR,
      ZEXTRA BLOB, ZKEY BLOB, ZPHOTO BLOB);
    CREATE TABLE Z_2FRIENDS (Z_2FRIENDOF INTEGER, Z_2FRIENDS INTEGER, Z_FOK_2FRIENDS INTEGER, PRIMARY KEY (Z_2FRIENDOF, Z_2FRIENDS));
    CREATE TABLE Z_2BUDDIES (Z_2BUDDIES INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_2BUDDIES, REFLEXIVE));
    CREATE TABLE Z_2TAGS (Z_2PEOPLE INTEGER, Z_5TAGS INTEGER, PRIMARY KEY (Z_2PEOPLE, Z_5TAGS));
    CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "ZNÄME" VARCHAR);
    CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z2NOTES INTEGER, ZWORDS VARCHAR);
    CREATE TABLE ZBADGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER, ZOWNER INTEGER);
    CREATE INDEX ZPERSON_ZEMPLOYER_INDEX ON ZPERSON (ZEMPLOYER);
    CREATE TRIGGER counted AFTER INSERT ON ZNOTE BEGIN SELECT 1; END;

    """

  /// Ada is an ordinary person, Bob a manager, Cy a contractor, Di a person of whom nothing is known.
  private static let rows = """
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Company', 0, 9), (2, 'Person', 0, 4), (3, 'Manager', 2, 0), (4, 'Contractor', 2, 0),
      (5, 'Tag', 0, 3), (6, 'Note', 0, 3), (7, 'Badge', 0, 1), (16001, 'CHANGE', 0, 1);
    INSERT INTO ACHANGE VALUES (1, 16001, 1, 0);
    INSERT INTO ZCOMPANY VALUES (8, 1, 1, 'Acme', x'000102030405060708090A0B0C0D0E0F'), (9, 1, 1, 'Bolt', NULL);
    INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZFIRSTNAME, ZAGE, ZHEIGHT, ZWEIGHT, ZISMEMBER, ZBORN, ZSALARY, ZKEY, ZSITE, ZPHOTO, ZEXTRA, ZEMPLOYER, Z_FOK_EMPLOYER, ZBADGE, ZBOSS, Z2_BOSS)
      VALUES (1, 2, 1, 'Ada', 36, 1.65, 0.5, 1, 86400.25, 10.11, x'101112131415161718191A1B1C1D1E1F', 'https://example.com', x'0902', x'62706C', 8, 4096, 1, 2, 3);
    INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZFIRSTNAME, ZBORN, ZSALARY, ZISMEMBER, ZLEVEL, ZEMPLOYER, Z_FOK_EMPLOYER)
      VALUES (2, 3, 1, 'Bob', -100, 9007199254740993, 0, 7, 8, 2048);
    INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZFIRSTNAME, ZLEVEL1, ZEMPLOYER, Z_FOK_EMPLOYER, ZBOSS, Z2_BOSS)
      VALUES (3, 4, 1, 'Cy', 'high', 8, 3072, 2, 3);
    INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (4, 2, 1);
    INSERT INTO Z_2FRIENDS VALUES (1, 3, 3072), (1, 2, 4096), (1, 4, 2048), (3, 1, 2048);
    INSERT INTO Z_2BUDDIES VALUES (1, 2), (2, 1), (3, 1);
    INSERT INTO Z_2TAGS VALUES (1, 2), (3, 2), (1, 1);
    INSERT INTO ZTAG VALUES (1, 5, 1, 'x'), (2, 5, 1, 'y');
    INSERT INTO ZNOTE VALUES (1, 6, 1, 1, 'one'), (2, 6, 1, 3, 'two'), (3, 6, 1, 1, 'three');
    INSERT INTO ZBADGE VALUES (1, 7, 1, 700, 1);

    """
}
