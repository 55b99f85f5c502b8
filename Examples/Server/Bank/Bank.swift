import Foundation
import Hummingbird
import Roost

/// A server's data: each request reads one version of it, beside the one that writes.
public struct Bank: Sendable {
  let store: Store

  /// Opens the bank in a file, or in memory.
  public init(path: String?) throws {
    store = try Store(path.map { .file($0) } ?? .inMemory, models: Account.self, Transfer.self)
  }

  /// What the server answers.
  ///
  /// | | |
  /// |---|---|
  /// | `POST /accounts` | opens an account of `owner` with a `balance` |
  /// | `GET /accounts?richest=10` | the accounts with the largest balances |
  /// | `GET /accounts/{id}` | an account |
  /// | `GET /accounts/{id}/transfers` | what it received, the newest first |
  /// | `POST /transfers` | moves an `amount` `from` an account `to` another |
  /// | `GET /total` | how many accounts and transfers there are, and the sum of all balances |
  public func router() -> Router<BasicRequestContext> {
    let router = Router()
    addAccounts(to: router)
    router.post("transfers") { request, context in
      let order = try await request.decode(as: TransferOrder.self, context: context)
      let transfer = try await move(order)
      return EditedResponse(status: .created, response: transfer)
    }
    router.get("total") { _, _ in try await total() }
    return router
  }

  private func addAccounts(to router: Router<BasicRequestContext>) {
    router.post("accounts") { request, context in
      let new = try await request.decode(as: NewAccount.self, context: context)
      let account = try await store.write { transaction in
        try transaction.insert(Account(id: .assigned, owner: new.owner, balance: new.balance))
      }
      return EditedResponse(status: .created, response: account)
    }
    router.get("accounts") { request, _ in
      let count = request.uri.queryParameters.get("richest", as: Int.self) ?? 10
      guard (0...100).contains(count) else { throw HTTPError(.badRequest) }
      return try await store.read {
        try $0.fetch(Account.all.order(by: \.balance, descending: true).limit(count))
      }
    }
    router.get("accounts/{id}") { _, context in
      let id = try context.parameters.require("id", as: Int.self)
      guard let account = try await store.read({ try $0.fetch(Account.self, id: id) }) else {
        throw HTTPError(.notFound)
      }
      return account
    }
    router.get("accounts/{id}/transfers") { _, context in
      let id = try context.parameters.require("id", as: Int.self)
      return try await store.read {
        try $0.fetch(Account.received(of: id).order(by: \.id, descending: true).limit(100))
      }
    }
  }

  /// Moves money, or throws what the request is answered with; nothing is done then.
  private func move(_ order: TransferOrder) async throws -> Transfer {
    guard order.amount > 0 else { throw HTTPError(.badRequest, message: "Not an amount.") }
    do {
      return try await store.write { transaction in
        try transaction.update(Account.self, id: order.from) { account in
          guard account.balance >= order.amount else {
            throw HTTPError(.conflict, message: "There is not as much in the account.")
          }
          account.balance -= order.amount
        }
        try transaction.update(Account.self, id: order.to) { $0.balance += order.amount }
        return try transaction.insert(
          Transfer(
            id: .assigned, from: Link(id: order.from), to: Link(id: order.to),
            amount: order.amount, date: Date()))
      }
    } catch StoreError.notFound {
      throw HTTPError(.notFound, message: "There is no such account.")
    }
  }

  /// Figures that belong to each other: all of them are of one version.
  private func total() async throws -> Total {
    try await store.read { snapshot in
      Total(
        accounts: try snapshot.count(Account.all), transfers: try snapshot.count(Transfer.all),
        balance: try snapshot.sum(\.balance, of: Account.all))
    }
  }
}

struct NewAccount: Codable {
  var owner: String
  var balance: Int
}

struct TransferOrder: Codable {
  var from: Int
  var to: Int
  var amount: Int
}

struct Total: ResponseCodable {
  var accounts: Int
  var transfers: Int
  var balance: Int
}
