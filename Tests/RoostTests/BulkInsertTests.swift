import Roost
import Testing

@Suite struct BulkInsertTests {
  @Test(arguments: [[1, 700, 1300], [1300, 2, 700]])
  func addsTheObjectsBeforeTheOneThatIsThere(start: [Int]) throws {
    let store = try Store(.inMemory, models: Person.self, Group.self)
    // More than one slice; the first three keys say whether they ascend.
    var people = start.map { Person($0, "first", age: $0 % 90) }
    people += (2000..<3500).map { Person($0, "later", age: $0 % 90) }
    let ids = people.map(\.id)
    try store.write { transaction in
      #expect(
        throws: StoreError.duplicateKey(model: "Person", field: "id", value: "\(start[1])")
      ) {
        try transaction.insert(contentsOf: people + [Person(start[1]), Person(9000)])
      }
      // A sequence that does not lie in memory as an array does.
      try transaction.insert(contentsOf: (4000..<5500).lazy.map { Person($0, age: $0 % 90) })
    }
    try store.read { (transaction) throws in
      let found = try transaction.fetch(Person.self, ids: ids)
      #expect(found == people)
      let count = try transaction.count(Person.all)
      #expect(count == people.count + 1500)
      let aged = people.filter { $0.age == 41 }.count + (4000..<5500).filter { $0 % 90 == 41 }.count
      let counted = try transaction.count(Person.where { $0.age == 41 })
      #expect(counted == aged)
    }
  }
}
