import Roost
import RoostQueryText
import Testing

/// Values that are stored as JSON, in queries as texts.
@Suite struct OpaqueTextTests {
  enum Tender: Opaque, Equatable {
    case cash
    case card(number: String)
  }

  struct Label: Opaque, Equatable {
    var text: String
    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  struct Bill: Model {
    let id: Int
    var tender: Tender
    var label: Label?
    static let schema = Schema(
      Bill.init, Key("id", \.id), Field("tender", \.tender), Field("label", \.label))
  }

  private let store: Store

  init() throws {
    store = try Store(.inMemory, models: Bill.self)
    try store.write {
      try $0.insert(contentsOf: [
        Bill(id: 1, tender: .cash, label: Label("new")),
        Bill(id: 2, tender: .card(number: "7"), label: nil),
      ])
    }
  }

  private func ids(_ text: String) throws -> [Int] {
    try store.snapshot().fetch(try Query<Bill>(text, in: store)).map(\.id)
  }

  @Test(arguments: [
    #"Bill where tender == "cash""#, "Bill where tender != cash", #"Bill where label == 'new'"#,
    #"Bill where tender in ['{"cash":{}}', "card"]"#, "Bill where tender == 7",
  ])
  func aTextThatIsNoJSONIsNoValueOfThem(_ text: String) throws {
    let error = #expect(throws: QueryTextError.self) { try ids(text) }
    #expect(error?.message.isEmpty == false)
    guard !text.contains("!=") else { return }
    #expect(
      error?.message.hasSuffix(
        #": these values are stored as the JSON that their Codable code writes, as '{"cash":{}}', or '"cash"' for a text alone; "#
          + "hasPrefix, hasSuffix and contains search in it.") == true, "\(error?.message ?? "")")
  }

  @Test func jsonIsCompared() throws {
    #expect(try ids(#"Bill where tender == '{"cash":{}}'"#) == [1])
    #expect(try ids(#"Bill where tender != '{"cash":{}}'"#) == [2])
    #expect(try ids(#"Bill where label == '"new"'"#) == [1])
    #expect(try ids("Bill where label == nil") == [2])
    #expect(try ids(#"Bill where tender contains '"number":"7"'"#) == [2])
  }

  @Test func aQueryOfAValueIsReadBack() throws {
    for query in [
      Bill.where { $0.tender == .card(number: "7") }, Bill.where { $0.label == Label("new") },
    ] {
      let found = try store.snapshot().fetch(query).map(\.id)
      #expect(found.count == 1)
      #expect(try ids("\(query)") == found)
    }
  }
}
