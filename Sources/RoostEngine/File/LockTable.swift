/// The owners of locks on a file in memory.
package struct LockTable<Owner: Hashable & Sendable>: Sendable {
  private var shared: Set<Owner> = []
  private var exclusive: Owner?

  /// A table without locks.
  package init() {}

  /// Gives `owner` the lock or converts its lock; returns false if another owner's lock conflicts.
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

  /// Releases the owner's lock, if it has one.
  package mutating func unlock(owner: Owner) {
    shared.remove(owner)
    if exclusive == owner { exclusive = nil }
  }
}
