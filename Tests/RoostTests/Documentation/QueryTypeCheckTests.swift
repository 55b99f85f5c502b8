import Testing

/// What makes people leave a query API: conditions that the compiler takes seconds for, or gives up.
@Suite struct QueryTypeCheckTests {
  /// On the machine that the tests were written on, a query of eight terms takes 450 steps at most and 35 to 45 ms; half
  /// a second would be some 6,000. Steps are counted, because a clock tells of the machine.
  private static let scopesMax = 2_000

  @Test func thirtyQueriesOfEightTermsTypeCheckInAFewSteps() throws {
    let terms = [
      "$0.price > 1", "$0.amount == 2", "$0.weight < 3.5", "$0.note == \"x\"", "$0.isPaid == true",
      "$0.id != 7", "$0.price <= 100", "$0.note != nil", "$0.price * $0.amount > 100",
      "$0.customer.name == \"x\"", "$0.customer.born > 1900", "$0.note.contains(\"a\")",
      "$0.weight * 2 > 3", "$0.customer[Customer.orders].count > 3", "$0.id % 2 == 0",
      "$0.note == $0.customer.name", "$0.price != $0.amount", "$0.price + 1 > $0.amount - 2",
      "$0.price.in(3...9)", "$0.note.in([nil, \"y\"])",
      "$0.customer[Customer.orders].contains { $0.price > 3 && $0.amount < 4 }",
      "$0.customer[Customer.orders].where { $0.isPaid == true }.sum { $0.price * $0.amount } > 9",
    ]
    let joints = ["&&", "||"]
    let queries = (0..<30).map { query in
      let parts = (0..<8).map { terms[(query * 5 + $0 * 3) % terms.count] }
      let words = parts.enumerated().map { place, term in
        (place == 0 ? "" : " \(joints[(query + place) % 2]) ") + term
      }
      return "let query\(query) = Order.where { \(words.joined()) }"
    }
    let models = """
      import Roost
      struct Customer: Model {
        let id: Int
        var name: String
        var born: Int?
        static let orders = Inverse(\\Order.customer)
        static let schema = Schema(
          Customer.init, Key("id", \\.id), Field("name", \\.name), Field("born", \\.born))
      }
      struct Order: Model {
        let id: Int
        var customer: Link<Customer>
        var price: Int
        var amount: Int
        var weight: Double
        var note: String?
        var isPaid: Bool
        static let schema = Schema(
          Order.init, Key("id", \\.id), Field("customer", \\.customer), Field("price", \\.price),
          Field("amount", \\.amount), Field("weight", \\.weight), Field("note", \\.note),
          Field("isPaid", \\.isPaid))
      }

      """
    let program = models + queries.joined(separator: "\n")
    let check = try TypeCheck(program, scopesMax: Self.scopesMax)
    #expect(check.errors == [:], "\(check.output)")
    // The limit is one: with a few steps only, the compiler gives up.
    #expect(try TypeCheck(program, scopesMax: 5).errors.isEmpty == false)
  }
}
