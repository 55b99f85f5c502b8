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

/// A reader that shares all it needs with the database.
final class SharedReader: PeopleReader {
  private let sum: (ArraySlice<Int>) throws -> Int

  init(_ sum: @escaping (ArraySlice<Int>) throws -> Int) {
    self.sum = sum
  }

  func sumOfIDAndAge(ids: ArraySlice<Int>) throws -> Int { try sum(ids) }

  func close() {}
}

extension PeopleSuite {
  var reads: [Workload] {
    let count = 100_000
    return [
      timed(
        "begin-read", "begin and end a read", target: 20, unit: .microseconds, per: count,
        draw: { _ in }, answer: { Answer() }
      ) { (database: any Reads, _) in try database.beginAndEndReads(count) },
      readersBesideWriter(1),
    ]
  }
}
