import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Testing

/// Kinds of values in files that were written without them.
@Suite struct KindMigrationTests {
  private static let steps = MigrationPlan {
    MigrationStep("kinds", .compatible) {
      try $0.addKind(of: "payment", in: "Sale", as: Tender.self)
      try $0.addKind(of: "refund", in: "Sale", as: Tender.self)
      try $0.addKind(of: "packet.weight", in: "Sale", as: Weight.self)
      try $0.addKind(of: "packet.deposit", in: "Sale", as: Tender.self)
      try $0.addKind(of: "sample.weight", in: "Sale", as: Weight.self)
      try $0.addKind(of: "sample.deposit", in: "Sale", as: Tender.self)
    }
  }

  private static func open(_ path: String, _ plan: MigrationPlan = steps) throws -> Store {
    try Store(.file(path), models: Sale.self) { plan }
  }

  private static func sales(_ count: Int, seed: UInt64 = 3) -> [Int: Sale] {
    var random = SeededGenerator(seed: seed)
    var sales: [Int: Sale] = [:]
    for id in 0..<count {
      sales[id] = Sale.random(id, &random)
      sales[id]?.earlier = nil
    }
    return sales
  }

  private static func withOldFile(
    _ sales: [Int: Sale], _ body: (String) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/sales.roost"
      do {
        let store = try Store(.file(path), models: Unkinded.Sale.self)
        try store.write { tx in
          for sale in sales.values { try tx.insert(sale.unkinded) }
        }
      }
      try body(path)
    }
  }

  @Test func aFileWithoutKindsAsksForTheStepThatAddsThem() throws {
    let sales = Self.sales(1500)
    try Self.withOldFile(sales) { path in
      let error = #expect(throws: StoreError.self) { _ = try Self.open(path, MigrationPlan()) }
      guard case .migrationRequired(let differences) = error else { return }
      #expect(
        differences == [
          .missingKind(model: "Sale", field: "payment", declared: "Tender"),
          .missingKind(model: "Sale", field: "refund", declared: "Tender"),
          .missingKind(model: "Sale", field: "packet.weight", declared: "Weight"),
          .missingKind(model: "Sale", field: "packet.deposit", declared: "Tender"),
          .missingKind(model: "Sale", field: "sample.weight", declared: "Weight"),
          .missingKind(model: "Sale", field: "sample.deposit", declared: "Tender"),
        ])
      #expect(
        differences.first?.step == """
          MigrationStep("kinds of Sale.payment", .compatible) {
            try $0.addKind(of: "payment", in: "Sale", as: Tender.self)
          }
          """)
      #expect(
        differences.first?.description
          == "Sale.payment is declared as Tender, and the file does not have the kinds of its values."
      )
      try Self.steps.validate(models: Sale.self)
      try KindOracle.check(try Self.open(path), sales)
      // The step is behind the file.
      try KindOracle.check(try Self.open(path), sales)
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func aReleaseWithoutKindsWritesBetween(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var sales = Self.sales(60, seed: seed)
    try Self.withOldFile(sales) { path in
      for _ in 0..<8 {
        try KindOracle.check(try Self.open(path), sales)
        do {
          let store = try Store(.file(path), models: Unkinded.Sale.self)
          try store.write { tx in
            for _ in 0..<Int.random(in: 1..<12, using: &random) {
              try Self.writeUnkinded(&sales, to: tx, &random)
            }
          }
          #expect(try store.verify() == [])
        }
        if Bool.random(using: &random) {
          try KindOracle.check(try Self.open(path), sales)
          let store = try Self.open(path)
          try store.write { tx in
            for _ in 0..<5 {
              let id = Int.random(in: 0..<80, using: &random)
              var sale = Sale.random(id, &random)
              sale.earlier = nil
              try tx.upsert(sale)
              sales[id] = sale
            }
          }
        }
      }
    }
  }

  /// Writes as the release without kinds does.
  private static func writeUnkinded(
    _ sales: inout [Int: Sale], to tx: WriteTransaction, _ random: inout SeededGenerator
  ) throws {
    let id = Int.random(in: 0..<80, using: &random)
    var made = Sale.random(id, &random)
    made.earlier = nil
    let old = try made.unkinded
    let exists = sales[id] != nil
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      try tx.upsert(old)
      sales[id] = made
    case 2:
      guard exists else { return }
      try tx.update(Unkinded.Sale.self, id: id, set: \.note, to: "changed")
      sales[id]?.note = "changed"
    case 3:
      guard exists else { return }
      try tx.update(Unkinded.Sale.self, id: id) {
        $0.note = made.note
        $0.refund = old.refund
      }
      sales[id]?.note = made.note
      sales[id]?.refund = made.refund
    case 4:
      guard exists else { return }
      try tx.update(Unkinded.Sale.self, id: id, set: \.payment, to: old.payment)
      try tx.update(Unkinded.Sale.self, id: id, set: \.sample, to: old.sample)
      sales[id]?.payment = made.payment
      sales[id]?.sample = made.sample
    case 5:
      try tx.update(
        Unkinded.Sale.where { $0.id < id }, set: \.payment, to: { $0.refund ?? $0.payment })
      for (other, sale) in sales where other < id {
        sales[other]?.payment = sale.refund ?? sale.payment
      }
    case 6:
      // What is undone is not noted, and is noted when it is done again.
      try? tx.savepoint {
        try tx.update(Unkinded.Sale.all, set: \.payment, to: old.payment)
        throw CancellationError()
      }
    default:
      try tx.update(
        Unkinded.Sale.where { $0.id > id }, set: \.packet.deposit, to: old.packet.deposit)
      for other in sales.keys where other > id {
        sales[other]?.packet.deposit = made.packet.deposit
      }
    }
  }

  @Test func onlyKindsOfChangedValuesAreForgotten() throws {
    let sales = Self.sales(50)
    try Self.withOldFile(sales) { path in
      _ = try Self.open(path)
      do {
        let store = try Store(.file(path), models: Unkinded.Sale.self)
        try store.write { tx in
          try tx.update(Unkinded.Sale.self, id: 1) { $0.note = "other" }
          try tx.update(Unkinded.Sale.self, id: 2) {
            $0.payment = $0.payment == .cash ? .voucher([]) : .cash
          }
        }
      }
      let snapshot = try Engine.open(path).snapshot()
      let table = try #require(snapshot.catalog.table(named: "Sale"))
      let kind = try #require(table.field(named: "payment.kind"))
      #expect(kind.lacksKinds && kind.isOptional)
      #expect(try snapshot.view.nullCount(of: kind.id, in: table.id) == 1)
    }
  }

  @Test func aReadOnlyStoreDoesNotOpenWhileKindsAreUnknown() throws {
    try Self.withOldFile(Self.sales(20)) { path in
      _ = try Self.open(path)
      do {
        let store = try Store(.file(path), models: Unkinded.Sale.self)
        try store.write {
          try $0.update(Unkinded.Sale.self, id: 1, set: \.payment, to: .voucher(["x"]))
        }
      }
      var configuration = Configuration()
      configuration.isReadOnly = true
      func openReadOnly() throws -> Store {
        try Store(.file(path), models: Sale.self, configuration: configuration) { Self.steps }
      }
      #expect(
        throws: StoreError.migrationRequired([
          .pendingChange(model: "Sale", field: "payment.kind")
        ])
      ) { _ = try openReadOnly() }
      _ = try Self.open(path)
      let count = try openReadOnly().read {
        try $0.count(Sale.where { $0.payment.kind == .voucher && $0.id == 1 })
      }
      #expect(count == 1)
    }
  }

  @Test func aStoreThatIsOpenMeanwhileSeesTheValues() throws {
    let sales = Self.sales(20)
    try Self.withOldFile(sales) { path in
      let store = try Self.open(path)
      let old = try Store(.file(path), models: Unkinded.Sale.self)
      try old.write {
        try $0.update(Unkinded.Sale.self, id: 1, set: \.payment, to: .voucher(["x"]))
      }
      #expect(try store.snapshot().find(Sale.self, id: 1).payment == .voucher(["x"]))
      try store.write { try $0.update(Sale.self, id: 1) { $0.note = "seen" } }
      var changed = sales
      changed[1]?.payment = .voucher(["x"])
      changed[1]?.note = "seen"
      try KindOracle.check(try Self.open(path), changed)
    }
  }

  // MARK: Steps

  /// The next release: other kinds, and another type that gets kinds.
  private enum Next {
    enum Tender: CaseNamed {
      case cash, card(number: String, months: Int), voucher([String])
      enum Kind: Int, Sortable { case cash = 1, other = 2 }
      var kind: Kind { self == .cash ? .cash : .other }
    }

    struct Sale: Model {
      let id: Int
      var note: Tender
      var payment: Tender
      var refund: Tender
      var first: Tender
      var second: Tender?
      static let schema = Schema(
        Sale.init, Key("id", \.id), Field("note", \.note), Field("payment", \.payment),
        Field("refund", \.refund), Field("first", \.first), Field("second", \.second))
    }
  }

  @Test func stepsKeepTheKindsOfWhatTheyChange() throws {
    let sales = Self.sales(300)
    try Self.withOldFile(sales) { path in
      _ = try Self.open(path)
      let plan = MigrationPlan {
        Self.steps
        MigrationStep("next") {
          try $0.add("first", to: "Sale", default: Next.Tender.voucher([]))
          try $0.copy("refund", of: "Sale", to: "again")
          try $0.rename("again", of: "Sale", to: "second")
          try $0.convert("note", of: "Sale", from: String.self, to: Next.Tender.self) {
            .card(number: $0, months: 1)
          }
          try $0.addKind(of: "payment", in: "Sale", as: Next.Tender.self)
          try $0.addKind(of: "second", in: "Sale", as: Next.Tender.self)
          try $0.addKind(of: "refund", in: "Sale", as: Next.Tender.self)
          try $0.makeRequired("refund", of: "Sale", default: Next.Tender.cash)
          try $0.rewrite("Sale") { old, new in
            if try old.value("id", as: Int.self) % 2 == 0 {
              try new.set("payment", to: Next.Tender.voucher(["even"]))
            }
            // A type without kinds: they are found when the store opens.
            if try old.value("id", as: Int.self) % 3 == 0 {
              try new.set("first", to: Unkinded.Tender.cash)
            }
          }
          try $0.insert(into: "Sale") {
            try $0.set("id", to: 1000)
            try $0.set("note", to: Next.Tender.cash)
            try $0.set("payment", to: Unkinded.Tender.cash)
            try $0.set("refund", to: Next.Tender.voucher([]))
            for field in ["weight", "deposit"] { try $0.set("packet.\(field)", to: Weight.nothing) }
          }
        }
      }
      let store = try Store(.file(path), models: Next.Sale.self) { plan }
      let snapshot = store.snapshot()
      let all = try snapshot.fetch(Next.Sale.all)
      #expect(all.count == sales.count + 1)
      for sale in all {
        let kinds = try snapshot.fetch(
          Next.Sale.where {
            $0.id == sale.id && $0.note.kind == sale.note.kind
              && $0.payment.kind == sale.payment.kind
              && $0.refund.kind == sale.refund.kind && $0.first.kind == sale.first.kind
          })
        #expect(kinds == [sale])
        let second = try snapshot.values(
          of: Next.Sale.where { $0.id == sale.id }, { $0.second.kind.orNil })
        #expect(second == [sale.second?.kind])
        guard let old = sales[sale.id] else { continue }
        #expect(sale.note == .card(number: old.note, months: 1))
        #expect(sale.second == (try old.refund.map { try unkinded($0, as: Next.Tender.self) }))
        if sale.id % 2 == 0 { #expect(sale.payment == .voucher(["even"])) }
        #expect(sale.first == (sale.id % 3 == 0 ? .cash : .voucher([])))
      }
      #expect(try store.verify() == [])
      let catalog = try Engine.open(path).snapshot().catalog
      let table = try #require(catalog.table(named: "Sale"))
      for name in ["note", "payment", "refund", "first"] {
        let kind = try #require(table.field(named: name + ".kind"))
        #expect(!kind.isOptional && !kind.lacksKinds, "\(name)")
      }
    }
  }

  @Test func aFieldThatHasNoKindsAnyMoreLosesThem() throws {
    try Self.withOldFile(Self.sales(20)) { path in
      _ = try Self.open(path)
      let plan = MigrationPlan {
        Self.steps
        MigrationStep("texts") {
          try $0.convert("payment", of: "Sale", from: Tender.self, to: String.self) { "\($0)" }
          try $0.remove("refund", of: "Sale")
        }
      }
      _ = try Store(.file(path), models: Noted.self) { plan }
      let table = try #require(Engine.open(path).snapshot().catalog.table(named: "Sale"))
      #expect(table.field(named: "payment")?.type == .string)
      #expect(!table.fields.contains { $0.name == "payment.kind" || $0.name.hasPrefix("refund") })
    }
  }

  private struct Noted: Model {
    let id: Int
    static let schema = Schema(Noted.init, Key("id", \.id))
  }

  /// A release that knows fewer cases than wrote the file.
  private enum Narrow {
    enum Tender: CaseNamed {
      case cash, card(number: String, months: Int)
      enum Kind: String, Sortable { case cash, card }
      var kind: Kind { self == .cash ? .cash : .card }
    }

    struct Sale: Model {
      let id: Int
      var payment: Tender
      static let schema = Schema(
        Sale.init, Key("id", \.id), Field("payment", \.payment))
    }
  }

  @Test func aValueThatTheTypeDoesNotKnowFailsTheStepAndOtherwiseHasNoKind() throws {
    var sales = Self.sales(20)
    for id in 0..<20 { sales[id]?.payment = id == 7 ? .voucher(["x"]) : .cash }
    try Self.withOldFile(sales) { path in
      let plan = MigrationPlan {
        MigrationStep("kinds") {
          try $0.addKind(of: "payment", in: "Sale", as: Narrow.Tender.self)
        }
      }
      let error = #expect(throws: StoreError.self) {
        _ = try Store(.file(path), models: Narrow.Sale.self) { plan }
      }
      guard case .migrationFailed(let failure) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(failure.model == "Sale" && failure.id == "7" && failure.field == "payment")
      _ = try Self.open(path)
      do {
        let store = try Store(.file(path), models: Unkinded.Sale.self)
        try store.write {
          try $0.update(
            Unkinded.Sale.where { $0.id.in([7, 8]) }, set: \.payment, to: .voucher(["y"]))
          try $0.update(Unkinded.Sale.self, id: 9, set: \.payment, to: .voucher([]))
          try $0.update(Unkinded.Sale.self, id: 9, set: \.payment, to: .cash)
        }
      }
      for _ in 0..<2 {
        let store = try Store(.file(path), models: Narrow.Sale.self) { Self.steps }
        let cash = try store.snapshot().fetch(Narrow.Sale.where { $0.payment.kind == .cash })
        #expect(cash.map(\.id).sorted() == (0..<20).filter { $0 != 7 && $0 != 8 })
      }
      sales[8]?.payment = .voucher(["y"])
      sales[7]?.payment = .voucher(["y"])
      try KindOracle.check(try Self.open(path), sales)
    }
  }
}
