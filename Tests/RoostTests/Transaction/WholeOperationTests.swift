import Roost
import RoostInterchange
import RoostTestSupport
import Testing

private struct Refusal: Error, Equatable {}

/// Operations over many objects are done as a whole or not at all: against a dictionary.
@Suite struct WholeOperationTests {
  fileprivate struct Shelf: Model {
    let id: Int
    var name: String
    static let schema = Schema(Shelf.init, Key("id", \.id), Field("name", \.name))
  }

  /// A price refuses to be encoded where it is below zero.
  fileprivate struct Price: Opaque, Hashable, ExpressibleByIntegerLiteral {
    var cents: Int

    private enum CodingKeys: CodingKey { case cents }

    init(cents: Int) { self.cents = cents }

    init(integerLiteral cents: Int) { self.cents = cents }

    init(from decoder: any Decoder) throws {
      cents = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .cents)
    }

    func encode(to encoder: any Encoder) throws {
      guard cents >= 0 else { throw Refusal() }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(cents, forKey: .cents)
    }
  }

  fileprivate struct Ware: WareModel {
    let id: Int
    var code: String
    var name: String
    var price: Price
    var stock: Int16
    var shelf: Link<Shelf>?
    var note: String
    static let schema = Schema(
      Ware.init, Key("id", \.id), Field("code", \.code, .unique), Field("name", \.name, .indexed),
      Field("price", \.price), Field("stock", \.stock),
      Field("shelf", \.shelf, .onTargetDelete(.nullify)), Field("note", \.note))

    static func id(_ number: Int) -> Int { number &* 7919 % 1_000_003 }

    static func named(_ name: String) -> Query<Self> { Self.where { $0.name == name } }
    static func named(from name: String) -> Query<Self> { Self.where { $0.name >= name } }
    static func set(note: String, of id: ID, in tx: WriteTransaction) throws {
      try tx.update(Self.self, id: id, set: \.note, to: note)
    }
    static func set(code: String, in tx: WriteTransaction) throws {
      try tx.update(Self.all, set: \.code, to: code)
    }
    static func add(stock: Int16, in tx: WriteTransaction) throws {
      try tx.update(Self.all, set: \.stock, to: { $0.stock + stock })
    }
  }

  /// The same with an id that is not its object's key.
  fileprivate struct NamedWare: WareModel {
    let id: String
    var code: String
    var name: String
    var price: Price
    var stock: Int16
    var shelf: Link<Shelf>?
    var note: String
    static let schema = Schema(
      NamedWare.init, Key("id", \.id), Field("code", \.code, .unique),
      Field("name", \.name, .indexed), Field("price", \.price), Field("stock", \.stock),
      Field("shelf", \.shelf, .onTargetDelete(.nullify)), Field("note", \.note))

    static func id(_ number: Int) -> String { "ware \(number)" }

    static func named(_ name: String) -> Query<Self> { Self.where { $0.name == name } }
    static func named(from name: String) -> Query<Self> { Self.where { $0.name >= name } }
    static func set(note: String, of id: ID, in tx: WriteTransaction) throws {
      try tx.update(Self.self, id: id, set: \.note, to: note)
    }
    static func set(code: String, in tx: WriteTransaction) throws {
      try tx.update(Self.all, set: \.code, to: code)
    }
    static func add(stock: Int16, in tx: WriteTransaction) throws {
      try tx.update(Self.all, set: \.stock, to: { $0.stock + stock })
    }
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func anOperationThatThrowsChangesNothing(seed: UInt64) throws {
    var run = try Run<Ware>(seed)
    for _ in 0..<4 { try run.transaction() }
    #expect(run.failures > 8)
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func anOperationThatThrowsChangesNothingWhereIDsAreTexts(seed: UInt64) throws {
    var run = try Run<NamedWare>(seed)
    for _ in 0..<4 { try run.transaction() }
    #expect(run.failures > 8)
  }

  @Test(arguments: [false, true])
  func aLargeOperationIsUndoneWhole(replaces: Bool) throws {
    let store = try Store(.inMemory, models: Ware.self, NamedWare.self, Shelf.self)
    let note = String(repeating: "a note ", count: 100)
    func ware(_ id: Int, _ name: String) -> Ware {
      Ware(
        id: id, code: "\(id)", name: name, price: 1, stock: 1, shelf: nil, note: note + name)
    }
    let old = (0..<30_000).map { ware($0, "old") }
    try store.write { (tx) throws in
      try tx.insert(contentsOf: old[..<20_000])
      try tx.insert(contentsOf: old[20_000...])
      // More than is gathered at a time.
      let range = replaces ? 0..<60_000 : 30_000..<90_000
      let new = range.lazy.map { ware($0 == range.upperBound - 1 ? -1 : $0, "new") }
      let bad = [Ware(id: 99_999, code: "7", name: "", price: 1, stock: 1, shelf: nil, note: "")]
      #expect(throws: StoreError.duplicateKey(model: "Ware", field: "code", value: "7")) {
        if replaces {
          try tx.upsert(contentsOf: Array(new) + bad)
        } else {
          try tx.insert(contentsOf: Array(new) + bad)
        }
      }
      #expect(try tx.fetch(Ware.all) == old)
      #expect(try tx.count(Ware.where { $0.name == "new" }) == 0)
    }
    #expect(try store.snapshot().fetch(Ware.all) == old)
    #expect(try store.verify() == [])
  }

  @Test func whatTheElementsOfASequenceDoInTheTransactionIsUndoneToo() throws {
    let store = try Store(.inMemory, models: Ware.self, NamedWare.self, Shelf.self)
    try store.write { (tx) throws in
      try tx.insert(contentsOf: (0..<9).map { Shelf(id: $0, name: "shelf") })
      let wares = (0..<3000).lazy.map { (number: Int) -> Ware in
        if number == 100 { _ = try? tx.insert(Shelf(id: 100, name: "new")) }
        if number == 200 { _ = try? tx.delete(Shelf.self, id: 3) }
        if number == 300 { try? tx.update(Shelf.self, id: 4, set: \.name, to: "changed") }
        if number == 400 {
          try? tx.insert(contentsOf: [Shelf(id: 101, name: "new"), Shelf(id: 0, name: "again")])
          #expect((try? tx.contains(Shelf.self, id: 101)) == false)
        }
        if number == 500 { try? tx.setValue("seen", to: number) }
        return Ware.made(number, code: number == 2900 ? 5 : number)
      }
      #expect(throws: StoreError.duplicateKey(model: "Ware", field: "code", value: "5")) {
        try tx.insert(contentsOf: wares)
      }
      #expect(try tx.fetch(Shelf.all) == (0..<9).map { Shelf(id: $0, name: "shelf") })
      #expect(try tx.count(Ware.all) == 0)
      #expect(try tx.value("seen", as: Int.self) == nil)
      // It goes on.
      try tx.insert(contentsOf: (0..<3000).map { Ware.made($0, code: $0) })
    }
    #expect(try store.snapshot().count(Ware.all) == 3000)
    #expect(try store.verify() == [])
  }
}

