#if GRDB
import GRDB

/// A person as GRDB's users write a record that is to be fast: with coding by hand.
struct GRDBPerson: FetchableRecord, PersistableRecord {
  static let databaseTableName = "person"
  static let group = belongsTo(GRDBGroup.self, key: "group", using: ForeignKey(["grp"]))

  let person: Person

  init(_ person: Person) {
    self.person = person
  }

  init(row: Row) {
    person = Person(
      id: row[0], name: row[1], email: row[2], age: row[3], score: row[4], createdAt: row[5],
      isActive: row[6], group: .init(id: row[7]))
  }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = person.id
    container["name"] = person.name
    container["email"] = person.email
    container["age"] = person.age
    container["score"] = person.score
    container["createdAt"] = person.createdAt
    container["isActive"] = person.isActive
    container["grp"] = person.group.id
  }
}

struct GRDBGroup: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "grp"

  let id: Int
  var name: String
}

/// A person with the group that its link leads to.
struct GRDBPersonAndGroup: FetchableRecord {
  let person: GRDBPerson
  let group: GRDBGroup

  init(row: Row) {
    person = GRDBPerson(row: row)
    group = row["group"]
  }
}
#endif
