import Foundation

/// What every release of the app knows, in whichever shape it stores it.
package struct World: Equatable {
  /// A person, as no release has one.
  package struct Person: Equatable {
    var name: String
    var age: Int
    var nickname: String
    var image: Data?
    var phone: String?
    var pets: [String]

    /// The name up to its first space.
    var firstName: String { name.prefix { $0 != " " }.description }

    /// The name after its first space; empty where there is none.
    var lastName: String { name.drop { $0 != " " }.dropFirst().description }
  }

  /// The people by their ids.
  package var people: [Int: Person] = [:]

  /// Some people, and one more for each release that has added one.
  package init(count: Int, addedBy releases: [Int]) {
    for id in 0..<count { people[id] = World.person(id) }
    for id in releases.map(World.idAdded) { people[id] = World.person(id) }
  }

  /// The id of the person that a release adds.
  package static func idAdded(by release: Int) -> Int { 10_000 + release }

  /// The person of an id: some have neither last name, nickname, image, phone nor pets.
  static func person(_ id: Int) -> Person {
    Person(
      name: id % 7 == 0 ? "Plato" : "Ann\(id) van \(id / 3)", age: id % 90,
      nickname: id % 3 == 0 ? "" : "nick\(id)", image: id % 5 == 0 ? Data("image \(id)".utf8) : nil,
      phone: id % 4 == 0 ? "+31 \(id)" : nil, pets: id % 2 == 0 ? ["Rex \(id)", "Tom \(id)"] : [])
  }

  /// The id of a person's phone: it follows from the person's, so that the same world always makes the same file.
  static func phoneID(ofPerson id: Int) -> UUID {
    func byte(_ place: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: UInt64(bitPattern: Int64(id)) >> (8 * place))
    }
    return UUID(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, 0, byte(7), byte(6), byte(5), byte(4), byte(3), byte(2), byte(1),
        byte(0)
      ))
  }
}