private protocol WareModel: Model {
  init(
    id: ID, code: String, name: String, price: WholeOperationTests.Price, stock: Int16,
    shelf: Link<WholeOperationTests.Shelf>?, note: String)
  var code: String { get set }
  var name: String { get set }
  var price: WholeOperationTests.Price { get set }
  var stock: Int16 { get set }
  var shelf: Link<WholeOperationTests.Shelf>? { get set }
  var note: String { get set }
  static func id(_ number: Int) -> ID
  static func named(_ name: String) -> Query<Self>
  static func named(from name: String) -> Query<Self>
  static func set(note: String, of id: ID, in tx: WriteTransaction) throws
  static func set(code: String, in tx: WriteTransaction) throws
  static func add(stock: Int16, in tx: WriteTransaction) throws
}

extension WareModel {
  fileprivate static func made(_ number: Int, code: Int) -> Self {
    Self(
      id: id(number), code: "\(code)", name: "name \(number % 50)", price: 1, stock: 1, shelf: nil,
      note: "")
  }
}

/// A store and a dictionary that the same is done to.
private struct Run<M: WareModel> where M.ID: Comparable {
  typealias Shelf = WholeOperationTests.Shelf

  private let store: Store
  private var random: SeededGenerator
  private var wares: [M.ID: M] = [:]
  private var shelves: Set<Int> = Set(0..<20)
  private var nextNumber = 0
  private(set) var failures = 0

  init(_ seed: UInt64) throws {
    random = SeededGenerator(seed: seed &+ 700)
    store = try Store(
      .inMemory, models: WholeOperationTests.Ware.self, WholeOperationTests.NamedWare.self,
      Shelf.self)
    let shelves = shelves.map { Shelf(id: $0, name: "shelf \($0)") }
    try store.write { try $0.insert(contentsOf: shelves) }
  }

  /// What can be wrong in the middle of a batch.
  private enum Fault: CaseIterable {
    case key, code, long, price
  }

