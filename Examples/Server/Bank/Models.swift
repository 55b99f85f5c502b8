import Foundation
import Hummingbird
import Roost

/// An account, as it is stored and as it is sent. Amounts are in cents.
struct Account: Model, ResponseCodable {
  let id: Int
  var owner: String
  var balance: Int
  static let received = Inverse(\Transfer.to)
  static let schema = Schema(
    Account.init, Key("id", \.id, .assigned), Field("owner", \.owner),
    Field("balance", \.balance, .indexed))
}

/// Money that went from one account to another.
struct Transfer: Model, ResponseCodable {
  let id: Int
  var from: Link<Account>
  var to: Link<Account>
  var amount: Int
  var date: Date
  static let schema = Schema(
    Transfer.init, Key("id", \.id, .assigned), Field("from", \.from), Field("to", \.to),
    Field("amount", \.amount), Field("date", \.date))
}
