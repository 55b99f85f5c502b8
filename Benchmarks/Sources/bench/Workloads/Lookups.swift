/// Single objects by their keys.
protocol Lookups {
  /// The sum of id and age over the people with these ids, looked up one by one in one transaction.
  func sumOfIDAndAge(ids: [Int]) throws -> Int
}

extension PeopleSuite {
  var lookups: [Workload] {
    let count = min(objects, 1_000_000)
    func lookup(
      _ name: String, _ title: String, target: Double,
      draw: @escaping (inout SplitMix64) -> [Int]
    ) -> Workload {
      timed(name, title, target: target, operations: count, draw: draw, answer: { Answer($0) }) {
        (database: any Lookups, ids) in try database.sumOfIDAndAge(ids: ids)
      }
    }
    return [
      lookup("lookup", "\(grouped(count)) lookups by key, two fields", target: 5) {
        [self] random in data.randomIDs(count, using: &random)
      },
      lookup("missing", "\(grouped(count)) missing keys, ascending", target: 12) { _ in
        (0..<count).map { $0 * 2 + 3 }
      },
      lookup("missing-random", "\(grouped(count)) missing keys, random", target: 6.4) {
        [self] random in data.randomIDs(count, using: &random).map { $0 + 1 }
      },
    ]
  }
}