  mutating func transaction() throws {
    let before = (wares, shelves)
    var next = self
    // A link that leads nowhere is an error of the end only.
    let dangles = next.random.chance(1, in: 4)
    do {
      try store.write { tx in
        for _ in 0..<8 {
          try next.few(tx)
          try next.operation(tx)
          if next.random.chance(1, in: 3) { try next.compare(tx) }
        }
        if dangles {
          var ware = next.ware(next.number())
          ware.shelf = Link(id: 5000)
          try tx.insert(contentsOf: [ware])
        }
      }
      #expect(!dangles)
    } catch StoreError.danglingLink where dangles {
      (next.wares, next.shelves) = before
    }
    self = next
    try store.read { try compare($0) }
    #expect(try store.verify() == [])
  }

  private func compare(_ reader: some ObjectReader) throws {
    let found = try reader.fetch(M.all)
    #expect(found.count == wares.count)
    #expect(found.allSatisfy { wares[$0.id] == $0 })
    let name = "name \(found.count % 50)"
    let named = wares.values.filter { $0.name == name }
    #expect(try reader.count(M.named(name)) == named.count)
    #expect(try Set(reader.fetch(Shelf.all).map(\.id)) == shelves)
  }

  /// Some changes that wait when the operation begins.
  private mutating func few(_ tx: WriteTransaction) throws {
    for _ in 0..<Int.random(in: 0..<20, using: &random) {
      let new = ware(number())
      try tx.insert(new)
      wares[new.id] = new
      guard let id = stored()?.id else { continue }
      if random.chance(1, in: 3) {
        try tx.delete(M.self, id: id)
        wares[id] = nil
      } else {
        try M.set(note: "few", of: id, in: tx)
        wares[id]?.note = "few"
      }
    }
    if random.chance(1, in: 3), let shelf = shelves.sorted().randomElement(using: &random) {
      try tx.delete(Shelf.self, id: shelf)
      shelves.remove(shelf)
      for (id, ware) in wares where ware.shelf?.id == shelf { wares[id]?.shelf = nil }
    }
  }

  private mutating func operation(_ tx: WriteTransaction) throws {
    let fails = random.chance(2, in: 3)
    switch Int.random(in: 0..<7, using: &random) {
    case 0: try insert(tx, fails)
    case 1: try upsert(tx, fails)
    case 2: try replaceAll(tx, fails)
    case 3: try read(tx, fails)
    case 4: try change(tx, fails)
    case 5: try calculate(tx, fails)
    default:
      let name = "name \(Int.random(in: 0..<50, using: &random))"
      let gone = wares.values.filter { $0.name == name }.map(\.id)
      #expect(try tx.delete(M.named(name)) == gone.count)
      for id in gone { wares[id] = nil }
    }
  }

  private mutating func insert(_ tx: WriteTransaction, _ fails: Bool) throws {
    let batch = makeBatch(
      fails ? Fault.allCases.randomElement(using: &random) : nil, existing: false)
    try expect(fails) { try tx.insert(contentsOf: batch) }
    if !fails { keep(batch) }
  }

  private mutating func upsert(_ tx: WriteTransaction, _ fails: Bool) throws {
    let faults: [Fault] = [.code, .long, .price]
    let batch = makeBatch(fails ? faults.randomElement(using: &random) : nil, existing: true)
    let isLazy = random.chance(1, in: 2)
    try expect(fails) {
      if isLazy {
        try tx.upsert(contentsOf: batch.lazy.map { $0 })
      } else {
        try tx.upsert(contentsOf: batch)
      }
    }
    if !fails { keep(batch) }
  }

  private mutating func replaceAll(_ tx: WriteTransaction, _ fails: Bool) throws {
    let faults: [Fault] = [.code, .long, .price]
    let name = "name \(Int.random(in: 0..<50, using: &random))"
    let batch = makeBatch(fails ? faults.randomElement(using: &random) : nil, existing: true)
    try expect(fails) { try tx.replaceAll(batch, of: M.named(name)) }
    guard !fails else { return }
    let given = Set(batch.map(\.id))
    for (id, ware) in wares where ware.name == name && !given.contains(id) { wares[id] = nil }
    keep(batch)
  }

  /// Objects of a text that ends too early.
  private mutating func read(_ tx: WriteTransaction, _ fails: Bool) throws {
    let batch = Array(makeBatch(nil, existing: true).prefix(1500))
    var bytes: [UInt8] = []
    try M.write(batch, to: TextOutput { bytes += $0 }, as: .ndjson)
    if fails { bytes.removeLast(8) }
    var text = String(decoding: bytes, as: UTF8.self)
    if fails { text += "}" }
    try expect(fails) { try tx.upsert(M.self, from: .text(text), as: .ndjson) }
    if !fails { keep(batch) }
  }

