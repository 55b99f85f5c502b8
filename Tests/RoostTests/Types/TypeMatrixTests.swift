import Foundation
import Roost
import RoostInterchange
import RoostTestSupport
import Testing

/// Each type in each place where a model can have one, in each operation, against plain Swift.
@Suite struct TypeMatrixTests {
  /// A type, with what is done to it.
  struct Subject: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (_ seed: UInt64) throws -> Int

    static func plain<V: RandomValue>(_ type: V.Type) -> Subject {
      Subject(testDescription: "\(type)") { seed in
        let cases = try TypeCases<V>(seed: seed)
        try cases.runAll()
        return cases.count
      }
    }

    static func sortable<V: RandomSortable>(_ type: V.Type, isKey: Bool = true) -> Subject {
      Subject(testDescription: "\(type)") { seed in
        let cases = try TypeCases<V>(seed: seed)
        try cases.runAll()
        try cases.runOrders()
        if isKey { try cases.runKeys() }
        return cases.count
      }
    }
  }

  static let subjects: [Subject] = [
    .sortable(Bool.self, isKey: false), .sortable(Int.self), .sortable(Int8.self),
    .sortable(Int16.self),
    .sortable(Int32.self), .sortable(Int64.self), .sortable(UInt.self), .sortable(UInt8.self),
    .sortable(UInt16.self), .sortable(UInt32.self), .sortable(UInt64.self),
    .sortable(Float.self, isKey: false), .sortable(Double.self, isKey: false),
    .sortable(Decimal.self), .sortable(String.self, isKey: false), .sortable(Data.self),
    .sortable(Date.self), .sortable(UUID.self), .sortable(URL.self), .sortable(Duration.self),
    .sortable(Rank.self), .sortable(Celsius.self), .plain(Mood.self), .plain(Payment.self),
    .plain([Int].self), .plain([String: [Double]].self), .plain(Set<UUID>.self),
  ]

  @Test(arguments: subjects)
  func aTypeDoesInEveryPlaceWhatPlainSwiftDoes(_ subject: Subject) throws {
    var count = 0
    for seed in UInt64(1)...5 { count += try subject.run(seed) }
    // All types together make more than five thousand cases.
    #expect(count > 190)
  }
}

