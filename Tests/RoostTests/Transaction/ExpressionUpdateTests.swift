import Foundation
import Roost
import RoostTestSupport
import Testing

private struct Span: Embedded {
  var low: Int16
  var high: Int16?
  static let fields = Fields(Span.init, Part("low", \.low), Part("high", \.high, .indexed))
}

private struct Gauge: Model {
  let id: Int
  var small: Int8
  var other: Int8
  var byte: UInt8
  var number: Int
  var optionalNumber: Int?
  var unsigned: UInt
  var real: Double
  var single: Float?
  var text: String
  var optionalText: String?
  var flag: Bool
  var place: Int
  var label: String
  var next: Link<Gauge>?
  var span: Span
  static let schema = Schema(
    Gauge.init, Key("id", \.id), Field("small", \.small), Field("other", \.other, .indexed),
    Field("byte", \.byte), Field("number", \.number, .indexed),
    Field("optionalNumber", \.optionalNumber), Field("unsigned", \.unsigned),
    Field("real", \.real), Field("single", \.single, .indexed), Field("text", \.text),
    Field("optionalText", \.optionalText, .indexed), Field("flag", \.flag),
    Field("place", \.place, .unique), Field("label", \.label, .unique),
    Field("next", \.next), Field("span", \.span))

  static func random(_ id: Int, _ random: inout SeededGenerator) -> Gauge {
    Gauge(
      id: id, small: .random(in: -128...127, using: &random),
      other: .random(in: -9...9, using: &random), byte: .random(in: 0...255, using: &random),
      number: [1, -1, .max, .min, 7].randomElement(using: &random) ?? 0,
      optionalNumber: random.chance(1, in: 3) ? nil : .random(in: -5...5, using: &random),
      unsigned: [0, 1, .max, 9].randomElement(using: &random) ?? 0,
      real: .random(in: -1...1, using: &random),
      single: random.chance(1, in: 3) ? nil : .random(in: -1...1, using: &random),
      text: String(repeating: "é", count: .random(in: 0...9, using: &random)),
      optionalText: random.chance(1, in: 3) ? nil : "t\(Int.random(in: 0...9, using: &random))",
      flag: random.chance(1, in: 2), place: id * 2, label: "l\(id)", next: nil,
      span: Span(
        low: .random(in: -99...99, using: &random),
        high: random.chance(1, in: 2) ? nil : .random(in: 0...9, using: &random)))
  }
}

private struct Overflow: Error {}

/// An expression, and the same in plain Swift.
private struct Twin<Value: Storable & Equatable> {
  let expression: (QueryRoot<Gauge>) -> QueryValue<Value>
  let plain: (Gauge) throws -> Value
}

extension Twin where Value: _Multipliable & FixedWidthInteger, Value._Operand == Value {
  /// A random expression of integers.
  static func random(
    _ fields: [KeyPath<Gauge, Value>], depth: Int, _ random: inout SeededGenerator
  ) -> Twin {
    let field = fields.randomElement(using: &random) ?? fields[0]
    let leaf = Twin(expression: { $0[dynamicMember: field] }, plain: { $0[keyPath: field] })
    guard depth > 0 else { return leaf }
    let a = Twin.random(fields, depth: depth - 1, &random)
    let b = Twin.random(fields, depth: depth - 1, &random)
    let constant = Value.random(in: 0...9, using: &random)
    func checked(_ result: (partialValue: Value, overflow: Bool)) throws -> Value {
      if result.overflow { throw Overflow() }
      return result.partialValue
    }
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      return Twin(
        expression: { a.expression($0) + constant },
        plain: { try checked(a.plain($0).addingReportingOverflow(constant)) })
    case 1:
      return Twin(
        expression: { constant - a.expression($0) },
        plain: { try checked(constant.subtractingReportingOverflow(a.plain($0))) })
    case 2:
      return Twin(
        expression: { a.expression($0) * constant },
        plain: { try checked(a.plain($0).multipliedReportingOverflow(by: constant)) })
    case 3:
      return Twin(
        expression: { a.expression($0) + b.expression($0) },
        plain: { try checked(a.plain($0).addingReportingOverflow(b.plain($0))) })
    case 4:
      return Twin(
        expression: { a.expression($0) - b.expression($0) },
        plain: { try checked(a.plain($0).subtractingReportingOverflow(b.plain($0))) })
    case 5:
      return Twin(
        expression: { a.expression($0) * b.expression($0) },
        plain: { try checked(a.plain($0).multipliedReportingOverflow(by: b.plain($0))) })
    default: return leaf
    }
  }
}

