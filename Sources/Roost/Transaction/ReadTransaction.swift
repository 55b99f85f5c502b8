internal import RoostEngine

/// Reads of one version, inside of the closure of `read`.
///
/// Everything it returns belongs to one version, whatever is written meanwhile. After the closure it
/// throws ``StoreError/transactionEnded``; it cannot leave an `async` one at all. For a version to keep,
/// take a ``Snapshot``.
@safe
public final class ReadTransaction: ObjectReader {
  /// Kept after the end: rows may outlive the closure, and hold the transaction rather than this, which
  /// threads share, so that they do not all count references in one place.
  private let context: VersionContext
  /// The same until the end, so that the calls that take tens of nanoseconds count no references to it.
  private var reference: Unmanaged<VersionContext>?

  init(_ context: VersionContext) {
    self.context = context
    unsafe reference = Unmanaged.passUnretained(context)
  }

  /// The number of the version: each commit makes a higher one.
  public var version: UInt64 {
    get throws(StoreError) { try open().snapshot.version.transaction }
  }

  /// Where reads go. For the store's own use.
  public var _reader: _Reader {
    get throws(StoreError) { _Reader(context: try open()) }
  }

  func open() throws(StoreError) -> VersionContext {
    guard unsafe reference != nil else { throw .transactionEnded }
    return context
  }

  /// Where reads go, held by this transaction until its end.
  @inline(__always)
  func unowned() throws(StoreError) -> Unmanaged<VersionContext> {
    guard let reference = unsafe reference else { throw .transactionEnded }
    return unsafe reference
  }

  func end() { unsafe reference = nil }
}
