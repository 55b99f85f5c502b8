/// Lists of links, edited in place: an edit costs the logarithm of the list's length.
extension EngineTransaction {
  /// The number of links in a list.
  ///
  /// - Throws: `.missing` where there is no such object; `.unknownField` where the field is no list of links.
  package func linkCount(_ table: UInt32, key: Int64, field: FieldID) throws(EngineError) -> UInt64
  {
    try list(table, key, field).editor.length / UInt64(LinkList.linkBytes)
  }

  /// The targets of some links of a list.
  ///
  /// - Parameter range: Within the list.
  package func links(
    _ table: UInt32, key: Int64, field: FieldID, in range: Range<UInt64>
  ) throws(EngineError) -> [Int64] {
    LinkList.targets(try list(table, key, field).editor.read(bytes(range)))
  }

  /// Inserts links at a position, which is at most their number.
  package func insertLinks(
    _ targets: [Int64], at place: UInt64, _ table: UInt32, key: Int64, field: FieldID
  ) throws(EngineError) {
    let list = try changedList(table, key, field)
    guard let index = list.index else { return }
    try applying { () throws(EngineError) in
      for target in targets { try index.addLink(to: target, of: key, &scratchKey) }
      try list.editor.insert(
        LinkList.bytes(targets), at: place * UInt64(LinkList.linkBytes))
    }
    try applyIfLarge(try state(table))
  }

  /// Removes the links of a range, which lies in the list.
  package func removeLinks(
    in range: Range<UInt64>, _ table: UInt32, key: Int64, field: FieldID
  ) throws(EngineError) {
    let list = try changedList(table, key, field)
    guard let index = list.index else { return }
    try applying { () throws(EngineError) in
      for target in LinkList.targets(try list.editor.read(bytes(range))) {
        try index.removeLink(to: target, of: key, &scratchKey)
      }
      try list.editor.remove(bytes(range))
    }
    try applyIfLarge(try state(table))
  }

  /// Moves the links of a range to before the one that is now at a place, outside of the range or at its end.
  package func moveLinks(
    in range: Range<UInt64>, to place: UInt64, _ table: UInt32, key: Int64, field: FieldID
  ) throws(EngineError) {
    precondition(
      place <= range.lowerBound || place >= range.upperBound, "The links move into themselves.")
    let list = try changedList(table, key, field)
    try applying { () throws(EngineError) in
      let moved = try list.editor.read(bytes(range))
      try list.editor.remove(bytes(range))
      let start = place * UInt64(LinkList.linkBytes)
      try list.editor.insert(
        moved, at: place <= range.lowerBound ? start : start - UInt64(moved.count))
    }
  }

  private func bytes(_ range: Range<UInt64>) -> Range<UInt64> {
    let bytes = UInt64(LinkList.linkBytes)
    return range.lowerBound * bytes..<range.upperBound * bytes
  }

  private func changedList(
    _ table: UInt32, _ key: Int64, _ field: FieldID
  ) throws(EngineError) -> OpenValue {
    try changedValue(table, key, field, .links)
  }

  private func list(
    _ table: UInt32, _ key: Int64, _ field: FieldID
  ) throws(EngineError) -> OpenValue {
    try editedValue(table, key, field, .links)
  }
}
