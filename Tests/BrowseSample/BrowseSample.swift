import Foundation
import Roost

struct Company: Model {
  let id: String
  var name: String
  var logo: Data
  var founded: Date
  static let schema = Schema(
    Company.init, Key("id", \.id), Field("name", \.name), Field("logo", \.logo),
    Field("founded", \.founded))
}

struct Address: Embedded, Hashable {
  var street: String
  var city: String
  static let fields = Fields(Address.init, Part("street", \.street), Part("city", \.city))
}

struct Person: Model {
  let id: Int
  var name: String
  var email: String?
  var age: Int
  var score: Double
  var born: Date
  var isActive: Bool
  var address: Address
  var tags: [String]
  var employer: Link<Company>?
  var boss: Link<Person>?
  static let schema = Schema(
    Person.init, Key("id", \.id), Field("name", \.name), Field("email", \.email),
    Field("age", \.age, .indexed), Field("score", \.score), Field("born", \.born),
    Field("isActive", \.isActive), Field("address", \.address), Field("tags", \.tags),
    Field("employer", \.employer, .onTargetDelete(.nullify)),
    Field("boss", \.boss, .onTargetDelete(.nullify)))
}

struct Note: Model {
  let id: UUID
  var text: String
  var about: Links<Person>
  var recording: Blob
  static let schema = Schema(
    Note.init, Key("id", \.id), Field("text", \.text),
    Field("about", \.about, .onTargetDelete(.nullify)),
    Field("recording", \.recording))
}

/// Makes the store that Scripts/test-browse looks at: `BrowseSample FILE COUNT`.
@main
enum BrowseSample {
  static let first = [
    "Ann", "Ben", "Chloë", "Dmitri", "Emma", "Farid", "Grace", "Hugo", "Ines", "Jakub", "Kaja",
    "Liam", "Mei", "Noah", "Olga", "Priya",
  ]
  static let last = [
    "Abbott", "Bakker", "Costa", "Dubois", "Eriksen", "Fischer", "García", "Horvat", "Ito",
    "Jansen", "Kowalski", "Lopez", "Müller", "Novák", "O’Brien", "Petrov",
  ]
  static let cities = ["Delft", "Graz", "Lyon", "Porto", "Tartu", "Turin", "Vilnius"]
  /// A picture, as Base64.
  static let logo = """
    iVBORw0KGgoAAAANSUhEUgAAADAAAAAwAQMAAABtzGvEAAAABlBMVEULXK19uPUwoHM+AAAAFUlE
    QVR42mNg+A+GJFNkamMY5vYBAChSj3Ho15xKAAAAAElFTkSuQmCC
    """

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let count = Int(arguments[2]) else {
      print("usage: BrowseSample FILE COUNT")
      exit(2)
    }
    let store = try Store(.file(arguments[1]), models: Company.self, Person.self, Note.self)
    let logo = Data(base64Encoded: logo, options: .ignoreUnknownCharacters) ?? Data()
    try store.write { transaction in
      for number in 0..<40 {
        try transaction.insert(
          Company(
            id: "c\(number)", name: "\(last[number % 16]) & \(last[(number * 7 + 3) % 16])",
            logo: logo,
            founded: Date(timeIntervalSinceReferenceDate: Double(number) * -9_876_543)))
      }
    }
    for start in stride(from: 1, through: count, by: 50_000) {
      try store.write { transaction in
        try transaction.insert(contentsOf: (start...min(count, start + 49_999)).map(person))
      }
    }
    try store.write { transaction in
      let long = (1...4000).map { "Line \($0) of a long text." }.joined(separator: "\n")
      for (number, text) in ["<script>document.title = \"broken\"</script>", "", long].enumerated()
      {
        let id = UUID(uuidString: "00000000-0000-0000-0000-00000000000\(number)") ?? UUID()
        try transaction.insert(
          Note(
            id: id, text: text, about: Links(ids: number == 0 ? [1, 2, 3] : []),
            recording: Blob(number == 2 ? (0..<5000).map { UInt8($0 % 251) } : [])))
      }
    }
    try store.keep("before the raise")
    try store.write { transaction in
      for id in [2, 3, 5] {
        var changed = person(id)
        changed.score += 100
        try transaction.upsert(changed)
      }
      try transaction.delete(Person.self, id: count)
    }
    store.close()
  }

  /// The person of a number.
  static func person(_ number: Int) -> Person {
    // A fixed mixture, so that no column is in the order of the keys.
    let mixed = Int((UInt64(number) &* 0x9E37_79B9_7F4A_7C15) >> 33)
    return Person(
      id: number, name: "\(first[mixed % 16]) \(last[mixed / 16 % 16])",
      email: number % 7 == 0 ? nil : number % 11 == 0 ? "" : "person\(number)@example.org",
      age: 18 + mixed % 70, score: Double(mixed % 100_000) / 8,
      born: Date(timeIntervalSinceReferenceDate: Double(mixed % 1_000_000_000) - 800_000_000),
      isActive: mixed % 3 != 0,
      address: Address(street: "\(mixed % 200) High Street", city: cities[mixed % 7]),
      tags: mixed % 5 == 0 ? ["vip", "tall"] : [],
      employer: number % 4 == 0 ? nil : Link(id: "c\(mixed % 40)"),
      boss: number > 10 && number % 3 == 0 ? Link(id: number / 10) : nil)
  }
}
