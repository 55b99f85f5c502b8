import RoostTestSupport
import Testing

/// What makes people leave a query API: conditions that the compiler takes seconds for, or gives up.
@Suite struct QueryTypeCheckTests {
  /// On the machine that the tests were written on, a query of eight terms takes 450 steps at most and 35 to 45 ms; half
  /// a second would be some 6,000. Steps are counted, because a clock tells of the machine.
  private static let scopesMax = 2_000

  private static let models = """
    import Roost
    struct Customer: Model {
      let id: Int
      var name: String
      var born: Int?
      var isKnown: Bool
      static let orders = Inverse(\\Order.customer)
      static let schema = Schema(
        Customer.init, Key("id", \\.id), Field("name", \\.name), Field("born", \\.born),
        Field("isKnown", \\.isKnown))
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
      "$0.isPaid", "!$0.isPaid", "!($0.isPaid && $0.customer.isKnown)", "!$0.customer.isKnown",
      "$0.customer.orders.contains { $0.isPaid && $0.price > 3 }",
    ]
    let joints = ["&&", "||"]
    let queries = (0..<30).map { query in
      let parts = (0..<8).map { terms[(query * 5 + $0 * 3) % terms.count] }
      let words = parts.enumerated().map { place, term in
        (place == 0 ? "" : " \(joints[(query + place) % 2]) ") + term
      }
      return "let query\(query) = Order.where { \(words.joined()) }"
    }
    let program = Self.models + queries.joined(separator: "\n")
    let check = try TypeCheck(program, scopesMax: Self.scopesMax)
    #expect(check.errors == [:], "\(check.output)")
    // The limit is one: with a few steps only, the compiler gives up.
    #expect(try TypeCheck(program, scopesMax: 5).errors.isEmpty == false)
  }

  private static let mixed =
    "is unavailable: numbers of different types do not mix: use asDouble, asInt or asDecimal"

  /// Each with a part of what the compiler says of it.
  private static let mistakes = [
    ("$0.price > \"x\"", "cannot convert value of type 'QueryValue<Int>'"),
    ("$0.note == 4", "cannot be applied to operands of type 'QueryValue<String?>' and 'Int'"),
    ("$0.prize > 1", "has no dynamic member 'prize'"),
    ("$0.price", "'QueryValue<Int>' to expected argument type 'QueryCondition'"),
    ("$0.note", "'QueryValue<String?>' to expected argument type 'QueryCondition'"),
    ("$0.price > $0.weight", "'>' \(mixed)"),
    ("$0.weight == $0.amount", "'==' \(mixed)"),
    ("$0.price < 2.5", "'<' \(mixed)"),
    ("$0.price * 2.5 > 1", "'*' \(mixed)"),
    ("2.5 * $0.price > 1", "'*' \(mixed)"),
    ("$0.weight + $0.price > 1", "'+' \(mixed)"),
  ]

  @Test(arguments: [0, 3, 7])
  func aMistakeAmongEightTermsIsNamedWhereItIs(_ place: Int) throws {
    var terms = [
      "$0.isPaid", "!$0.customer.isKnown", "$0.weight < 3.5", "$0.isPaid == true",
      "$0.customer.orders.count > 2", "$0.customer.name == \"x\"", "!$0.isPaid",
    ]
    terms.insert("", at: place)
    let queries = Self.mistakes.map { mistake, _ in
      terms[place] = mistake
      return "let query = Order.where { \(terms.joined(separator: " && ")) }"
    }
    for (query, mistake) in zip(queries, Self.mistakes) {
      let check = try TypeCheck(Self.models + query)
      #expect(check.errors.count == 1)
      #expect(check.errors.values.first?.contains(mistake.1) == true, "\(query)\n\(check.output)")
    }
  }
}