  private mutating func change(_ tx: WriteTransaction, _ fails: Bool) throws {
    let name = "name \(Int.random(in: 0..<50, using: &random))"
    let ids = wares.values.filter { $0.name >= name }.map(\.id).sorted()
    guard ids.count > 1 else { return }
    let place = Int.random(in: ids.count / 2..<ids.count, using: &random)
    let fault = Int.random(in: 0..<4, using: &random)
    let text = "changed \(random.next() % 100)"
    var changed: [M] = []
    try expect(fails) {
      try tx.update(M.named(from: name)) { ware in
        ware.note = text
        ware.stock = 3
        changed.append(ware)
        guard fails, changed.count == place + 1 else { return }
        switch fault {
        case 0: ware.code = String(repeating: "c", count: 2000)
        case 1: ware.code = changed[0].code
        case 2: ware.price = -1
        default: throw Refusal()
        }
      }
    }
    if !fails { keep(changed) }
  }

  /// One expression for all, of which one object has no room.
  private mutating func calculate(_ tx: WriteTransaction, _ fails: Bool) throws {
    guard wares.count > 1 else { return }
    if fails, random.chance(1, in: 2) {
      try expect(true) { try M.set(code: "the same", in: tx) }
      return
    }
    let most = wares.values.map(\.stock).max() ?? 0
    let step = fails ? Int(Int16.max) - Int(most) + 1 : 1
    guard fails || most < .max else { return }
    try expect(fails) { try M.add(stock: Int16(step), in: tx) }
    if !fails { for id in wares.keys { wares[id]?.stock += 1 } }
  }

  private mutating func expect(_ fails: Bool, _ body: () throws -> Void) throws {
    do {
      try body()
      #expect(!fails)
    } catch let error as StoreError where fails {
      failures += 1
      switch error {
      case .duplicateKey, .valueTooLong, .unencodable, .malformedText, .overflowInUpdate: break
      default: Issue.record(error)
      }
    } catch is Refusal where fails { failures += 1 }
  }

  private mutating func keep(_ batch: [M]) {
    for ware in batch { wares[ware.id] = ware }
  }

  /// An object that is there; nil where none is found soon.
  private mutating func stored() -> M? {
    for _ in 0..<20 where nextNumber > 0 {
      if let ware = wares[M.id(Int.random(in: 1...nextNumber, using: &random))] { return ware }
    }
    return nil
  }

  private mutating func number() -> Int {
    nextNumber += 1
    return nextNumber
  }

  private mutating func ware(_ number: Int) -> M {
    let length = random.chance(1, in: 300) ? 30_000 : Int.random(in: 0..<60, using: &random)
    return M(
      id: M.id(number), code: "\(number)", name: "name \(Int.random(in: 0..<50, using: &random))",
      price: WholeOperationTests.Price(cents: number), stock: 1,
      shelf: random.chance(1, in: 2)
        ? shelves.sorted().randomElement(using: &random).map { Link(id: $0) } : nil,
      note: String(repeating: "n", count: length))
  }

  /// Several thousand objects, of which one in the middle cannot be stored.
  private mutating func makeBatch(_ fault: Fault?, existing: Bool) -> [M] {
    var batch: [M] = []
    if existing {
      for old in wares.values.sorted(by: { $0.id < $1.id }) where random.chance(1, in: 5) {
        var ware = old
        ware.name = "name \(Int.random(in: 0..<50, using: &random))"
        ware.note = random.chance(1, in: 100) ? String(repeating: "long", count: 9000) : "new"
        batch.append(ware)
      }
    }
    for _ in 0..<Int.random(in: 1500..<3500, using: &random) { batch.append(ware(number())) }
    batch.shuffle(using: &random)
    guard let fault else { return batch }
    // A link that leads nowhere is undone with the rest.
    batch[0].shelf = Link(id: 4000 + Int.random(in: 0..<9, using: &random))
    var bad = ware(number())
    let other = batch[Int.random(in: 0..<batch.count, using: &random)]
    let stored = existing ? nil : stored()
    switch fault {
    case .key:
      bad = M(
        id: (stored ?? other).id, code: bad.code, name: "", price: 1, stock: 1, shelf: nil,
        note: "")
    case .code: bad.code = (stored ?? other).code
    case .long: bad.code = String(repeating: "c", count: 2000)
    case .price: bad.price = -1
    }
    batch.insert(bad, at: Int.random(in: batch.count / 2..<batch.count, using: &random))
    return batch
  }
}
