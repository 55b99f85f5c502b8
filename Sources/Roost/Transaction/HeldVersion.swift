internal import RoostEngine
internal import Synchronization

/// The content of a snapshot: a version, or the error that every read throws.
///
/// Each `read` makes its own: rows retain it instead of the ``VersionContext``, which threads share, so that threads
/// do not contend for one reference count.
///
/// Sendable because it is immutable.
final class HeldVersion: @unchecked Sendable {
  private enum Content {
    case version(VersionContext)
    case refused(Refusal)
  }

  /// The error that each read throws; an object, so that the content is a single reference.
  private final class Refusal: Sendable {
    let error: StoreError

    init(_ error: StoreError) { self.error = error }
  }

  private let content: Content
  /// The version, unretained, so that calls of tens of nanoseconds count no references; nil if there is no version.
  private let reference: UnownedReference<VersionContext>?

  init(_ context: VersionContext) {
    content = .version(context)
    reference = UnownedReference(context)
  }

  /// No version: each read throws the error.
  init(refusing error: StoreError) {
    content = .refused(Refusal(error))
    reference = nil
  }

  /// The version to read from.
  ///
  /// - Throws: The reason why there is no version; ``StoreError/forked(path:)`` in a process that was forked since.
  func open() throws(StoreError) -> VersionContext {
    switch content {
    case .version(let context):
      guard context.isOfThisProcess else { throw .forked(path: context.file.path) }
      return context
    case .refused(let refusal): throw refusal.error
    }
  }

  /// The version to read from, retained by this object; counts no reference.
  ///
  /// - Throws: What ``open()`` throws.
  @inline(__always)
  func unowned() throws(StoreError) -> UnownedReference<VersionContext> {
    if let reference, reference.withObject({ $0.isOfThisProcess }) { return reference }
    return try UnownedReference(open())
  }
}

extension NewestVersion {
  /// The newest version, bound to a store's models; nil if the engine is gone, or the last store was
  /// closed.
  ///
  /// - Throws: ``StoreError/modelsChanged``.
  @inline(__always)
  func held(for binding: StoreBinding) throws(StoreError) -> HeldVersion? {
    if let known = companion(of: binding) as? HeldVersion { return known }
    guard let snapshot = snapshot() else { return nil }
    guard binding.fits(snapshot.catalog, epoch: snapshot.version.modelsEpoch) else {
      throw .modelsChanged
    }
    guard let mark = holders.markVersion(snapshot.version.transaction) else { return nil }
    let held = HeldVersion(VersionContext(snapshot, binding: binding, mark: mark))
    keep(held, of: binding, beside: snapshot) { !binding.isClosed.load(ordering: .acquiring) }
    return held
  }
}
