/// Visits every extent of a version that was born after some transaction.
struct VersionWalk {
  let slot: MetaSlot
  let reader: PageReader
  let bornAfter: UInt64

  /// Calls `body` with each extent's pointer, an extent before those that it points to.
  func visit(
    _ body: @escaping (ExtentPointer) throws(EngineError) -> Void
  ) throws(EngineError) {
    try visitContent(ExtentVisitor(bornAfter: bornAfter, body))
    try visitFreeLog(body)
    // A version gets its name in a later one. Of an older list all versions are older, too.
    guard slot.namedVersions.birth > bornAfter else { return }
    for version in try [NamedVersion](slot, reader: reader) where version.transaction > bornAfter {
      try VersionWalk(slot: version.slot(beside: slot), reader: reader, bornAfter: bornAfter)
        .visitContent(ExtentVisitor(bornAfter: bornAfter, body))
    }
  }

  /// As ``visit(_:)``, but for the pages of the free log and the versions that have names.
  func visitContent(_ visitor: ExtentVisitor) throws(EngineError) {
    for extent in [slot.rootsExtent, slot.namedVersions] where extent.birth > bornAfter {
      try visitor.visit(extent)
    }
    if slot.catalog.birth > bornAfter {
      try reader.visitValue(
        ValueEdge(
          root: slot.catalog, length: slot.catalogLength, parentBirth: slot.transaction), visitor)
    }
    for root in try RootTable(slot, reader: reader).roots.all
    where root.pointer.birth > bornAfter {
      switch root.kind {
      case .objects:
        try ObjectTree(root: root, shape: TableShape([]), reader: reader).walk(visitor)
      case .index:
        try IndexTree(root: root, reader: reader).walk(visitor)
      }
    }
  }

  private func visitFreeLog(
    _ body: @escaping (ExtentPointer) throws(EngineError) -> Void
  ) throws(EngineError) {
    var pointer = slot.freeLog
    var rest = slot.freeLogPages
    var seen: Set<UInt64> = []
    while rest > 0, !pointer.isNull, pointer.birth > bornAfter {
      guard seen.insert(pointer.unit).inserted else {
        throw .corrupt(Corruption(.freeLog, unit: pointer.unit))
      }
      try body(pointer)
      pointer = try reader.withBytes(of: pointer) { (bytes) throws(EngineError) in
        try FreeLogPage(bytes, pointer: pointer).older
      }
      rest -= 1
    }
  }
}
