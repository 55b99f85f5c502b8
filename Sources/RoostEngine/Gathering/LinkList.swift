/// A list of links as a cell holds it: the object keys of the targets in their order, 8 bytes each (Format.md §6).
package enum LinkList {
  /// The bytes of one link.
  package static let linkBytes = 8
  /// Whether a list can have this many bytes.
  static func canHave(_ byteCount: UInt64) -> Bool { byteCount.isMultiple(of: UInt64(linkBytes)) }

  /// The targets; an incomplete link at the end is ignored.
  package static func targets(_ bytes: ByteView) -> [Int64] {
    (0..<bytes.count / linkBytes).map { Int64(bitPattern: bytes.uint64(at: $0 * linkBytes)) }
  }

  /// The targets; an incomplete link at the end is ignored.
  package static func targets(_ bytes: [UInt8]) -> [Int64] {
    bytes.withByteView { targets($0) }
  }

  /// The bytes of a list of targets.
  package static func bytes(_ targets: some Collection<Int64>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(targets.count * linkBytes)
    for target in targets { bytes.append(bytesOf: target.littleEndian) }
    return bytes
  }

  /// Calls `body` with each index entry of a list: a target, and the number of links to it that come before.
  static func forEachEntry<E: Error>(
    _ targets: [Int64], _ body: (_ target: Int64, _ occurrence: UInt64) throws(E) -> Void
  ) throws(E) {
    guard targets.count > 1 else {
      if let target = targets.first { try body(target, 0) }
      return
    }
    var occurrence: UInt64 = 0
    var previous: Int64?
    for target in targets.ascending() {
      occurrence = target == previous ? occurrence + 1 : 0
      previous = target
      try body(target, occurrence)
    }
  }

  /// Calls `body` with each entry that only one of two lists has.
  static func forEachDifference(
    from old: [Int64], to new: [Int64],
    _ body: (_ target: Int64, _ occurrence: UInt64, _ isAddition: Bool) -> Void
  ) {
    let old = old.ascending()
    let new = new.ascending()
    var (oldPlace, newPlace) = (0, 0)
    while oldPlace < old.count || newPlace < new.count {
      let oldTarget = oldPlace < old.count ? old[oldPlace] : .max
      let newTarget = newPlace < new.count ? new[newPlace] : .max
      let target = min(oldTarget, newTarget)
      let oldEnd = old[oldPlace...].prefix { $0 == target }.endIndex
      let newEnd = new[newPlace...].prefix { $0 == target }.endIndex
      let before = UInt64(oldEnd - oldPlace)
      let after = UInt64(newEnd - newPlace)
      for occurrence in min(before, after)..<max(before, after) {
        body(target, occurrence, after > before)
      }
      (oldPlace, newPlace) = (oldEnd, newEnd)
    }
  }
}

extension IndexKey {
  /// The key of a link of a list: that of the target, and after it, where links to the same target come before, their
  /// number. So the objects that link to a target have one entry with its key, however often they do.
  mutating func set(_ target: Int64, occurrence: UInt64) {
    set(target)
    if occurrence > 0 { append(occurrence) }
  }
}

extension FieldDefinition {
  /// Calls `body` with the key of each entry that the field's index has of an object; one, unless the field is a
  /// list of links.
  ///
  /// - Parameters:
  ///   - leaf: The object's leaf.
  ///   - key: A key to be used for it.
  package func forEachIndexKey(
    _ leaf: LeafReference, row: Int, _ key: inout IndexKey,
    _ body: (IndexKey) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard type == .links else {
      try key.set(leaf, row: row, field: id)
      return try body(key)
    }
    for (target, occurrence) in entries(try leaf.links(row, of: id)) {
      key.set(target, occurrence: occurrence)
      try body(key)
    }
  }

  /// Calls `body` with the key of each entry that the field's index has of an object, whose cell lies in a column.
  package func forEachIndexKey<Failure: Error>(
    _ column: ColumnBuffer, row: Int, _ key: inout IndexKey,
    _ body: (IndexKey) throws(Failure) -> Void
  ) throws(Failure) {
    guard type == .links else {
      key.set(column, row: row)
      return try body(key)
    }
    for (target, occurrence) in entries(LinkList.targets(column.bytes(row))) {
      key.set(target, occurrence: occurrence)
      try body(key)
    }
  }

  private func entries(_ targets: [Int64]) -> [(target: Int64, occurrence: UInt64)] {
    var entries: [(target: Int64, occurrence: UInt64)] = []
    entries.reserveCapacity(targets.count)
    LinkList.forEachEntry(targets) { entries.append(($0, $1)) }
    return entries
  }
}

extension LeafReference {
  /// The targets of a list of links.
  package func links(_ row: Int, of field: FieldID) throws(EngineError) -> [Int64] {
    let column = try column(field)
    defer { withExtendedLifetime(self) {} }
    guard !column.isNull(row) else { return [] }
    guard column.type == .bytes else {
      throw located(.corrupt(Corruption(.directory, unit: pointer.unit)))
    }
    guard let reference = column.external(row) else { return LinkList.targets(column.bytes(row)) }
    return LinkList.targets(try value(reference, of: field))
  }
}
