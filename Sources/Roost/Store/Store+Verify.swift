internal import Dispatch
internal import RoostEngine

/// Something in a store's file that is not as it must be.
public struct StoreDamage: Hashable, Sendable {
  /// What is wrong, in a word or two: `checksum`, `node order`, `index entry`.
  public let reason: String
  /// Where in the file it was found, in units of 4096 bytes.
  public let unit: UInt64?
  /// The model whose objects it hits.
  public let model: String?
  /// The field whose index it hits, where that and not the objects themselves is damaged.
  public let index: String?
  /// Between which objects' keys it lies: those of models whose key is an `Int`, else numbers of the store's own.
  public let keys: ClosedRange<Int64>?

  init(_ finding: Corruption, names: TreeNames) {
    let name = finding.tree.flatMap { names[$0] }
    reason = StoreError.words(finding.reason)
    unit = finding.unit
    model = name?.table
    index = name?.field
    keys = finding.keys
  }
}

extension StoreDamage: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    var parts = [reason]
    if let unit { parts.append("unit \(unit)") }
    if let model { parts.append(index.map { "index of \(model).\($0)" } ?? model) }
    if let keys { parts.append("keys \(keys.lowerBound)…\(keys.upperBound)") }
    return parts.joined(separator: ", ")
  }
}

extension Store {
  /// Checks everything in the newest version, on the caller's thread, and returns all damage; nothing where it
  /// is sound.
  ///
  /// Reads the whole file, whatever is in memory: every pointer and checksum, the order of keys, counts, zone
  /// maps, that indexes agree with their models' objects and links lead somewhere, and that each unit has one
  /// owner. Takes seconds for a gigabyte, little memory, and waits for nobody. What lies behind damage cannot
  /// be checked.
  /// - Parameter progress: Called now and then with the share that is done, from 0 to 1.
  /// - Throws: ``StoreError/closed``, and what the system refuses; damage is returned.
  public func verify(progress: ((Double) -> Void)? = nil) throws(StoreError) -> [StoreDamage] {
    let context = try version()
    let findings = try atPath(context.path) { () throws(EngineError) in
      try context.snapshot.verify(
        progress: progress.map { progress in
          { progress(Double($0.done) / Double(max($0.total, 1))) }
        })
    }
    let names = TreeNames(context.snapshot.catalog)
    return findings.map { StoreDamage($0, names: names) }
  }

  /// Checks everything in the newest version on a queue of the store's, as the synchronous form does.
  ///
  /// - Throws: Also `CancellationError` where the task was cancelled before it began.
  public func verify(
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> [StoreDamage] {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
      readQueue.async {
        // Said to be of this type, or the asynchronous form would be meant.
        let verify: (((Double) -> Void)?) throws(StoreError) -> [StoreDamage] = self.verify
        continuation.resume(with: Swift.Result { try verify(progress) })
      }
    }
  }
}