/// What an update does to the store, and to an object in plain Swift.
private struct Step {
  let update: (WriteTransaction, Query<Gauge>) throws -> Int
  let plain: (inout Gauge) throws -> Void

  static func set<Value: Storable>(
    _ path: WritableKeyPath<Gauge, Value>, _ twin: Twin<Value>
  ) -> Step {
    Step(
      update: { try $0.update($1, set: path, to: twin.expression) },
      plain: { $0[keyPath: path] = try twin.plain($0) })
  }

  static func set<Value: Storable>(
    _ path: WritableKeyPath<Gauge, Value>,
    _ expression: @escaping (QueryRoot<Gauge>) -> QueryValue<Value>,
    _ plain: @escaping (Gauge) -> Value
  ) -> Step {
    set(path, Twin(expression: expression, plain: plain))
  }

  static func set<Value: PropertyValue>(
    _ path: WritableKeyPath<Gauge, Value>, to value: Value
  ) -> Step {
    Step(
      update: { try $0.update($1, set: path, to: value) },
      plain: { $0[keyPath: path] = value })
  }

  static func random(_ random: inout SeededGenerator) -> Step {
    let depth = Int.random(in: 1...3, using: &random)
    let integer = Int.random(in: -3...3, using: &random)
    switch Int.random(in: 0..<24, using: &random) {
    case 0: return .set(\.small, .random([\.small, \.other], depth: depth, &random))
    case 1: return .set(\.other, .random([\.small, \.other], depth: 1, &random))
    case 2: return .set(\.byte, .random([\.byte], depth: depth, &random))
    case 3: return .set(\.number, .random([\.number, \.id, \.place], depth: 1, &random))
    case 4: return .set(\.unsigned, .random([\.unsigned], depth: depth, &random))
    case 5:
      return .set(\.real, { $0.real * 2.5 / 1.5 - $0.real }, { $0.real * 2.5 / 1.5 - $0.real })
    case 6: return .set(\.single, { -$0.single / 3 }, { $0.single.map { -$0 / 3 } })
    case 7: return .set(\.text, { $0.label + "-" + $0.text }, { $0.label + "-" + $0.text })
    case 8:
      return .set(
        \.optionalText, { $0.text + $0.optionalText },
        { gauge in gauge.optionalText.map { gauge.text + $0 } })
    case 9:
      return .set(\.optionalText, { "n" + $0.optionalText }, { $0.optionalText.map { "n" + $0 } })
    case 10: return .set(\.text, { $0.optionalText ?? $0.label }, { $0.optionalText ?? $0.label })
    case 11: return .set(\.flag, { !$0.flag }, { !$0.flag })
    // All places are even, so that moving some of them by an even number meets others.
    case 12: return .set(\.place, { $0.place + 2 * integer }, { $0.place + 2 * integer })
    case 13: return .set(\.place, { $0.place + 1 }, { $0.place + 1 })
    case 14: return .set(\.label, { $0.label + "x" }, { $0.label + "x" })
    case 15: return .set(\.label, to: "one")
    case 16: return .set(\.next, to: integer > 0 ? Link(id: integer) : nil)
    case 17: return .set(\.span.low, { $0.span.low - 1 }, { $0.span.low - 1 })
    case 18:
      return .set(
        \.span.high, { $0.span.high + $0.span.low }, { g in g.span.high.map { $0 + g.span.low } })
    case 19: return .set(\.span, to: Span(low: Int16(integer), high: nil))
    case 20: return .set(\.number, to: integer)
    case 21:
      return .set(
        \.optionalNumber, { ($0.optionalNumber ?? 3) + $0.optionalNumber },
        { gauge in gauge.optionalNumber.map { ($0) + $0 } })
    case 22:
      return Step(
        update: { try $0.update($1, set: \.optionalNumber, to: { $0.place }) },
        plain: { $0.optionalNumber = $0.place })
    default: return .set(\.single, to: integer == 0 ? nil : Float(integer))
    }
  }
}

