import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Testing

/// Programs that know any part of a model write in turn; no value of an object that was not deleted is lost.
@Suite struct KeptFieldOracleTests {
  /// How many files are written by some programs in turn.
  private static let caseCount =
    ProcessInfo.processInfo.environment["ROOST_EVOLUTIONS"].flatMap(Int.init) ?? 400

  @Test(arguments: 0..<4 as Range<UInt64>)
  func whatAProgramDoesNotNameStaysAsItWas(seed: UInt64) throws {
    for number in 0..<Self.caseCount / 4 {
      var random = SeededGenerator(seed: seed << 32 | UInt64(number))
      var evolution = EvolutionCase()
      try evolution.run(&random)
    }
  }
}

/// A version of the model `Thing`, which knows some of the fields.
private protocol Shape: Model where ID == Int {
  static var names: [String] { get }
  init(id: Int, _ values: Values)
  var values: Values { get }
}

/// The values of an object by the names of their fields, as the file has them.
private typealias Values = [String: Value]

extension Values {
  func text(_ name: String) -> String {
    guard case .bytes(let bytes) = self[name] else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
  func integer(_ name: String) -> Int? {
    guard case .integer(let number) = self[name] else { return nil }
    return Int(number)
  }
  func double(_ name: String) -> Double? {
    guard case .double(let number) = self[name] else { return nil }
    return number
  }
}

extension String {
  fileprivate var stored: Value { .bytes(Array(utf8)) }
}

extension Int? {
  fileprivate var stored: Value { map { .integer(Int64($0)) } ?? .null }
}

/// All of it: a required text, a number with a default, an optional number, a unique text, and a link.
private enum Whole {
  struct Thing: Shape {
    let id: Int
    var text: String
    var count: Int
    var score: Double?
    var code: String
    var other: Link<Other>?
    static let schema = Schema(
      Thing.init(id:text:count:score:code:other:), Key("id", \.id), Field("text", \.text),
      Field("count", \.count, .indexed, .default(7)), Field("score", \.score),
      Field("code", \.code, .unique), Field("other", \.other, .onTargetDelete(.nullify)))
    static let names = ["text", "count", "score", "code", "other"]

    init(id: Int, text: String, count: Int, score: Double?, code: String, other: Link<Other>?) {
      (self.id, self.text, self.count) = (id, text, count)
      (self.score, self.code, self.other) = (score, code, other)
    }
    init(id: Int, _ values: Values) {
      self.init(
        id: id, text: values.text("text"), count: values.integer("count") ?? 7,
        score: values.double("score"), code: values.text("code"),
        other: values.integer("other").map { Link(id: $0) })
    }
    var values: Values {
      [
        "text": text.stored, "count": .integer(Int64(count)),
        "score": score.map { .double($0) } ?? .null, "code": code.stored,
        "other": (other?.id).stored,
      ]
    }
  }
}

private struct Other: Model {
  let id: Int
  static let schema = Schema(Other.init, Key("id", \.id))
}

private enum Bare {
  struct Thing: Shape {
    let id: Int
    static let schema = Schema(Thing.init(id:), Key("id", \.id))
    static let names: [String] = []
    init(id: Int) { self.id = id }
    init(id: Int, _ values: Values) { self.id = id }
    var values: Values { [:] }
  }
}

private enum Texts {
  struct Thing: Shape {
    let id: Int
    var text: String
    var code: String
    static let schema = Schema(
      Thing.init(id:text:code:), Key("id", \.id), Field("text", \.text), Field("code", \.code))
    static let names = ["text", "code"]
    init(id: Int, text: String, code: String) { (self.id, self.text, self.code) = (id, text, code) }
    init(id: Int, _ values: Values) {
      self.init(id: id, text: values.text("text"), code: values.text("code"))
    }
    var values: Values { ["text": text.stored, "code": code.stored] }
  }
}

private enum Numbers {
  struct Thing: Shape {
    let id: Int
    var count: Int
    var score: Double?
    static let schema = Schema(
      Thing.init(id:count:score:), Key("id", \.id), Field("count", \.count),
      Field("score", \.score))
    static let names = ["count", "score"]
    init(id: Int, count: Int, score: Double?) {
      (self.id, self.count, self.score) = (id, count, score)
    }
    init(id: Int, _ values: Values) {
      self.init(id: id, count: values.integer("count") ?? 7, score: values.double("score"))
    }
    var values: Values {
      ["count": .integer(Int64(count)), "score": score.map { .double($0) } ?? .null]
    }
  }
}

private enum Linked {
  struct Thing: Shape {
    let id: Int
    var other: Link<Other>?
    var text: String
    static let schema = Schema(
      Thing.init(id:other:text:), Key("id", \.id), Field("other", \.other), Field("text", \.text))
    static let names = ["other", "text"]
    init(id: Int, other: Link<Other>?, text: String) {
      (self.id, self.other, self.text) = (id, other, text)
    }
    init(id: Int, _ values: Values) {
      self.init(
        id: id, other: values.integer("other").map { Link(id: $0) }, text: values.text("text"))
    }
    var values: Values { ["other": (other?.id).stored, "text": text.stored] }
  }
}

/// One file, and what a plain dictionary says that it holds.
private struct EvolutionCase {
  private let files = MemoryFileSystem()
  private var things: [Int: Values] = [:]
  private var others: Set<Int> = [0, 1, 2, 3]
  private static let required = ["text", "code"]

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.fileSystem = files
    return configuration
  }

