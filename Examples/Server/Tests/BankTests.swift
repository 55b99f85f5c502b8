import Bank
import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

/// The server's answers, as a client sees them.
@Suite struct BankTests {
  struct Account: Codable, Equatable {
    var id: Int?
    var owner: String
    var balance: Int
  }

  struct Transfer: Codable, Equatable {
    var id: Int?
    var from: Int
    var to: Int
    var amount: Int
  }

  struct Total: Codable, Equatable {
    var accounts: Int
    var transfers: Int
    var balance: Int
  }

  /// Accounts 1, 2, … with a thousand each.
  private func open(_ count: Int, by client: any TestClientProtocol) async throws {
    for number in 1...count {
      let account = Account(owner: "owner \(number)", balance: 1000)
      let answer = try await post("/accounts", account, by: client)
      #expect(answer.status == .created)
    }
  }

  private func post(
    _ uri: String, _ body: some Encodable, by client: any TestClientProtocol
  ) async throws -> TestResponse {
    let bytes = ByteBuffer(data: try JSONEncoder().encode(body))
    return try await client.execute(uri: uri, method: .post, body: bytes) { $0 }
  }

  private func get<Value: Decodable>(
    _ uri: String, as type: Value.Type, by client: any TestClientProtocol
  ) async throws -> Value {
    let answer = try await client.execute(uri: uri, method: .get) { $0 }
    #expect(answer.status == .ok)
    return try JSONDecoder().decode(Value.self, from: Data(buffer: answer.body))
  }

  private func serve(_ test: @escaping @Sendable (any TestClientProtocol) async throws -> Void)
    async throws
  {
    let server = Application(router: try Bank(path: nil).router())
    try await server.test(.router) { client in try await test(client) }
  }

  @Test func moneyGoesFromOneAccountToAnother() async throws {
    try await serve { client in
      try await open(3, by: client)
      let sent = try await post("/transfers", Transfer(from: 1, to: 2, amount: 300), by: client)
      #expect(sent.status == .created)
      let richest = try await get("/accounts?richest=2", as: [Account].self, by: client)
      #expect(richest.map(\.balance) == [1300, 1000])
      let first = try await get("/accounts/1", as: Account.self, by: client)
      #expect(first == Account(id: 1, owner: "owner 1", balance: 700))
      let received = try await get("/accounts/2/transfers", as: [Transfer].self, by: client)
      #expect(received == [Transfer(id: 1, from: 1, to: 2, amount: 300)])
    }
  }

  @Test func aTransferThatCannotBeChangesNothing() async throws {
    try await serve { client in
      try await open(2, by: client)
      let much = try await post("/transfers", Transfer(from: 1, to: 2, amount: 1001), by: client)
      let nobody = try await post("/transfers", Transfer(from: 1, to: 3, amount: 1), by: client)
      let none = try await post("/transfers", Transfer(from: 1, to: 2, amount: 0), by: client)
      #expect([much.status, nobody.status, none.status] == [.conflict, .notFound, .badRequest])
      let missing = try await client.execute(uri: "/accounts/3", method: .get) { $0.status }
      #expect(missing == .notFound)
      let total = try await get("/total", as: Total.self, by: client)
      #expect(total == Total(accounts: 2, transfers: 0, balance: 2000))
    }
  }

  /// In each version the sum is the same, and no reader waits for a writer.
  @Test func manyReadersSeeWholeVersionsBesideAWriter() async throws {
    try await serve { client in
      try await open(20, by: client)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for number in 0..<300 {
            let transfer = Transfer(from: number % 20 + 1, to: (number * 7 + 3) % 20 + 1, amount: 1)
            let answer = try await post("/transfers", transfer, by: client)
            #expect(answer.status == .created)
          }
        }
        for _ in 0..<16 {
          group.addTask {
            var before = 0
            for _ in 0..<50 {
              let total = try await get("/total", as: Total.self, by: client)
              #expect(total.balance == 20_000 && total.transfers >= before)
              before = total.transfers
            }
          }
        }
        try await group.waitForAll()
      }
      let total = try await get("/total", as: Total.self, by: client)
      #expect(total == Total(accounts: 20, transfers: 300, balance: 20_000))
    }
  }
}
