/// The holders of locks on a file in memory.
package struct LockTable<Owner: Hashable & Sendable>: Sendable {
  private var shared: Set<Owner> = []
  private var exclusive: Owner?

  /// Nobody holds a lock.
  package init() {}

  /// Gives `owner` the lock, changing one it already has, or returns false where another is in the way.
  package mutating func lock(exclusive wantsExclusive: Bool, owner: Owner) -> Bool {
    guard exclusive == nil || exclusive == owner else { return false }
    guard !wantsExclusive || shared.isSubset(of: [owner]) else { return false }
    unlock(owner: owner)
    if wantsExclusive {
      exclusive = owner
    } else {
      shared.insert(owner)
    }
    return true
  }

  /// Ends the owner's lock, if it has one.
  package mutating func unlock(owner: Owner) {
    shared.remove(owner)
    if exclusive == owner { exclusive = nil }
  }
}
