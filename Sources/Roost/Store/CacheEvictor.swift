internal import RoostEngine
internal import Synchronization

/// Removes objects from a store that is a cache.
///
/// After each write it checks whether a removal is due, in a few nanoseconds if ages count from the last write,
/// and then removes objects in a separate transaction.
final class CacheEvictor: Sendable {
  /// A table whose objects may be removed, and the field that determines their age.
  struct AgedTable: Sendable {
    let table: UInt32
    let field: FieldID
    /// Whether it is a date of the model, instead of the time of the last write.
    let isDated: Bool
  }

  private struct State {
    /// No object whose age counts from its last write expires before this time: seconds since 2001.
    var nextExpiry = -Double.infinity
    /// For tables with dates of their own, the tree that has nothing more to remove before a time.
    var dated: [UInt32: (root: TreeRoot, nextExpiry: Double)] = [:]
    /// The time of the last search for expired objects.
    var lastLook = -Double.infinity
    /// Space is freed above this use too: at this many bytes in use, nothing more could be removed before.
    var usedBytesInVain: UInt64 = 0
  }

  private let policy: CachePolicy
  private let tables: [AgedTable]
  private let configuration: Configuration
  private let file: StoreFile
  /// The maximum age of an object, in seconds.
  private let ageMax: Double?
  private let known = Mutex(State())

  init(
    _ policy: CachePolicy, _ tables: [AgedTable], _ configuration: Configuration, _ file: StoreFile
  ) {
    self.policy = policy
    self.tables = tables
    self.configuration = configuration
    self.file = file
    ageMax = policy.expiresAfter.map { age in
      max(0, Double(age.components.seconds) + Double(age.components.attoseconds) / 1e18)
    }
  }

  /// The current time: seconds since 2001, in whole milliseconds.
  private var now: Double { configuration.time }

  /// Notes that a transaction has begun; returns the time of its writes.
  func didBeginWrite() -> Double {
    let now = now
    if let ageMax { known.withLock { $0.nextExpiry = min($0.nextExpiry, now + ageMax) } }
    return now
  }

  /// Removes the objects due when the store is opened; a failure is only logged.
  func didOpen(_ engine: Engine) { trimOrLog(engine) }

  /// Removes the objects due after a write; a failure is only logged, because the write has succeeded.
  func didWrite(_ engine: Engine) {
    do {
      guard try isDue(engine) else { return }
    } catch { return log(error) }
    trimOrLog(engine)
  }

  /// Removes all objects that are due.
  ///
  /// - Returns: How many objects were removed.
  func trim(_ engine: Engine) throws(EngineError) -> Int {
    try removeExpired(engine) + makeRoom(engine)
  }

  private func trimOrLog(_ engine: Engine) {
    do throws(EngineError) { _ = try trim(engine) } catch { log(error) }
  }

  private func log(_ error: EngineError) {
    configuration.log?(
      "The cache could not be trimmed; the next write tries again. \(StoreError(error, in: file).message)"
    )
  }

  // MARK: Age

  /// Whether objects must be removed, or may have to be.
  private func isDue(_ engine: Engine) throws(EngineError) -> Bool {
    let snapshot = engine.snapshot()
    if snapshot.usedBytes > max(policy.usedBytesMax, known.withLock(\.usedBytesInVain)) {
      return true
    }
    guard let ageMax else { return false }
    let now = now
    let (isQuiet, isTime) = known.withLock { known in
      (
        (known.lastLook..<known.lastLook + ageMax / Self.looksEachAge).contains(now),
        now >= known.nextExpiry
      )
    }
    // If objects expire all the time, not every write searches for a few.
    guard !isQuiet else { return false }
    if isTime { return true }
    for table in tables where table.isDated {
      let root = try snapshot.view.objects(table.table).root
      let last = known.withLock { $0.dated[table.table] }
      if let last, last.root == root, now < last.nextExpiry { continue }
      let next = try nextExpiry(of: table, in: snapshot.view, after: nil)
      if now >= next { return true }
      known.withLock { $0.dated[table.table] = (root, next) }
    }
    return false
  }

  /// The maximum number of searches for expired objects after writes, in the time that an object takes to expire.
  private static let looksEachAge = 64.0

  /// The expiry time of the next object of a table whose date is later than a given date: seconds since 2001.
  private func nextExpiry(
    of table: AgedTable, in view: ReadView, after date: Double?
  ) throws(EngineError) -> Double {
    let predicate = date.map { Predicate.compare(table.field, .greater, .double($0)) }
    let oldest = try view.minimum(
      table.field, over: ObjectQuery(table: table.table, predicate: predicate ?? .always(true)))
    guard case .double(let oldest) = oldest else { return .infinity }
    return oldest + (ageMax ?? .infinity)
  }

