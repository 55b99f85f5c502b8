import Roost
import Testing

/// The sample of the README, compiled and run.
@Suite struct ReadmeTests {
  struct Person: Model {
    let id: Int
    var name: String
    var age: Int
    static let schema = Schema(
      Person.init,
      Key("id", \.id), Field("name", \.name, .indexed), Field("age", \.age))
  }

  @Test func theSampleDoesWhatItSays() throws {
    let store = try Store(.inMemory, models: Person.self)
    try store.write { try $0.insert(Person(id: 1, name: "Ann", age: 31)) }
    let snapshot = store.snapshot()
    try store.write { try $0.delete(Person.self, id: 1) }
    let adults = Person.where { $0.age >= 18 && $0.name.hasPrefix("A") }.order(by: \.name)
    var names: [String] = []
    for row in try snapshot.rows(adults) { names.append(try row.name) }
    #expect(names == ["Ann"])
  }
}
