import Roost

/// Reads of records that take a little more room than the page cache has, each as likely as any other.
///
/// Each tenth or so is not in the cache: that is the least, whatever is forgotten, and who forgets in the order of the
/// file, or in that of the reads, misses most.
final class CacheSuite: Suite {
  static let cacheBytes = 32 << 20
  /// So many take 1.1 times as much in Roost's file.
  private static let objects = 34_300
  private static let readsPerRound = 50_000

  private let databases: SharedDatabases<any CachedRecordDatabase>

  init(_ setting: SuiteSetting) {
    databases = SharedDatabases { subject in
      guard let type = subject.recordDatabase as? any CachedRecordDatabase.Type else { return nil }
      let path = setting.path(subject, "cache")
      setting.progress.say("\(subject.rawValue): loading \(grouped(Self.objects)) records")
      let database = try type.init(creating: path)
      try database.insert((0..<Self.objects).map(Record.init(id:)))
      try database.close()
      return try type.init(opening: path, cacheBytes: Self.cacheBytes)
    }
  }

  var workloads: [Workload] {
    [
      Workload(
        name: "cache-outgrown", title: "read of any record, 1.1 times the cache",
        unit: .microseconds, objects: Self.objects
      ) { [self] subject, round in
        guard let database = try databases.of(subject) else { return nil }
        var random = round.random(for: "cache-outgrown")
        let ids = (0..<Self.readsPerRound).map { _ in random.below(Self.objects) }
        var sum = 0
        let time = try ContinuousClock().measure {
          for id in ids { sum &+= try database.read(id, .all) }
        }
        return Sample(
          value: Unit.microseconds.value(time) / Double(ids.count), answer: Answer(sum))
      }
    ]
  }

  func close() throws { try databases.close() }
}

/// A database of records that can be opened with a page cache of a size.
protocol CachedRecordDatabase: RecordDatabase {
  /// Opens the database at a path. What the operating system caches of the file does not count.
  init(opening path: String, cacheBytes: Int) throws
}

extension RoostRecords: CachedRecordDatabase {
  convenience init(opening path: String, cacheBytes: Int) throws {
    var configuration = Configuration()
    configuration.cacheBytesMax = cacheBytes
    self.init(try Store(.file(path), models: Record.self, configuration: configuration))
  }
}

extension SQLiteRecords: CachedRecordDatabase {
  convenience init(opening path: String, cacheBytes: Int) throws {
    try self.init(opening: path)
    try execute("PRAGMA mmap_size = 0")
    try execute("PRAGMA cache_size = -\(cacheBytes / 1024)")
  }
}

/// It has no cache of its own: it maps the file.
extension LMDBRecords: CachedRecordDatabase {
  convenience init(opening path: String, cacheBytes: Int) throws { try self.init(opening: path) }
}
