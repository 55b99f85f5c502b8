/// Reads and writes the three meta slots and their confirm marks.
package struct SlotStore: @unchecked Sendable {  // used by one thread at a time
  let file: any StorageFile
  let identity: StoreIdentity
  /// The buffer in which slots and marks are assembled.
  private let unit = AlignedBytes(count: Unit.bytes)

  package init(file: any StorageFile, identity: StoreIdentity) {
    self.file = file
    self.identity = identity
  }

  /// A valid slot, with its checksum.
  struct Found {
    let index: Int
    let slot: MetaSlot
    let checksum: UInt64
  }

  /// The content of the slot blocks.
  struct Survey {
    /// Whole slots, newest first.
    var slots: [Found] = []
    var marks: [ConfirmMark] = []

    /// The highest transaction known confirmed.
    var confirmed: UInt64 {
      max(slots.map(\.slot.confirmed).max() ?? 0, marks.map(\.transaction).max() ?? 0)
    }
    /// Whether the newest slot closed the file in order, and is known durable.
    var isClosed: Bool {
      guard let newest = slots.first, newest.slot.isClosed else { return false }
      return marks.contains {
        $0.transaction == newest.slot.transaction && $0.slotChecksum == newest.checksum
      }
    }
    /// The highest transaction seen anywhere.
    var highest: UInt64 { max(slots.map(\.slot.transaction).max() ?? 0, confirmed) }
  }

  func survey() throws(EngineError) -> Survey {
    var survey = Survey()
    for index in 0..<MetaSlot.count {
      let unit = try read(Unit.bytes, at: MetaSlot.offset(of: index))
      try unit.withView { view throws(EngineError) in
        guard let slot = try MetaSlot(view, identity: identity) else { return }
        let checksum = view.uint64(at: Unit.bytes - 8)
        survey.slots.append(Found(index: index, slot: slot, checksum: checksum))
      }
      let mark = try read(ConfirmMark.size, at: ConfirmMark.offset(ofSlot: index))
      mark.withView { view in
        if let mark = ConfirmMark(view) { survey.marks.append(mark) }
      }
    }
    survey.slots = survey.slots.ascending { -Int(clamping: $0.slot.transaction) }
    return survey
  }

  /// Writes a slot and returns its checksum.
  func write(_ slot: MetaSlot, at index: Int) throws(EngineError) -> UInt64 {
    let checksum = slot.store(in: unit.mutableView)
    try write(Unit.bytes, at: MetaSlot.offset(of: index))
    return checksum
  }

  /// Overwrites a slot so that no reader takes it for a version.
  func invalidate(_ index: Int) throws(EngineError) {
    unit.mutableView.zero()
    try write(Unit.bytes, at: MetaSlot.offset(of: index))
  }

  func confirm(slot index: Int, transaction: UInt64, checksum: UInt64) throws(EngineError) {
    ConfirmMark(transaction: transaction, slotChecksum: checksum).store(in: unit.mutableView)
    try write(ConfirmMark.size, at: ConfirmMark.offset(ofSlot: index))
  }

  private func read(_ count: Int, at offset: UInt64) throws(EngineError) -> AlignedBytes {
    let buffer = AlignedBytes(count: count)
    let read: Int
    do { read = try file.read(into: buffer.mutableView, at: offset) } catch { throw .file(error) }
    // The file was long enough: a part must not be taken for a slot or a mark that is not there.
    guard read == count else { throw .truncated(path: file.path) }
    return buffer
  }

  /// Writes the first bytes of the assembled unit.
  private func write(_ count: Int, at offset: UInt64) throws(EngineError) {
    do {
      try file.write(unit.mutableView.readOnly.slice(0, count), at: offset)
    } catch { throw .file(error) }
    withExtendedLifetime(unit) {}
  }
}
