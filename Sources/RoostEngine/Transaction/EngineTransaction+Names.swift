/// Named versions (Format.md §6).
extension EngineTransaction {
  /// The named versions after this transaction, oldest first.
  package var namedNow: [NamedVersion] { named ?? base.named?.list ?? [] }

  /// Names the version that this transaction began from; it can be read by this name until the name is dropped.
  ///
  /// Does not include the transaction's own changes. The transaction must have begun on trees, see
  /// ``Engine/beginWrite(onTrees:)``.
  /// - Parameters:
  ///   - date: In seconds since 2001-01-01 00:00 UTC.
  ///   - openings: Through how many openings of the file it is kept, see ``countOpening(of:)``; 0 until it is dropped.
  /// - Throws: `.version` where a version has the name; `.limit` for a name that is empty or too long, and where too many
  ///   versions have names.
  /// - Complexity: O(1) in the version's content, which is not copied. What later versions replace of it stays in the file.
  package func keepBase(as name: String, date: Double, openings: UInt32 = 0) throws(EngineError) {
    try checkIsOpen()
    precondition(base.unapplied == nil, "The transaction has not begun on trees.")
    guard 1...NamedVersion.nameBytesMax ~= name.utf8.count else {
      throw .limit(EngineLimit(.versionNameBytes, NamedVersion.nameBytesMax))
    }
    var list = namedNow
    guard !list.contains(where: { $0.name == name }) else {
      throw .version(named: name, .taken)
    }
    guard list.count < NamedVersion.countMax else {
      throw .limit(EngineLimit(.namedVersions, NamedVersion.countMax))
    }
    list.append(NamedVersion(name, date: date, openings: openings, of: base.slot))
    setNamed(list)
  }

  /// Drops a version's name. Space that only this version uses is free when the commit is confirmed.
  ///
  /// - Throws: `.version` where none has the name.
  package func dropVersion(named name: String) throws(EngineError) {
    try checkIsOpen()
    var list = namedNow
    guard let place = list.firstIndex(where: { $0.name == name }) else {
      throw .version(named: name, .unknown)
    }
    list.remove(at: place)
    setNamed(list)
  }

  /// Notes that the file was opened: of some versions that are kept through some openings, those go whose number is used up.
  package func countOpening(of versions: [UInt64]) throws(EngineError) {
    try checkIsOpen()
    var list = namedNow
    list.removeAll { $0.openings == 1 && versions.contains($0.transaction) }
    for place in list.indices
    where list[place].openings > 0 && versions.contains(list[place].transaction) {
      list[place].openings -= 1
    }
    guard list != namedNow else { return }
    setNamed(list)
  }

  /// Whether a name belongs to a version that is kept through a number of openings.
  package func isKeptThroughOpenings(_ name: String) -> Bool {
    namedNow.contains { $0.name == name && $0.openings > 0 }
  }

  /// Whether the version that this transaction began from has a name after the transaction.
  var namesBase: Bool { namedNow.last?.transaction == base.transaction }

  private func setNamed(_ list: [NamedVersion]) {
    named = list == (base.named?.list ?? []) ? nil : list
    if list.count > base.named?.list.count ?? 0 { writer.onlyDeletes = false }
    writer.setBase(base.transaction, isNamed: namesBase)
  }

  /// Whether the transaction has changed or removed objects or values that existed before it.
  ///
  /// - Parameter counts: Which tables count.
  package func replacesValues(
    in counts: (TableDefinition) -> Bool
  ) throws(EngineError) -> Bool {
    let tables = try view().catalog
    let roots = currentRoots()
    return base.catalog.tables.contains { table in
      guard counts(table), let before = base.appliedRoots[table.tree], !before.pointer.isNull else {
        return false
      }
      guard let after = tables.table(table.id), roots[table.tree]?.pointer == before.pointer else {
        return true
      }
      return table.fields.contains { after.field($0.id) == nil }
    }
  }
}
