internal import RoostEngine
internal import Synchronization

/// Removes objects from a store that is a cache.
///
/// It looks after each write whether something is due, in a few nanoseconds where objects are as old as their last write,
/// and then removes it in a transaction of its own.
final class CacheEvictor: Sendable {
  /// A table whose objects may be removed, and the field that says how old they are.
  struct AgedTable: Sendable {
    let table: UInt32
    let field: FieldID
    /// Whether it is a date of the model's, and not when the object was written.
    let isDated: Bool
  }

  private struct State {
    /// Before this time nothing expires that is as old as its last write: seconds since 2001.
    var nextExpiry = -Double.infinity
    /// The trees of objects with dates of their own as they were when nothing more of them was to be removed before a time.
    var dated: [UInt32: (root: TreeRoot, nextExpiry: Double)] = [:]
    /// When objects that have expired were looked for last.
    var lastLook = -Double.infinity
    /// Room is made when more bytes than this are in use, too: nothing more could be removed when as many were.
    var usedBytesInVain: UInt64 = 0
  }

  private let policy: CachePolicy
  private let tables: [AgedTable]
  private let configuration: Configuration
  private let file: StoreFile
  /// How old an object may become, in seconds.
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

  /// Notes that a transaction has begun; returns the time that what it writes is written at.
  func didBeginWrite() -> Double {
    let now = now
    if let ageMax { known.withLock { $0.nextExpiry = min($0.nextExpiry, now + ageMax) } }
    return now
  }

  /// Removes what is due when the store is opened; a failure is only said.
  func didOpen(_ engine: Engine) { trimOrLog(engine) }

  /// Removes what is due behind a write; a failure is only said, for the write is done.
  func didWrite(_ engine: Engine) {
    do {
      guard try isDue(engine) else { return }
    } catch { return log(error) }
    trimOrLog(engine)
  }

  /// Removes everything that is due.
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

  /// Whether something is to be removed, or may be.
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
    // Where objects expire all the time, not each write looks for a few.
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

  /// So many times while an object ages it is looked at most behind writes which objects have expired.
  private static let looksEachAge = 64.0

  /// When the next object of a table expires, of those whose date is later than one: seconds since 2001.
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
    // Whatever is written until the look at what is left is in it, or is noted after this.
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

  /// Removes the objects whose date is no later than one, and finds out when the next expires.
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
    // Those that stay although they have expired are looked at with the next that expires.
    let view = engine.snapshot().view
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

  /// Removes the objects that were written first, where room is short.
  private func makeRoom(_ engine: Engine) throws(EngineError) -> Int {
    var used = engine.snapshot().usedBytes
    guard used > policy.usedBytesMax else {
      known.withLock { $0.usedBytesInVain = 0 }
      return 0
    }
    var removed = 0
    // Objects differ in size: what the last ones gave says how many the next must be.
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
        // The oldest ones stay for others.
        more *= 4
      }
      used = left
    }
    let inVain =
      used > policy.usedBytesAim ? used + (policy.usedBytesMax - policy.usedBytesAim) : 0
    known.withLock { $0.usedBytesInVain = inVain }
    return removed
  }

  /// Runs a transaction that removes objects, and is none where it removes nothing.
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
  /// Removes the objects of a cache that have expired, and where room is short those that were written first; returns how
  /// many.
  ///
  /// Writes do it themselves: this is for a program that has not written for long, such as one that comes to the
  /// foreground. Does nothing where the store is no cache, or only read. See
  /// ``Configuration/cache(maxBytes:expiresAfter:keeping:)``.
  /// - Throws: ``StoreError/reentrantWrite`` inside of `write`; ``StoreError/closed``; the errors of the file.
  @discardableResult
  public func trim() throws(StoreError) -> Int {
    let engine = try open()
    guard let evictor else { return 0 }
    return try working(on: file) { () throws(EngineError) in try evictor.trim(engine) }
  }

  /// Removes the objects of a cache that have expired, on a queue of the store's, as the synchronous form does.
  ///
  /// - Throws: Also `CancellationError` where the task was cancelled before it began.
  @discardableResult
  public func trim() async throws -> Int {
    try Task.checkCancellation()
    // Said to be of this type, or the asynchronous form would be meant.
    let trim: () throws(StoreError) -> Int = self.trim
    return try await withTaskExecutorPreference(writers) { try trim() }
  }
}
