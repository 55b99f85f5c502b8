import FirstRelease
import Foundation
import Testing
import TillData

/// A till in a file of its own. The same tests are run with the data layer for Roost and with that for GRDB.
@Suite struct TillTests {
  let folder: Folder
  let till: Till

  init() throws {
    folder = try Folder()
    till = try Till(path: folder.path)
    try till.updateMenu(Self.lunch)
  }

  static let lunch = """
    [{"id": 2, "name": "Drinks", "position": 2, "items": [
       {"id": 20, "name": "Tea", "price": 300, "modifiers": []}]},
     {"id": 1, "name": "Dishes", "position": 1, "items": [
       {"id": 11, "name": "Stew", "price": 1450, "modifiers": [
         {"id": 111, "name": "large", "price": 300}, {"id": 112, "name": "with rice", "price": 150}]},
       {"id": 10, "name": "Soup", "price": 650, "modifiers": [{"id": 101, "name": "bread", "price": 80}]}]}]
    """

  private func names() throws -> [String] {
    try till.menu().flatMap { section in
      section.items.map { item in
        "\(section.name): \(item.name) \(item.price) \(item.modifiers.map(\.name))"
      }
    }
  }

  @Test func aMenuIsTakenOverInItsOrderWithAllThatIsInIt() throws {
    let menu = try till.menu()
    #expect(menu.map(\.name) == ["Dishes", "Drinks"])
    #expect(
      menu.first?.items == [
        MenuItem(
          id: 10, name: "Soup", price: 650, isFavourite: false,
          modifiers: [MenuModifier(id: 101, name: "bread", price: 80)]),
        MenuItem(
          id: 11, name: "Stew", price: 1450, isFavourite: false,
          modifiers: [
            MenuModifier(id: 111, name: "large", price: 300),
            MenuModifier(id: 112, name: "with rice", price: 150),
          ]),
      ])
    try till.updateMenu(Self.lunch)
    #expect(try till.menu() == menu)
  }

  @Test func membersAndCategoriesThatAMenuDoesNotHaveStayAsTheyAre() throws {
    try till.setFavourite(true, item: 10)
    try till.updateMenu(
      #"[{"id": 1, "items": [{"id": 10, "price": 700}, {"id": 11, "name": "Goulash"}]}]"#)
    #expect(
      try names() == [
        #"Dishes: Soup 700 ["bread"]"#, #"Dishes: Goulash 1450 ["large", "with rice"]"#,
        "Drinks: Tea 300 []",
      ])
    #expect(try till.menu().first?.items.map(\.isFavourite) == [true, false])
  }

  @Test func whatAListDoesNotHaveAnyMoreGoes() throws {
    try till.updateMenu(
      """
      [{"id": 1, "items": [{"id": 11, "modifiers": [{"id": 112}]},
        {"id": 12, "name": "Salad", "price": 900}]},
       {"id": 2, "items": []}]
      """)
    #expect(
      try names() == [#"Dishes: Stew 1450 ["with rice"]"#, "Dishes: Salad 900 []"])
  }

  @Test func anItemThatMovesToAnotherCategoryStaysTheSame() throws {
    try till.setFavourite(true, item: 10)
    try till.updateMenu(
      #"[{"id": 1, "items": [{"id": 11}]}, {"id": 2, "items": [{"id": 10}, {"id": 20}]}]"#)
    #expect(
      try names() == [
        #"Dishes: Stew 1450 ["large", "with rice"]"#, #"Drinks: Soup 650 ["bread"]"#,
        "Drinks: Tea 300 []",
      ])
    #expect(try till.menu().last?.items.map(\.isFavourite) == [true, false])
  }

  @Test(arguments: [
    #"[{"id": 1, "items": [{"id": 10, "price": 1}, {"id": 13, "name": "no price"}]}]"#,
    #"[{"id": 1, "name": "New", "items": [{"id": 10, "price": "free"}]}]"#,
    #"[{"id": 1, "name": "New"}, {"#,
  ])
  func aMenuThatIsWrongSomewhereChangesNothing(_ json: String) throws {
    let menu = try till.menu()
    #expect(throws: (any Error).self) { try till.updateMenu(json) }
    #expect(try till.menu() == menu)
  }

  @Test func anOrderKeepsWhatItsItemsWereCalledAndCost() async throws {
    let id = try till.place(
      [Choice(11, count: 2, with: [111, 112]), Choice(20)], table: "Terrace 4", remark: "quick")
    try till.updateMenu(
      #"[{"id": 1, "items": []}, {"id": 2, "items": [{"id": 20, "price": 999}]}]"#)
    let sent = Sent()
    try await till.sendUnsent { await sent.add($0) }
    let ticket = Ticket(
      id: id, table: "Terrace 4", remark: "quick",
      lines: [
        TicketLine(name: "Stew", price: 1900, count: 2, extras: ["large", "with rice"]),
        TicketLine(name: "Tea", price: 300, count: 1, extras: []),
      ])
    #expect(await sent.tickets == [ticket])
    #expect(ticket.total == 4100)
  }

  @Test func anOrderOfSomethingThatIsNotOnTheMenuIsRefusedAsAWhole() async throws {
    #expect(throws: (any Error).self) { try till.place([Choice(20), Choice(99)], table: "1") }
    let sent = Sent()
    try await till.sendUnsent { await sent.add($0) }
    #expect(await sent.tickets.isEmpty)
    #expect(try till.bestsellers(9).isEmpty)
  }

  @Test func ordersWaitOverARestartAndAreSentOnceTheOldestFirst() async throws {
    for (minute, table) in ["c", "a", "b"].enumerated() {
      try till.place([Choice(20)], table: table, at: Self.noon + Double(60 * minute))
    }
    let restarted = try Till(path: folder.path)
    let sent = Sent(failsAfter: 1)
    await #expect(throws: NoNetwork.self) {
      try await restarted.sendUnsent { try await sent.send($0) }
    }
    #expect(await sent.tickets.map(\.table) == ["c"])
    await sent.recover()
    try await restarted.sendUnsent { try await sent.send($0) }
    try await restarted.sendUnsent { try await sent.send($0) }
    #expect(await sent.tickets.map(\.table) == ["c", "a", "b"])
  }

  @Test func theListOfOrdersThatWaitFollowsThem() async throws {
    var counts = till.unsentCount().makeAsyncIterator()
    var lists = till.unsentTickets().makeAsyncIterator()
    #expect(try await counts.next() == 0)
    #expect(try await lists.next() == [])
    try till.place([Choice(10)], table: "2", at: Self.noon)
    #expect(try await counts.next() == 1)
    #expect(try await lists.next()?.map(\.table) == ["2"])
    try till.place([Choice(20)], table: "1", at: Self.noon - 60)
    #expect(try await counts.next() == 2)
    let waiting = try #require(try await lists.next())
    #expect(waiting.map(\.table) == ["1", "2"])
    #expect(waiting.map { $0.lines.map(\.name) } == [["Tea"], ["Soup"]])
    let sent = Sent(failsAfter: 1)
    try? await till.sendUnsent { try await sent.send($0) }
    #expect(try await counts.next() == 1)
    #expect(try await lists.next()?.map(\.table) == ["2"])
  }

  @Test func bestsellersAreCountedOverAllOrders() throws {
    try till.place([Choice(10, count: 2), Choice(20)], table: "1")
    try till.place([Choice(20, count: 4), Choice(11, count: 3, with: [111])], table: "2")
    #expect(
      try till.bestsellers(2) == [
        Sales(name: "Tea", count: 5, amount: 1500), Sales(name: "Stew", count: 3, amount: 5250),
      ])
  }

  @Test func theSecondReleaseOpensTheFileOfTheFirst() async throws {
    let folder = try Folder()
    let id = try write(FirstTill(path: folder.path))
    let till = try Till(path: folder.path)
    #expect(
      try till.menu() == [
        MenuSection(
          id: 1, name: "Dishes",
          items: [MenuItem(id: 10, name: "Soup", price: 650, isFavourite: false, modifiers: [])])
      ])
    try till.setFavourite(true, item: 10)
    let sent = Sent()
    try await till.sendUnsent { await sent.add($0) }
    #expect(
      await sent.tickets == [
        Ticket(
          id: id, table: "7", remark: "no salt",
          lines: [TicketLine(name: "Soup", price: 650, count: 3, extras: [])])
      ])
  }

  private func write(_ first: FirstTill) throws -> UUID {
    try first.addItem(10, "Soup", price: 650, to: "Dishes")
    return try first.place(10, count: 3, table: 7, note: "no salt", at: Self.noon)
  }

  private static let noon = Date(timeIntervalSince1970: 1_700_000_000)
}

struct NoNetwork: Error {}

/// The kitchen's end of a network that may fail.
actor Sent {
  private(set) var tickets: [Ticket] = []
  private var left: Int?

  init(failsAfter left: Int? = nil) { self.left = left }

  func add(_ ticket: Ticket) { tickets.append(ticket) }

  func send(_ ticket: Ticket) throws {
    guard left != 0 else { throw NoNetwork() }
    left = left.map { $0 - 1 }
    tickets.append(ticket)
  }

  func recover() { left = nil }
}

/// A folder of a test's own, removed with it.
final class Folder: Sendable {
  let url: URL
  var path: String { url.appendingPathComponent("till").path }

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
