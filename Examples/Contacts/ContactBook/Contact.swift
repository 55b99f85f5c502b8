import Roost

/// Somebody whose number one has.
struct Contact: Model {
  let id: Int
  var name: String
  var phone: String

  static let schema = Schema(
    Contact.init, Key("id", \.id, .assigned), Field("name", \.name, .indexed),
    Field("phone", \.phone))

  /// All contacts as they are listed.
  static let byName = Contact.all.order(by: \.name)

  /// The letter that a name is found under.
  static func letter(of name: String) -> String { name.first?.uppercased() ?? "#" }
}

/// A store of contacts, and those who change it while it is shown.
public struct ContactBook: Sendable {
  let store: Store

  /// A book in memory with some contacts.
  public init(count: Int) throws {
    store = try Store(.inMemory, models: Contact.self)
    try store.write { tx in
      for number in 0..<count {
        let contact = Contact(id: 0, name: Self.name(number * 37), phone: "555 \(100 + number)")
        try tx.insert(contact)
      }
    }
  }

  /// Inserts, changes and deletes contacts, one write after the other.
  public func change(
    times: Int, waiting pause: Duration, using random: inout some RandomNumberGenerator
  ) async throws {
    for _ in 0..<times {
      let (kind, number) = (
        Int.random(in: 0..<4, using: &random), Int.random(in: 0..<900, using: &random)
      )
      try await store.write { tx in
        let found = try tx.first(Contact.all.limit(1, offset: number % 40))
        switch (kind, found) {
        case (0, let contact?): try tx.delete(Contact.self, id: contact.id)
        case (1, var contact?):
          contact.name = Self.name(number)
          try tx.upsert(contact)
        case (2, let contact?):
          try tx.update(Contact.self, id: contact.id, set: \.phone, to: "555 \(number)")
        default: try tx.insert(Contact(id: 0, name: Self.name(number), phone: "555 \(number)"))
        }
      }
      try await Task.sleep(for: pause)
    }
  }

  private static let firstNames = [
    "Ada", "Alan", "Barbara", "Claude", "Donald", "Edsger", "Frances", "Grace", "Hedy", "Ida",
    "John", "Katherine", "Leslie", "Margaret", "Niklaus", "Radia", "Sophie", "Tony",
  ]
  private static let lastNames = [
    "Allen", "Dijkstra", "Hamilton", "Hoare", "Hopper", "Johnson", "Kernighan", "Knuth", "Lamarr",
    "Lamport", "Liskov", "Lovelace", "Perlman", "Rhodes", "Shannon", "Turing", "Wilson", "Wirth",
  ]

  private static func name(_ number: Int) -> String {
    let first = firstNames[number % firstNames.count]
    return first + " " + lastNames[number / firstNames.count % lastNames.count]
  }
}
