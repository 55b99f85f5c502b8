import Foundation
import Synchronization

/// Beginning and ending reads, alone and beside a writer.
protocol Reads {
  func beginAndEndReads(_ count: Int) throws
  /// Something to read with on another thread.
  func makeReader() throws -> any PeopleReader
}

/// Reads on one thread.
protocol PeopleReader: AnyObject {
  /// The sum of id and age over the people with these ids, in a version of its own.
  func sumOfIDAndAge(ids: ArraySlice<Int>) throws -> Int
  func close() throws
}

extension PeopleSuite {
  var reads: [Workload] {
    let count = 100_000
    return [
      timed(
        "begin-read", "begin and end a read", target: 20, unit: .microseconds, per: count,
        draw: { _ in }, answer: { Answer() }
      ) { (database: any Reads, _) in try database.beginAndEndReads(count) },
      readerBesideWriter,
    ]
  }

  /// For half a second one thread reads versions, ten lookups each, while this one commits durably.
  private var readerBesideWriter: Workload {
    let name = "reader-beside-writer"
    return Workload(
      name: name, title: "reader snapshots beside a writer, 10 lookups each", unit: .perSecond,
      objects: objects, target: 14
    ) { [self] subject, round in
      let database = try main(subject)
      guard let reads = database as? any Reads, let writes = database as? any Commits else {
        return nil
      }
      var random = round.random(for: name)
      let thread = ReaderThread(
        try reads.makeReader(), ids: data.randomIDs(100_000, using: &random))
      thread.start()
      let start = ContinuousClock.now
      var changed: [Person] = []
      while ContinuousClock.now - start < .milliseconds(500) {
        let person = data.people[random.below(objects)]
        try writes.updateDurably(id: person.id, age: random.below(100))
        changed.append(person)
      }
      let time = ContinuousClock.now - start
      let versions = try thread.stop()
      // Each wrote as often as it could: they are made alike again.
      for person in changed { try writes.updateDurably(id: person.id, age: person.age) }
      return Sample(value: Double(versions) / (time / .seconds(1)), answer: Answer())
    }
  }
}

/// Reads as fast as it can until it is stopped.
private final class ReaderThread: @unchecked Sendable {
  // The thread alone uses the reader until `ended` is signalled; `stop` waits for that.
  private let reader: any PeopleReader
  private let ids: [Int]
  private let isStopped = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)
  private var outcome: Result<Int, any Error> = .success(0)

  init(_ reader: any PeopleReader, ids: [Int]) {
    self.reader = reader
    self.ids = ids
  }

  func start() {
    Thread.detachNewThread { [self] in
      outcome = Result { try read() }
      ended.signal()
    }
  }

  /// How many versions were read.
  func stop() throws -> Int {
    isStopped.store(true, ordering: .relaxed)
    ended.wait()
    return try outcome.get()
  }

  private func read() throws -> Int {
    var versions = 0
    var place = 0
    while !isStopped.load(ordering: .relaxed) {
      let sum = try reader.sumOfIDAndAge(ids: ids[place..<place + 10])
      precondition(sum > 0, "People who are there were not found.")
      versions += 1
      place = place + 20 <= ids.count ? place + 10 : 0
    }
    try reader.close()
    return versions
  }
}
