import Foundation
import Roost
import RoostPredicates
import Testing

/// The kinds of enums with payloads in predicates.
@Suite struct KindPredicateTests {
  fileprivate enum Tender: CaseNamed {
    case cash, card(number: Int), voucher
    enum Kind: String, Codable, Sortable { case cash, card, voucher }
    var kind: Kind {
      switch self {
      case .cash: .cash
      case .card: .card
      case .voucher: .voucher
      }
    }
    var other: Kind { .cash }
  }

  fileprivate struct Slip: Embedded {
    var tender: Tender
    static let fields = Fields(Slip.init, Part("tender", \.tender))
  }

  fileprivate struct Bill: Model {
    let id: Int
    var tender: Tender
    var refund: Tender?
    var slip: Slip?
    static let schema = Schema(
      Bill.init, Key("id", \.id), Field("tender", \.tender), Field("refund", \.refund),
      Field("slip", \.slip))
  }

  private let bills: [Bill]
  private let store: Store

  init() throws {
    let tenders: [Tender] = [.cash, .card(number: 1), .voucher, .card(number: 2)]
    bills = (0..<100).map { id in
      Bill(
        id: id, tender: tenders[id % 4], refund: id % 3 == 0 ? tenders[id / 4 % 4] : nil,
        slip: id % 5 == 0 ? nil : Slip(tender: tenders[id / 3 % 4]))
    }
    store = try Store(.inMemory, models: Bill.self)
    try store.write { [bills] in try $0.insert(contentsOf: bills) }
  }

  private func expect(
    _ predicate: Predicate<Bill>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let query = try Query(predicate)
    let found = try store.snapshot().fetch(query.order(by: \.id))
    let expected = try bills.filter { try predicate.evaluate($0) }
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  @Test func aPredicateAsksForTheKind() throws {
    let card = Tender.Kind.card
    let kinds: [Tender.Kind] = [.cash, .voucher]
    let none: Tender.Kind? = nil
    try expect(#Predicate { $0.tender.kind == card })
    try expect(#Predicate { $0.tender.kind != card && $0.id > 20 })
    try expect(#Predicate { kinds.contains($0.tender.kind) })
    try expect(#Predicate { $0.refund?.kind == card })
    try expect(#Predicate { $0.refund?.kind != card })
    try expect(#Predicate { $0.refund?.kind == none })
    try expect(#Predicate { $0.slip?.tender.kind == card })
  }

  @Test func anotherPropertyOfTheKindsTypeIsRefused() throws {
    let card = Tender.Kind.card
    #expect(throws: StoreError.self) { try Query<Bill>(#Predicate { $0.tender.other == card }) }
  }
}