  /// Removes the objects that have expired.
  private func removeExpired(_ engine: Engine) throws(EngineError) -> Int {
    guard let ageMax else { return 0 }
    // A write before the search below is found by it, or is noted after this.
    let now = now
    known.withLock { $0.nextExpiry = .infinity }
    do {
      let count = try removeWritten(until: now - ageMax, engine)
      known.withLock { $0.lastLook = now }
      return count
    } catch {
      known.withLock { $0.nextExpiry = -.infinity }
      throw error
    }
  }

  /// Removes the objects whose date is at most `last`, and computes when the next object expires.
  private func removeWritten(until last: Double, _ engine: Engine) throws(EngineError) -> Int {
    let count = try write(to: engine) { (transaction) throws(EngineError) in
      let view = try transaction.view()
      var due: [UInt32: [Int64]] = [:]
      for table in tables {
        let query = ObjectQuery(
          table: table.table, predicate: .compare(table.field, .lessOrEqual, .double(last)))
        let keys = try view.matches(query).keys()
        if !keys.isEmpty { due[table.table] = keys.ascending() }
      }
      return due.isEmpty ? 0 : try transaction.evict(due)
    }
    // Expired objects that must stay are checked again when the next object expires.
    let view = try engine.snapshot().view
    var next = Double.infinity
    var dated: [UInt32: (root: TreeRoot, nextExpiry: Double)] = [:]
    for table in tables {
      let expiry = try nextExpiry(of: table, in: view, after: last)
      if table.isDated {
        dated[table.table] = (try view.objects(table.table).root, expiry)
      } else {
        next = min(next, expiry)
      }
    }
    known.withLock { known in
      known.nextExpiry = min(known.nextExpiry, next)
      known.dated = dated
    }
    return count
  }

  // MARK: Room

  /// Removes the oldest objects if space is short.
  private func makeRoom(_ engine: Engine) throws(EngineError) -> Int {
    var used = engine.snapshot().usedBytes
    guard used > policy.usedBytesMax else {
      known.withLock { $0.usedBytesInVain = 0 }
      return 0
    }
    var removed = 0
    // Objects differ in size: the space freed by the last removal determines the size of the next.
    var bytesPerObject: Double?
    var isEnough = false
    var more = 1.0
    while !isEnough, used > policy.usedBytesAim {
      var isAll = false
      let count = try write(to: engine) { (transaction) throws(EngineError) in
        let view = try transaction.view()
        var objects: UInt64 = 0
        for table in tables { objects += try view.objects(table.table).root.count }
        let size = bytesPerObject ?? Double(used) / Double(max(objects, 1))
        let wanted = (Double(used - policy.usedBytesAim) / size * more).rounded(.up)
        isAll = wanted >= Double(objects)
        let candidates = try view.least(
          isAll ? Int(clamping: objects) : Int(wanted), of: tables.map { ($0.table, $0.field) })
        return candidates.isEmpty ? 0 : try transaction.evict(candidates)
      }
      removed += count
      let left = engine.snapshot().usedBytes
      isEnough = isAll
      if count > 0, left < used {
        bytesPerObject = max(Double(used - left) / Double(count), 1)
        more = 1
      } else {
        // Links from other objects keep the oldest objects.
        more *= 4
      }
      used = left
    }
    let inVain =
      used > policy.usedBytesAim ? used + (policy.usedBytesMax - policy.usedBytesAim) : 0
    known.withLock { $0.usedBytesInVain = inVain }
    return removed
  }

  /// Runs a transaction that removes objects; it is rolled back if it removes none.
  private func write(
    to engine: Engine, _ body: (EngineTransaction) throws(EngineError) -> Int
  ) throws(EngineError) -> Int {
    let transaction = try engine.beginWrite()
    let count: Int
    do { count = try body(transaction) } catch {
      transaction.rollback()
      throw error
    }
    guard count > 0 else {
      transaction.rollback()
      return 0
    }
    try transaction.commit(configuration.durability.engine)
    return count
  }
}

extension Store {
  /// Removes the expired objects of a cache, and the oldest objects if space is short; returns the number of objects
  /// removed.
  ///
  /// Writes do this themselves: call it if a program has not written for long, for example when it comes to the
  /// foreground. Does nothing if the store is not a cache, or is read-only. See
  /// ``Configuration/cache(maxBytes:expiresAfter:keeping:)``.
  /// - Throws: ``StoreError/reentrantWrite`` inside of `write`; ``StoreError/closed``; the errors of the file.
  @discardableResult
  public func trim() throws(StoreError) -> Int {
    let engine = try open()
    guard let evictor else { return 0 }
    return try working(on: file) { () throws(EngineError) in try evictor.trim(engine) }
  }

  /// Removes the expired objects of a cache, like the synchronous form, on a queue of the store.
  ///
  /// - Throws: Also `CancellationError` where the task was cancelled before it began.
  @discardableResult
  public func trim() async throws -> Int {
    try Task.checkCancellation()
    // The type selects the synchronous form.
    let trim: () throws(StoreError) -> Int = self.trim
    return try await withTaskExecutorPreference(writers) { try trim() }
  }
}
