import RoostEngine
import RoostTestSupport

/// What is done to a store: which tables it begins with, and how often each kind of change occurs.
struct Workload: Sendable {
  /// A change inside a transaction.
  enum Change: CaseIterable, Sendable {
    case insert, insertMany, replace, update, updateMany, delete, deleteMany, look, view
    case addField, removeField, changeIndex, addTable, removeTable
    case keep, drop, restore
  }

  /// What is done between transactions.
  enum Break: CaseIterable, Sendable {
    case reopen, compact, pin, unpin
    /// The file is opened again after its list of free space was damaged.
    case rebuild

    /// Those that leave no damage for a moment.
    static let harmless: [Break] = [.reopen, .compact, .pin, .unpin]
  }

  var name: String
  var tables: [ModelTable]
  /// How often each change is made, in proportion.
  var changes: [(change: Change, weight: Int)]
  /// How many changes a transaction usually makes.
  var changeCount: ClosedRange<Int> = 1...12
  /// How many it makes one time in ten.
  var manyChanges = 100
  /// The object keys, where the identifier is one.
  var keys: Int64 = 300
  /// One transaction in how many is rolled back; 0 for none.
  var rollbacks = 12
  /// What is done between two transactions, each one time in `breakEvery`.
  var breaks: [Break] = []
  var breakEvery = 6
  /// What commits wait for: one of these each.
  var durability: [SyncPolicy] = [.full]
  /// How many bytes of the file may be in memory: few make a transaction spill.
  var cacheBytes = 1 << 20
  /// The units of the file's ring; 0 for none, nil for as many as fit the file.
  var ringUnits: Int?
  /// What the records of small commits say.
  var smallCommits = SmallCommits.leftRows
}

extension SyncPolicy {
  /// What the commits of a workload wait for: always the same, or each time something else.
  static let choices: [[SyncPolicy]] = allCases.map { [$0] } + [allCases]
}

extension Workload {
  private static let everyday: [(change: Change, weight: Int)] = [
    (.insert, 30), (.insertMany, 2), (.replace, 10), (.update, 25), (.delete, 15), (.look, 10),
    (.view, 2),
  ]

  private static let growing: [(change: Change, weight: Int)] = [
    (.insert, 60), (.insertMany, 10), (.update, 15), (.delete, 5), (.look, 5),
  ]

  private static let schema: [(change: Change, weight: Int)] =
    everyday + [
      (.addField, 5), (.removeField, 4), (.changeIndex, 5), (.addTable, 3), (.removeTable, 2),
    ]

  /// Versions that are kept under names.
  private static let named: [(change: Change, weight: Int)] = [
    (.keep, 6), (.drop, 2), (.restore, 2),
  ]

  private static func notes(
    _ name: String = "Note", sizes: ClosedRange<Int> = 0...40
  ) -> ModelTable {
    ModelTable(
      name,
      fields: [
        ModelField("title", .string, sizes: sizes),
        ModelField("rank", .int, indexed: true, variety: 50),
        ModelField("score", .double, optional: true),
      ])
  }

  private static let people = ModelTable(
    "Person",
    fields: [
      ModelField("email", .string, identifier: true, sizes: 1...2),
      ModelField("name", .string, indexed: true, sizes: 4...20),
      ModelField("age", .int, variety: 90),
      ModelField("badge", .int, optional: true, unique: true, variety: 400),
    ])

  private static let everyType = ModelTable(
    "Thing",
    fields: [
      ModelField("isThere", .bool, optional: true),
      ModelField("number", .int, optional: true, indexed: true),
      ModelField("ratio", .double, optional: true, indexed: true),
      ModelField("weight", .float, optional: true, indexed: true),
      ModelField("text", .string, optional: true, indexed: true),
      ModelField("bytes", .data, optional: true, sizes: 0...60),
      ModelField("date", .date, optional: true),
      ModelField("token", .uuid, optional: true, unique: true),
    ])