/// The cases of one type: a store and the same objects in an array.
final class TypeCases<V: RandomValue> {
  private let store: Store
  private var objects: [Holder<V>] = []
  private let pool: [V]
  private var random: SeededGenerator
  private(set) var count = 0

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    var generator = random
    pool = (0..<9).map { _ in V.random(&generator) }
    random = generator
    store = try Store(.inMemory, models: Holder<V>.self)
    objects = (0..<40).map { Holder.random($0, &random, pool) }
    try store.write { [objects] in try $0.insert(contentsOf: objects) }
  }

  private func check(
    _ isRight: Bool, _ what: @autoclosure () -> String, line: Int = #line
  ) {
    count += 1
    #expect(isRight, "\(what()), case \(line)")
  }

  /// Compares what a query finds with what plain Swift finds.
  private func check(
    _ query: Query<Holder<V>>, _ isMeant: (Holder<V>) -> Bool, line: Int = #line
  ) throws {
    let found = try store.read { try $0.fetch(query) }
    check(found == objects.filter(isMeant), "\(query)", line: line)
    let counted = try store.read { try $0.count(query) }
    check(counted == found.count, "count of \(query)", line: line)
    let readBack = try query.readBack(in: store)
    check(
      try store.read { try $0.fetch(readBack) } == found, "\(query), read back", line: line)
  }

  func runAll() throws {
    try checkReading()
    try runEqualities()
    for _ in 0..<30 { try update() }
    try checkReading()
    try checkTexts()
    try runEqualities()
    try deleteSome()
    try checkReading()
  }

  // MARK: Reading

  private func checkReading() throws {
    check(try store.read { try $0.fetch(Holder<V>.all) } == objects, "all objects")
    let rows = try store.snapshot().rows(Holder<V>.all)
    for (row, object) in zip(rows, objects) {
      #expect(try row.plain == object.plain)
      #expect(try row.optional == object.optional)
      #expect(try row.box == object.box)
      #expect(try row.box.inner.value == object.box.inner.value)
      #expect(try row.optionalBox == object.optionalBox)
      #expect(try row.list == object.list)
      #expect(try row.optionals == object.optionals)
      #expect(try row.set == object.set)
      #expect(try row.dictionary == object.dictionary)
      #expect(try row.boxes == object.boxes)
      #expect(try row.optionalBoxes == object.optionalBoxes)
    }
    check(rows.count == objects.count, "rows")
  }

  // MARK: Comparing

  private func runEqualities() throws {
    let value = Pool.one(pool, &random)
    let other = Pool.one(pool, &random)
    let example = Pool.one(objects, &random)
    try check(.init().where { $0.plain == value }) { $0.plain == value }
    try check(.init().where { $0.plain != value }) { $0.plain != value }
    try check(.init().where { $0.optional == value }) { $0.optional == value }
    try check(.init().where { $0.optional == nil }) { $0.optional == nil }
    try check(.init().where { $0.optional != value }) { $0.optional != value }
    try check(.init().where { $0.indexed == value }) { $0.indexed == value }
    try check(.init().where { $0.indexed == nil }) { $0.indexed == nil }
    try check(.init().where { $0.indexed.in([value, other, nil]) }) {
      [value, other, nil].contains($0.indexed)
    }
    try check(.init().where { $0.plain.in([value, other]) }) { [value, other].contains($0.plain) }
    try check(.init().where { $0.box.value == value }) { $0.box.value == value }
    try check(.init().where { $0.box.inner.value == value }) { $0.box.inner.value == value }
    try check(.init().where { $0.box.optional == nil }) { $0.box.optional == nil }
    try check(.init().where { $0.box.optionalInner.value == value }) {
      $0.box.optionalInner?.value == value
    }
    try check(.init().where { $0.optionalBox.value == value }) { $0.optionalBox?.value == value }
    try check(.init().where { $0.optionalBox.inner.value != value }) {
      $0.optionalBox?.inner.value != value
    }
    try check(.init().where { $0.list == example.list }) { $0.list == example.list }
    try check(.init().where { $0.optionals == example.optionals }) {
      $0.optionals == example.optionals
    }
    try check(.init().where { $0.set == example.set }) { $0.set == example.set }
    try check(.init().where { $0.dictionary == example.dictionary }) {
      $0.dictionary == example.dictionary
    }
    try check(.init().where { $0.boxes == example.boxes }) { $0.boxes == example.boxes }
    try check(.init().where { $0.optionalBoxes == nil }) { $0.optionalBoxes == nil }
  }

  // MARK: Texts

  /// Writes and reads the objects in each form of text, and each as a dictionary.
  private func checkTexts() throws {
    let type = Holder<V>.self
    for var format in [TextFormat.json, .ndjson, .csv] {
      format.refusesUnknownFields = true
      format.dates = random.chance(1, in: 2) ? .iso8601 : .secondsSince2001
      var text: [UInt8] = []
      try store.snapshot().export(type.all, to: TextOutput { text += $0 }, as: format)
      var rest = text[...]
      let pieces = TextInput {
        defer { rest = rest.dropFirst(1000) }
        return rest.isEmpty ? nil : Array(rest.prefix(1000))
      }
      let copy = try Store(.inMemory, models: type)
      let count = try copy.write { try $0.insert(type, from: pieces, as: format) }
      check(count == objects.count, "the number of objects in \(format)")
      let read = try copy.read { try $0.fetch(type.all) }
      let wrong = zip(read, objects).first { $0 != $1 }
      check(read == objects, "the objects in \(format): \(String(describing: wrong))")
    }
    for object in objects.prefix(10) {
      let read = try Holder<V>(dictionary: object.dictionary())
      check(read == object, "the dictionary of \(object)")
    }
  }

  // MARK: Changing

  /// Changes one property of one object, by its key path or as a whole.
  private func update() throws {
    let place = Int.random(in: 0..<objects.count, using: &random)
    let id = objects[place].id
    let new = Holder.random(id, &random, pool)
    let type = Holder<V>.self
    let choice = Int.random(in: 0..<10, using: &random)
    var changed = objects[place]
    try store.write { transaction in
      switch choice {
      case 0:
        changed.plain = new.plain
        try transaction.update(type, id: id, set: \.plain, to: new.plain)
      case 1:
        changed.optional = new.optional
        try transaction.update(type, id: id, set: \.optional, to: new.optional)
      case 2:
        changed.indexed = new.indexed
        try transaction.update(type, id: id, set: \.indexed, to: new.indexed)
      case 3:
        changed.box.value = new.plain
        try transaction.update(type, id: id, set: \.box.value, to: new.plain)
      case 4:
        changed.box = new.box
        try transaction.update(type, id: id, set: \.box, to: new.box)
      case 5:
        changed.optionalBox = new.optionalBox
        try transaction.update(type, id: id, set: \.optionalBox, to: new.optionalBox)
      case 6:
        changed.list = new.list
        try transaction.update(type, id: id, set: \.list, to: new.list)
      case 7:
        changed.box.inner = new.box.inner
        try transaction.update(type, id: id) { $0.box.inner = new.box.inner }
      case 8:
        changed.dictionary = new.dictionary
        changed.optionalBoxes = new.optionalBoxes
        try transaction.update(changed)
      default:
        changed = new
        try transaction.upsert(new)
      }
      let seen = try transaction.fetch(type, id: id)
      #expect(seen == changed, "one's own change \(choice)")
    }
    objects[place] = changed
    check(try store.read { try $0.fetch(type, id: id) } == changed, "change \(choice)")
  }

  private func deleteSome() throws {
    let value = Pool.one(pool, &random)
    let deleted = try store.write { try $0.delete(Holder<V>.where { $0.indexed == value }) }
    check(deleted == objects.count { $0.indexed == value }, "deletions")
    objects.removeAll { $0.indexed == value }
  }
}