  mutating func run(_ random: inout SeededGenerator) throws {
    do {
      let store = try open(Whole.Thing.self)
      try store.write { try $0.insert(contentsOf: others.sorted().map(Other.init)) }
      try write(Whole.Thing.self, in: store, &random)
    }
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: try turn(Bare.Thing.self, &random)
      case 1: try turn(Texts.Thing.self, &random)
      case 2: try turn(Numbers.Thing.self, &random)
      case 3: try turn(Linked.Thing.self, &random)
      case 4: try turn(Whole.Thing.self, &random)
      default: _ = try Engine.compact("s", in: files)
      }
      try check()
    }
  }

  private func open<S: Shape>(_ shape: S.Type) throws -> Store {
    try Store(.file("s"), models: shape, Other.self, configuration: configuration)
  }

  /// One program opens the file, which it can unless some object lacks what it requires, and writes.
  private mutating func turn<S: Shape>(
    _ shape: S.Type, _ random: inout SeededGenerator
  ) throws {
    let lacking = S.names.filter(Self.required.contains).filter { name in
      things.values.contains { $0[name] == .null }
    }
    guard lacking.isEmpty else {
      #expect { _ = try open(shape) } throws: { error in
        guard case StoreError.migrationRequired(let differences) = error,
          case .missingValues("Thing", let field, _, "String")? = differences.first
        else {
          return false
        }
        return lacking.contains(field)
      }
      return
    }
    let store = try open(shape)
    try write(shape, in: store, &random)
    #expect(
      try store.snapshot().fetch(S.all).sorted { $0.id < $1.id }.map(\.values)
        == things.sorted { $0.key < $1.key }.map { $0.value.filter { S.names.contains($0.key) } })
  }

  private mutating func write<S: Shape>(
    _ shape: S.Type, in store: Store, _ random: inout SeededGenerator
  ) throws {
    var next = self
    try store.write { transaction in
      for _ in 0..<Int.random(in: 1..<12, using: &random) {
        let id = Int.random(in: 0..<20, using: &random)
        let object = S(id: id, next.randomValues(&random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1, 2:
          try transaction.upsert(object)
          next.note(object)
        case 3:
          let isThere = next.things[id] != nil
          #expect(try transaction.delete(S.self, id: id) == isThere)
          next.things[id] = nil
        case 4:
          let other = Int.random(in: 0..<4, using: &random)
          guard next.others.remove(other) != nil else {
            try transaction.insert(Other(id: other))
            next.others.insert(other)
            continue
          }
          _ = try transaction.delete(Other.self, id: other)
          for (id, values) in next.things where values["other"] == .integer(Int64(other)) {
            next.things[id]?["other"] = .null
          }
        default:
          let objects = (30..<30 + Int.random(in: 0..<4, using: &random))
            .map { S(id: $0, next.randomValues(&random)) }
          try transaction.upsert(contentsOf: objects)
          objects.forEach { next.note($0) }
        }
      }
    }
    self = next
  }

  /// An object was added or replaced by a program that knows its shape.
  private mutating func note(_ object: some Shape) {
    let added: Values = [
      "text": .null, "count": .integer(7), "score": .null, "code": .null, "other": .null,
    ]
    things[object.id] = (things[object.id] ?? added).merging(object.values) { $1 }
  }

  private func randomValues(_ random: inout SeededGenerator) -> Values {
    [
      "text": "t\(random.next() % 5)".stored, "count": .integer(Int64(random.next() % 9)),
      "score": random.chance(1, in: 3) ? .null : .double(Double(random.next() % 100) / 4),
      "code": "c\(random.next())".stored,
      "other": (random.chance(1, in: 2) ? others.sorted().randomElement(using: &random) : nil)
        .stored,
    ]
  }

  /// All of the file, as the engine sees it.
  private func check() throws {
    let snapshot = try Engine.open("s", in: files).snapshot()
    #expect(try snapshot.verify() == [])
    let table = try snapshot.view.table(named: "Thing")
    var found: [Int: Values] = [:]
    var leaves = try snapshot.view.objects(table.id).leaves()
    while let leaf = try leaves.next() {
      for row in 0..<leaf.rowCount {
        var values: Values = [:]
        for field in table.fields where !field.isObjectKey {
          values[field.name] = try RowPlace.leaf(leaf, row).value(of: field.id)
        }
        found[Int(leaf.key(row))] = values
      }
    }
    #expect(found == things)
  }
}
