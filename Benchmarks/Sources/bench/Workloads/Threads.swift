import Foundation

/// Commits from many threads at once.
protocol ConcurrentCommits {
  /// Gives a person another age, durably, on whatever thread this is called.
  func updateConcurrently(id: Int, age: Int) throws
}

extension PeopleSuite {
  /// What more threads make of reading beside a writer and of writing.
  var threads: [Workload] {
    [2, 4, 8].map(readersBesideWriter) + [1, 8, 64].map(writers)
  }

  /// For half a second some threads read versions, ten lookups each, while this one commits durably.
  func readersBesideWriter(_ count: Int) -> Workload {
    let name = count == 1 ? "reader-beside-writer" : "readers-beside-writer-\(count)"
    let title = "snapshots beside a writer, 10 lookups each"
    return Workload(
      name: name, title: count == 1 ? "reader \(title)" : "\(count) readers' \(title)",
      unit: .perSecond, objects: objects, target: count == 1 ? 14 : nil
    ) { [self] subject, round in
      let database = try main(subject)
      guard let reads = database as? any Reads, let writes = database as? any Commits else {
        return nil
      }
      var random = round.random(for: name)
      let sign = StopSign()
      let readers = try (0..<count).map { _ in
        (reader: try reads.makeReader(), ids: data.randomIDs(100_000, using: &random))
      }
      let workers = readers.map { reader, ids in
        Worker { try Self.readVersions(with: reader, ids, until: sign) }
      }
      let start = ContinuousClock.now
      var changed: [Person] = []
      while ContinuousClock.now - start < .milliseconds(500) {
        let person = data.people[random.below(objects)]
        try writes.updateAlone(id: person.id, age: random.below(100))
        changed.append(person)
      }
      let time = ContinuousClock.now - start
      sign.raise()
      let versions = try workers.reduce(0) { try $0 + $1.result() }
      // Each wrote as often as it could: they are made alike again.
      for person in changed { try writes.updateAlone(id: person.id, age: person.age) }
      return Sample(value: Double(versions) / (time / .seconds(1)), answer: Answer())
    }
  }

  /// Reads as fast as it can until it is stopped; returns how many versions it has read.
  private static func readVersions(
    with reader: any PeopleReader, _ ids: [Int], until sign: StopSign
  ) throws -> Int {
    var versions = 0
    var place = 0
    while !sign.isUp {
      let sum = try reader.sumOfIDAndAge(ids: ids[place..<place + 10])
      precondition(sum > 0, "People who are there were not found.")
      versions += 1
      place = place + 20 <= ids.count ? place + 10 : 0
    }
    try reader.close()
    return versions
  }

  /// So many threads share the commits of a round; each changes people of its own.
  private func writers(_ count: Int) -> Workload {
    let name = "writers-\(count)"
    let title = count == 1 ? "one thread" : "\(count) threads"
    return Workload(
      name: name, title: "durable updates, \(title)", unit: .perSecond, objects: objects
    ) { [self] subject, round in
      let database = try main(subject)
      guard let commits = database as? any ConcurrentCommits else { return nil }
      var random = round.random(for: name)
      let share = 512 / count
      let updates = (0..<count).map { thread in
        // The people of a thread are those whose place leaves its number.
        (0..<share).map { _ in
          let place = random.below(objects / count) * count + thread
          return (id: data.people[place].id, age: random.below(100))
        }
      }
      let start = ContinuousClock.now
      let workers = updates.map { updates in
        Worker {
          for (id, age) in updates { try commits.updateConcurrently(id: id, age: age) }
        }
      }
      for worker in workers { try worker.result() }
      let time = ContinuousClock.now - start
      return Sample(
        value: Double(share * count) / (time / .seconds(1)),
        answer: try (database as? any Scans)?.aggregate().answer ?? Answer())
    }
  }
}