extension TypeCases where V: RandomSortable {
  func runOrders() throws {
    let value = Pool.one(pool, &random)
    let isBelow = V.isBelow
    try check(.init().where { $0.plain < value }) { isBelow($0.plain, value) }
    try check(.init().where { $0.plain >= value }) { !isBelow($0.plain, value) }
    try check(.init().where { $0.indexed < value }) {
      $0.indexed.map { isBelow($0, value) } ?? false
    }
    try check(.init().where { $0.indexed >= value }) {
      $0.indexed.map { !isBelow($0, value) } ?? false
    }
    try check(.init().where { $0.box.value > value }) { isBelow(value, $0.box.value) }
    try check(.init().where { $0.optionalBox.value <= value }) {
      $0.optionalBox.map { !isBelow(value, $0.value) } ?? false
    }
    try checkOrder(.init().order(by: \.plain)) { isBelow($0.plain, $1.plain) }
    try checkOrder(.init().order(by: \.plain, descending: true)) { isBelow($1.plain, $0.plain) }
    try checkOrder(.init().order(by: \.box.value).limit(7)) { isBelow($0.box.value, $1.box.value) }
    let isOptionalBelow: (V?, V?) -> Bool = { a, b in
      guard let b else { return false }
      return a.map { isBelow($0, b) } ?? true
    }
    try checkOrder(.init().order(by: \.optional)) { isOptionalBelow($0.optional, $1.optional) }
    try checkOrder(.init().order(by: \.indexed).limit(11)) {
      isOptionalBelow($0.indexed, $1.indexed)
    }
    let least = try store.read { try $0.min(\.plain, of: Holder<V>.all) }
    check(least == objects.map(\.plain).min(by: isBelow), "the lowest value")
    let most = try store.read { try $0.max(\.optional, of: Holder<V>.all) }
    check(most == objects.compactMap(\.optional).max(by: isBelow), "the highest value")
  }

  private func checkOrder(
    _ query: Query<Holder<V>>, line: Int = #line, _ isBelow: (Holder<V>, Holder<V>) -> Bool
  ) throws {
    let found = try store.read { try $0.fetch(query) }
    check(found == Array(objects.sorted(by: isBelow).prefix(found.count)), "\(query)", line: line)
  }

  func runKeys() throws {
    let store = try Store(.inMemory, models: Keyed<V>.self)
    var known: [V: Keyed<V>] = [:]
    for number in 0..<20 {
      let id = Pool.one(pool, &random)
      let object = Keyed(id: id, number: number, next: known.isEmpty ? nil : Link(id: pool[0]))
      let first = Keyed(id: pool[0], number: -1, next: nil)
      try store.write { transaction in
        if known.isEmpty, id != pool[0] {
          try transaction.insert(first)
          known[pool[0]] = first
        }
        if known[id] != nil {
          #expect(throws: StoreError.self) { try transaction.insert(object) }
        }
        try transaction.upsert(object)
      }
      known[id] = object
    }
    for format in [TextFormat.json, .ndjson, .csv] {
      var text: [UInt8] = []
      try store.snapshot().export(Keyed<V>.all, to: TextOutput { text += $0 }, as: format)
      let read = try Keyed<V>.read(from: .bytes(text), as: format)
      check(
        read.count == known.count && read.allSatisfy { known[$0.id] == $0 },
        "the linked objects in \(format)")
    }
    for id in pool {
      let found = try store.read { try $0.fetch(Keyed<V>.self, id: id) }
      check(found == known[id], "the object \(id)")
      let queried = try store.read { try $0.fetch(Keyed<V>.where { $0.id == id }) }
      check(queried == (known[id].map { [$0] } ?? []), "the objects with the id \(id)")
      let following = try store.read { try $0.count(Keyed<V>.where { $0.next == Link(id: id) }) }
      check(following == known.values.count { $0.next?.id == id }, "links to \(id)")
    }
  }
}
