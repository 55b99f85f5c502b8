/// The deletions of a transaction whose delete rules have not been applied yet.
///
/// Rules are applied to many deletions together, but before any operation that could see the difference. So the tables
/// that they may change are tracked.
struct PendingDeletions {
  /// Tables of deleted objects.
  private var tables: [UInt32] = []
  /// The tables that applying the pending rules may change.
  private var atStake: Set<UInt32> = []
  /// For each table, the tables that deleting its objects may change.
  private var reach: [UInt32: Set<UInt32>] = [:]
  /// The identifiers of objects that a rule has deleted and that may still be linked to, by table and key.
  private(set) var identifiers: [UInt32: [Int64: Value]] = [:]

  /// Whether no rules are pending.
  var isEmpty: Bool { tables.isEmpty }

  /// Whether applying the rules may change a table.
  func mayChange(_ table: UInt32) -> Bool { !tables.isEmpty && atStake.contains(table) }

  /// Notes that an object of a table with rules was deleted.
  mutating func note(in table: UInt32, _ catalog: Catalog) {
    guard !tables.contains(table) else { return }
    tables.append(table)
    let known = reach[table] ?? catalog.tablesChanged(byDeletingFrom: table)
    reach[table] = known
    atStake.formUnion(known)
  }

  /// Notes the identifier of an object that a rule is about to delete.
  mutating func note(_ identifier: Value, of key: Int64, in table: UInt32) {
    identifiers[table, default: [:]][key] = identifier
  }

  /// Forgets the pending rules, because the deletions are undone.
  mutating func forgetUnfollowed() {
    tables = []
    atStake = []
  }

  /// A table whose rules are pending; nil if none is left.
  mutating func next() -> UInt32? {
    if let table = tables.popLast() { return table }
    atStake = []
    return nil
  }

  /// Forgets which tables depend on which. No rules are pending.
  mutating func catalogDidChange() { reach = [:] }
}

extension Catalog {
  /// The tables that the rules of links may change when objects of a table are deleted.
  fileprivate func tablesChanged(byDeletingFrom table: UInt32) -> Set<UInt32> {
    var changed: Set<UInt32> = []
    var losing: Set<UInt32> = [table]
    var waiting = [table]
    var rules: [UInt32: [(owner: UInt32, rule: ReferentialAction)]] = [:]
    for owner in tables {
      for field in owner.fields where field.type.isLink && field.deleteRule != .deny {
        rules[field.target, default: []].append((owner.id, field.deleteRule))
      }
    }
    while let next = waiting.popLast() {
      for (owner, rule) in rules[next] ?? [] {
        changed.insert(owner)
        if rule == .cascade, losing.insert(owner).inserted { waiting.append(owner) }
      }
    }
    return changed
  }
}
