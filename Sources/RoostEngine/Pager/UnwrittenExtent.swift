/// An extent that a transaction has made and not written.
struct UnwrittenExtent {
  let frame: Frame
  /// Its first unit.
  let unit: UInt64
  /// The extent of the version before that it was made of, where that is known.
  let base: Frame?
  /// How it was made of that, where that is known.
  let ops: DeltaOps?
}
