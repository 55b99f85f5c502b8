/// What records of the ring say of free units, after the free log of a slot.
package struct PendingFree: Sendable {
  /// The slot that the records follow. Its version is protected until a later slot is confirmed: the deltas of the records
  /// begin from its extents.
  let anchor: MetaSlot
  /// The records, in order.
  let records: [FreeRecord]
}