  private static let graph = [
    ModelTable("Group", fields: [ModelField("name", .string, unique: true, sizes: 2...9)]),
    ModelTable(
      "Member",
      fields: [
        ModelField("name", .string, sizes: 3...12),
        ModelField("group", .link, optional: true, to: "Group"),
        ModelField("former", .link, optional: true, to: "Group", nullifying: true),
        ModelField("friend", .link, optional: true, to: "Member"),
        ModelField("groups", .links, to: "Group"),
        ModelField("friends", .links, to: "Member"),
      ]),
  ]

  private static let wide = ModelTable(
    "Wide",
    fields: (0..<24).map { number in
      let types: [FieldType] = [.int, .string, .double, .bool]
      return ModelField(
        "field \(number)", types[number % 4], optional: number % 5 == 0, sizes: 0...60,
        variety: number % 3 == 0 ? 20 : 0)
    })

  /// The twenty kinds of workload.
  static let all: [Workload] = [
    Workload(name: "everyday", tables: [notes()], changes: everyday),
    Workload(
      name: "one change", tables: [notes()], changes: [(.update, 5), (.insert, 2), (.delete, 1)],
      changeCount: 1...1, rollbacks: 0),
    Workload(name: "growing", tables: [notes()], changes: growing, keys: 3000),
    Workload(
      name: "shrinking", tables: [notes(sizes: 50...300)],
      changes: [(.insertMany, 10), (.deleteMany, 10), (.delete, 20), (.update, 10)], keys: 600),
    Workload(
      name: "texts as identifiers", tables: [people],
      changes: everyday + [(.updateMany, 1)]),
    Workload(name: "every type", tables: [everyType], changes: everyday, manyChanges: 60),
    Workload(name: "links", tables: graph, changes: everyday, keys: 150),
    Workload(
      name: "many links", tables: graph, changes: growing + [(.deleteMany, 2)],
      manyChanges: 300, keys: 60),
    Workload(
      name: "long values",
      tables: [
        notes(sizes: 800...20_000),
        ModelTable("Film", fields: [ModelField("film", .blob, sizes: 0...3000)]),
      ], changes: everyday, changeCount: 1...4, manyChanges: 20, keys: 60),
    Workload(
      name: "very long values",
      tables: [
        ModelTable(
          "File",
          fields: [
            ModelField("name", .string),
            ModelField("content", .data, optional: true, sizes: 0...1_300_000),
            ModelField("film", .blob, sizes: 0...300_000),
          ])
      ],
      changes: [(.insert, 3), (.replace, 3), (.update, 3), (.delete, 4)], changeCount: 1...1,
      manyChanges: 2, keys: 5),
    Workload(name: "tables and fields", tables: [notes()] + graph, changes: schema, keys: 80),
    Workload(
      name: "indexes", tables: [everyType, people], changes: everyday + [(.changeIndex, 20)],
      keys: 120),
    Workload(
      name: "much at once", tables: [notes()], changes: everyday + [(.insertMany, 5)],
      manyChanges: 1200, keys: 2000),
    Workload(
      name: "more than memory", tables: [notes(sizes: 100...900)], changes: growing,
      changeCount: 20...60, manyChanges: 600, keys: 800, cacheBytes: 64 << 10),
    Workload(
      name: "rollbacks", tables: [notes(), people], changes: everyday, keys: 150, rollbacks: 2),
    Workload(
      name: "readers", tables: [notes(sizes: 10...200)], changes: everyday + named,
      breaks: [.pin, .pin, .unpin], breakEvery: 2),
    Workload(
      name: "reopening", tables: [notes(), people], changes: everyday + named, keys: 200,
      breaks: [.reopen], breakEvery: 3),
    Workload(
      name: "compacting", tables: [notes(sizes: 20...400)] + graph,
      changes: everyday + named + [(.deleteMany, 2)], keys: 200, breaks: [.compact, .reopen],
      breakEvery: 5),
    Workload(
      name: "wide", tables: [wide], changes: everyday + [(.updateMany, 3)], manyChanges: 60,
      keys: 150),
    Workload(
      name: "everything", tables: [notes(), people, everyType] + graph,
      changes: schema + named + [(.updateMany, 2), (.deleteMany, 2)], keys: 100,
      breaks: Break.harmless, breakEvery: 4),
  ]
}
