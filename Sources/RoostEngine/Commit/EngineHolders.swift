import Synchronization

/// What uses an open file: stores, observations, and versions that were handed out.
///
/// While a version is held, the engine stays, also without a store. So a file that is opened again while rows of a closed
/// store are held joins the open file, and its new versions overwrite nothing that the rows see.
///
/// Nothing is counted when a version is used: a mark is made once for the readers of a version that share it.
///
/// Versions are counted only while the engine is held, by a store or here: versionCount > 0 implies that storeCount > 0 or
/// that engine is not nil.
package final class EngineHolders: Sendable {
  private struct Entry {
    let kind: FileUse.Kind
    let since: ContinuousClock.Instant
    let place: SourcePlace?
  }

  private struct State {
    /// The holders, each where its mark says; nil where there is none any more.
    var entries: [Entry?] = []
    /// The positions that are nil.
    var vacant: [Int] = []
    var storeCount = 0
    var versionCount = 0
    /// The engine, while versions hold it and no store does.
    var engine: (any AnyObject & Sendable)?

    /// Adds a holder, and returns its position.
    mutating func add(_ kind: FileUse.Kind, at place: SourcePlace?) -> Int {
      let entry = Entry(kind: kind, since: .now, place: place)
      guard let vacant = vacant.popLast() else {
        entries.append(entry)
        return entries.count - 1
      }
      entries[vacant] = entry
      return vacant
    }
  }

  private let state = Mutex(State())
  private let generation = ForkGeneration.ofNewFile()

  /// Notes a store, which holds the engine from now on, until its mark ends.
  ///
  /// - Parameter place: The code that opened it, if that is known.
  package func markStore(at place: SourcePlace?) -> HolderMark {
    let (position, released) = state.withLock { state in
      state.storeCount += 1
      return (state.add(.store, at: place), state.engine.take())
    }
    // Not under the lock. The caller has the engine.
    withExtendedLifetime(released) {}
    return HolderMark(.store, position, in: self)
  }

  /// Notes an observation until its mark ends. It does not hold the engine.
  package func markObservation() -> HolderMark {
    let position = state.withLock { $0.add(.observation, at: nil) }
    return HolderMark(.observation, position, in: self)
  }

  /// Notes a version until its mark ends.
  ///
  /// - Parameter place: The code that reads it, if that is known.
  /// - Returns: Nil where nothing holds the engine any more: the last store was closed meanwhile.
  package func markVersion(_ number: UInt64, at place: SourcePlace? = nil) -> HolderMark? {
    let position = state.withLock { state -> Int? in
      guard state.storeCount > 0 || state.engine != nil else { return nil }
      state.versionCount += 1
      return state.add(.version(number), at: place)
    }
    return position.map { HolderMark(.version(number), $0, in: self) }
  }

  /// Whether the current process is the one that opened the file. In a forked child, threads that do not exist there may
  /// hold the lock.
  fileprivate var isOfThisProcess: Bool { generation.isCurrent }

  /// Removes a holder.
  ///
  /// - Parameter engine: What a store leaves to the versions that are held, if it is the last store.
  /// - Returns: Whether they hold it now.
  fileprivate func remove(
    _ kind: FileUse.Kind, at position: Int, leaving engine: (any AnyObject & Sendable)? = nil
  ) -> Bool {
    let (isLeft, released) = state.withLock { state -> (Bool, (any AnyObject & Sendable)?) in
      state.entries[position] = nil
      state.vacant.append(position)
      switch kind {
      case .store:
        state.storeCount -= 1
        guard let engine, state.storeCount == 0, state.versionCount > 0 else { break }
        state.engine = engine
        return (true, nil)
      case .version:
        state.versionCount -= 1
        if state.versionCount == 0 { return (false, state.engine.take()) }
      case .observation: break
      }
      return (false, nil)
    }
    // Outside the lock: it may be the last reference.
    withExtendedLifetime(released) {}
    return isLeft
  }

  /// The holders now.
  func use(isWriting: Bool) -> FileUse {
    let entries = state.withLock { $0.entries.compactMap(\.self) }
    var use = FileUse()
    use.transactions = isWriting ? 1 : 0
    var versions: Set<UInt64> = []
    var oldest: Entry?
    for entry in entries {
      switch entry.kind {
      case .store: use.stores += 1
      case .observation: use.observations += 1
      case .version(let number): versions.insert(number)
      }
      if entry.since < oldest?.since ?? .now { oldest = entry }
    }
    use.versions = versions.count
    use.oldest = oldest.map {
      FileUse.Oldest(kind: $0.kind, age: .now - $0.since, place: $0.place?.description)
    }
    return use
  }
}

/// Keeps a holder noted.
package final class HolderMark: Sendable {
  private let kind: FileUse.Kind
  private let position: Int
  private let holders: EngineHolders
  private let hasEnded = Atomic(false)

  fileprivate init(_ kind: FileUse.Kind, _ position: Int, in holders: EngineHolders) {
    self.kind = kind
    self.position = position
    self.holders = holders
  }

  deinit { end() }

  /// Ends the use, once; then the engine may end.
  package func end() {
    guard holders.isOfThisProcess, !hasEnded.exchange(true, ordering: .relaxed) else { return }
    _ = holders.remove(kind, at: position)
  }

  /// Ends the use by a store, once. If it was the last store and versions are held, these hold the engine from now on.
  ///
  /// - Returns: Whether they do.
  package func end(leaving engine: any AnyObject & Sendable) -> Bool {
    guard holders.isOfThisProcess, !hasEnded.exchange(true, ordering: .relaxed) else {
      return false
    }
    return holders.remove(kind, at: position, leaving: engine)
  }
}
