import Roost
import Synchronization
import Testing

/// Versions that somebody holds although there are newer ones.
@Suite struct OldSnapshotTests {
  private final class Reports: Sendable {
    let all = Mutex<[OldSnapshot]>([])
  }

  @Test func aHeldSnapshotIsALineInTheLogWhereNobodyElseIsTold() throws {
    let lines = Mutex<[String]>([])
    var configuration = Configuration()
    configuration.oldSnapshotMin = (age: .zero, bytes: 4096)
    configuration.log = { line in lines.withLock { $0.append(line) } }
    let store = try Store(
      .inMemory, models: Person.self, Group.self, configuration: configuration)
    try store.write { try $0.insert(contentsOf: (1...2000).map { Person($0) }) }
    let held = store.snapshot()
    for age in 0..<3 {
      try store.write { tx in
        for id in 1...2000 { try tx.update(Person.self, id: id, set: \.age, to: age) }
      }
    }
    #expect(try held.count(Person.all) == 2000)
    let line = try #require(lines.withLock { $0.first })
    #expect(lines.withLock { $0.count } == 1)
    #expect(line.hasPrefix("Version "))
    #expect(line.hasSuffix(" of the file from being used again."))
  }

  @Test func aHeldSnapshotIsReportedOnceWithItsAgeAndWhatItCosts() throws {
    let reports = Reports()
    var configuration = Configuration()
    configuration.oldSnapshotMin = (age: .zero, bytes: 4096)
    configuration.reportsOldSnapshot = { old in reports.all.withLock { $0.append(old) } }
    let store = try Store(
      .inMemory, models: Person.self, Group.self, configuration: configuration)
    try store.write { try $0.insert(contentsOf: (1...2000).map { Person($0) }) }
    #expect(store.oldestSnapshot == nil)
    var costs: [Int64] = []
    do {
      let held = store.snapshot()
      for age in 0..<10 {
        try store.write { tx in
          for id in 1...2000 { try tx.update(Person.self, id: id, set: \.age, to: age) }
        }
        costs.append(try #require(store.oldestSnapshot).bytes)
      }
      #expect(try held.fetch(Person.all).count == 2000)
      let reported = reports.all.withLock { $0 }
      #expect(reported.count == 1)
      #expect(reported.first?.version == store.oldestSnapshot?.version)
      #expect(try #require(store.oldestSnapshot).age > .zero)
    }
    // It costs what it alone can see, not all that was written since.
    #expect(costs[9] == costs[1])
    try store.write { try $0.insert(Person(5000)) }
    try store.write { try $0.insert(Person(5001)) }
    #expect(store.oldestSnapshot == nil)
    #expect(reports.all.withLock { $0.count } == 1)
  }
}