/// Updates by expression against the same in plain Swift.
@Suite struct ExpressionUpdateTests {
  /// A query, and which objects it finds.
  private struct Choice {
    let query: Query<Gauge>
    let ids: ([Gauge]) -> Set<Int>

    static func random(_ random: inout SeededGenerator) -> Choice {
      let number = Int.random(in: 0...60, using: &random)
      func matching(_ query: Query<Gauge>, _ isMeant: @escaping (Gauge) -> Bool) -> Choice {
        Choice(query: query) { Set($0.filter(isMeant).map(\.id)) }
      }
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: return matching(Gauge.all) { _ in true }
      case 2: return matching(Gauge.where { $0.id < number }) { $0.id < number }
      case 3: return matching(Gauge.where { $0.flag == true }) { $0.flag }
      case 4: return matching(Gauge.where { $0.id == number }) { $0.id == number }
      case 5: return matching(Gauge.where { $0.place > number }) { $0.place > number }
      case 6: return matching(Gauge.where { $0.other.in(-3...3) }) { (-3...3).contains($0.other) }
      default:
        return Choice(query: Gauge.all.order(by: \.place, descending: true).limit(5, offset: 2)) {
          Set($0.sorted { $0.place > $1.place }.dropFirst(2).prefix(5).map(\.id))
        }
      }
    }
  }

  @Test(arguments: [UInt64](1...30))
  func anUpdateByExpressionDoesWhatPlainSwiftDoes(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    // In some, more objects than a leaf has.
    let count = seed.isMultiple(of: 10) ? 3000 : 50
    let store = try Store(.inMemory, models: Gauge.self)
    var gauges: [Int: Gauge] = [:]
    for id in 1...count { gauges[id] = Gauge.random(id, &random) }
    try store.write { [gauges] in try $0.insert(contentsOf: gauges.values) }
    var nextID = count + 1
    for _ in 0..<(count > 100 ? 12 : 60) {
      let steps = Int.random(in: 1...3, using: &random)
      try store.write { transaction in
        for _ in 0..<steps {
          if random.chance(1, in: 3) {
            try Self.changeOne(transaction, &gauges, &nextID, &random)
          }
          try Self.take(.random(&random), .random(&random), transaction, &gauges)
        }
      }
      let stored = try store.read { try $0.fetch(Gauge.all) }
      #expect(stored == gauges.values.sorted { $0.id < $1.id }, "seed \(seed)")
    }
    #expect(try store.verify() == [])
  }

  /// Changes something else, that the next step is to see.
  private static func changeOne(
    _ transaction: WriteTransaction, _ gauges: inout [Int: Gauge], _ nextID: inout Int,
    _ random: inout SeededGenerator
  ) throws {
    let id = gauges.keys.sorted().randomElement(using: &random) ?? 1
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      let gauge = Gauge.random(nextID, &random)
      guard !gauges.values.contains(where: { $0.place == gauge.place || $0.label == gauge.label })
      else { return }
      try transaction.insert(gauge)
      gauges[nextID] = gauge
      nextID += 1
    case 1:
      // What links lead to stays.
      guard id > 3 else { return }
      try transaction.delete(Gauge.self, id: id)
      gauges[id] = nil
    default:
      try transaction.update(Gauge.self, id: id, set: \.number, to: 12)
      gauges[id]?.number = 12
    }
  }

  private static func take(
    _ step: Step, _ choice: Choice, _ transaction: WriteTransaction, _ gauges: inout [Int: Gauge]
  ) throws {
    let ids = choice.ids(Array(gauges.values))
    var changed = gauges
    var overflowing: Set<String> = []
    for id in ids {
      guard var gauge = gauges[id] else { continue }
      do {
        try step.plain(&gauge)
        changed[id] = gauge
      } catch is Overflow { overflowing.insert("\(id)") }
    }
    let isUnique =
      Set(changed.values.map(\.place)).count == changed.count
      && Set(changed.values.map(\.label)).count == changed.count
    do {
      let count = try step.update(transaction, choice.query)
      #expect(count == ids.count)
      #expect(overflowing.isEmpty && isUnique)
      gauges = changed
    } catch StoreError.overflowInUpdate("Gauge", _, let id) {
      #expect(overflowing.contains(id))
    } catch StoreError.duplicateKey("Gauge", _, _) {
      #expect(!isUnique)
    }
  }

  @Test func anOverflowNamesTheObjectAndUndoesTheOperationAlone() throws {
    let store = try Store(.inMemory, models: Everything.self, Tag.self)
    let id = try #require(UUID(uuidString: "00000000-0000-0000-0000-00000000000A"))
    try store.write { transaction in
      try transaction.insert(Tag(id: "a", color: 1))
      try transaction.insert(Tag(id: "b", color: .max))
      #expect(
        throws: StoreError.overflowInUpdate(model: "Tag", field: "color", id: "b")
      ) { try transaction.update(Tag.all, set: \.color, to: { $0.color + 1 }) }
      try transaction.update(Tag.where { $0.id == "a" }, set: \.color, to: { $0.color + 1 })
      #expect(throws: StoreError.changedKey(model: "Everything", id: "objects")) {
        try transaction.update(Everything.all, set: \.id, to: id)
      }
    }
    #expect(try store.read { try $0.fetch(Tag.all).map(\.color) } == [2, .max])
  }

  @Test func aLinkToAMissingObjectIsAnErrorAtTheEnd() throws {
    let store = try Store(.inMemory, models: Group.self, Person.self)
    try store.write { transaction in
      try transaction.insert(Group(id: 1, name: "one", size: nil))
      for id in 1...3 { try transaction.insert(Person(id, group: 1)) }
    }
    #expect(
      throws: StoreError.danglingLink(
        model: "Person", id: "1", field: "group", target: "Group", targetID: "2")
    ) { try store.write { try $0.update(Person.all, set: \.group, to: Link(id: 2)) } }
    try store.write { transaction in
      try transaction.update(Person.all, set: \.group, to: Link(id: 2))
      try transaction.insert(Group(id: 2, name: "two", size: nil))
      try transaction.update(Person.where { $0.id == 3 }, set: \.group, to: nil)
      // Makes what is nil a link again.
      try transaction.update(Person.all, set: \.group, to: { $0.group ?? Link(id: 1) })
    }
    let groups = try store.read { try $0.fetch(Person.all).map(\.group?.id) }
    #expect(groups == [2, 2, 1])
    #expect(try store.verify() == [])
  }

  @Test func aLongTextIsReadAndWrittenWhole() throws {
    let store = try Store(.inMemory, models: Group.self)
    let long = String(repeating: "0123456789", count: 30_000)
    try store.write { transaction in
      try transaction.insert(Group(id: 1, name: long, size: 3))
      try transaction.insert(Group(id: 2, name: "short", size: nil))
    }
    try store.write { try $0.update(Group.all, set: \.name, to: { "<" + $0.name + $0.name + ">" }) }
    let names = try store.read { try $0.fetch(Group.all).map(\.name) }
    #expect(names == ["<\(long)\(long)>", "<shortshort>"])
    #expect(try store.verify() == [])
  }

  @Test func queriesThatCalculateAreValues() {
    func aged(_ years: Int) -> Query<Person> { Person.where { $0.age * 2 + years > 3 } }
    #expect(aged(1) == aged(1))
    #expect(aged(1) != aged(2))
    #expect(Set([aged(1), aged(1), aged(3)]).count == 2)
  }
}
