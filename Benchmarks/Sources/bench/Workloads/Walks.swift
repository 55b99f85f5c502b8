/// All objects, one after the other.
protocol Walks {
  /// Reads every field of every person, making no object of it: ``PersonTouch`` says what is added up.
  func touchEveryField() throws -> Int
  /// The same, in batches where the database has them.
  func touchEveryFieldByBatch() throws -> Int
  /// All people as structs.
  func everyone() throws -> [Person]
}

extension Walks {
  func touchEveryFieldByBatch() throws -> Int { try touchEveryField() }
}

/// What touching one person adds up: every field counts, and no text is copied.
@inline(__always)
func personTouch(
  id: Int, name: (first: UInt8, count: Int), email: (first: UInt8, count: Int), age: Int,
  score: Double, createdAt: Int, isActive: Bool, group: Int
) -> Int {
  let texts = Int(name.first) + name.count + Int(email.first) + email.count
  return id + texts + age + (score > 0.5 ? 1 : 0) + createdAt + (isActive ? 1 : 0) + group
}

extension PeopleSuite {
  var walks: [Workload] {
    [
      timed(
        "touch", "touch every field, row by row", target: 2.3, operations: objects, draw: { _ in },
        answer: { Answer($0) }
      ) { (database: any Walks, _) in try database.touchEveryField() },
      timed(
        "touch-batch", "touch every field, by batch", target: 8, operations: objects,
        draw: { _ in }, answer: { Answer($0) }
      ) { (database: any Walks, _) in try database.touchEveryFieldByBatch() },
      timed(
        "structs", "all people as structs", target: 1.55, operations: objects, draw: { _ in },
        answer: { people in
          var checksum = Checksum()
          for person in people {
            checksum.add(person.id)
            checksum.add(person.name.utf8)
            checksum.add(person.email.utf8)
            checksum.add(person.createdAt + person.age + person.group.id)
          }
          return Answer(people.count, Int(truncatingIfNeeded: checksum.value))
        }
      ) { (database: any Walks, _) in try database.everyone() },
    ]
  }
}
