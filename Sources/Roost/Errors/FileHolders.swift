package import RoostEngine

/// What keeps a file open in this process: see ``StoreError/inUse(path:by:)``.
///
/// All numbers are 0 where the file is just being opened, copied or compacted, and where it mirrors a store in memory.
public struct FileHolders: Hashable, Sendable {
  /// The kind of a holder.
  @nonexhaustive
  public enum Kind: String, Hashable, Sendable {
    /// A ``Store`` that is open, or another one without models.
    case store
    /// An iterator of ``Changes``, or of other observed things.
    case observation
    /// A version that a ``Snapshot``, ``Rows`` or a ``Row`` retains.
    case version
  }

  /// The holder that has been there for the longest time.
  public struct Oldest: Hashable, Sendable {
    /// What it is.
    public let kind: Kind
    /// The time since the store was opened, the observation began, or the version was first read.
    public let age: Duration
    /// Where in the program's code a store was opened, and in debug builds where a snapshot was taken:
    /// `App/Session.swift:12`; nil if that is not known.
    public let place: String?
  }

  /// The number of open stores.
  public let stores: Int
  /// The number of running write transactions: 1 at most.
  public let transactions: Int
  /// The number of observations.
  public let observations: Int
  /// The number of versions that snapshots or rows retain.
  public let versions: Int
  /// The oldest of them; nil if there is none.
  public let oldest: Oldest?
}

extension FileHolders {
  package init(_ use: FileUse) {
    stores = use.stores
    transactions = use.transactions
    observations = use.observations
    versions = use.versions
    oldest = use.oldest.map { oldest in
      let kind: Kind =
        switch oldest.kind {
        case .store: .store
        case .observation: .observation
        case .version: .version
        }
      return Oldest(kind: kind, age: oldest.age, place: oldest.place)
    }
  }

  /// The holders in words, and what to do about them.
  var words: String {
    let parts = [
      counted(stores, "an open store", "open stores"),
      counted(transactions, "a running transaction", "running transactions"),
      counted(observations, "an observation", "observations"),
      counted(versions, "snapshots or rows of a version", "snapshots or rows of % versions"),
    ].compactMap(\.self)
    guard !parts.isEmpty else {
      return
        "it is being opened, copied or compacted, or mirrors a store in memory. Wait for that, or close the store."
    }
    let advice = "Close the stores, and release the snapshots and rows, then try again."
    return parts.joined(separator: ", ") + ". " + (oldest.map { "\($0.sentence) " } ?? "") + advice
  }

  private func counted(_ count: Int, _ one: String, _ several: String) -> String? {
    switch count {
    case ...0: nil
    case 1: one
    default:
      several.contains("%")
        ? several.replacing("%", with: "\(count)") : "\(count) \(several)"
    }
  }
}

extension FileHolders.Oldest {
  fileprivate var sentence: String {
    let what =
      switch kind {
      case .store: "The oldest is a store, opened"
      case .observation: "The oldest is an observation, begun"
      case .version: "The oldest is a version, read"
      }
    let place = place.map { " at \($0)" } ?? ""
    return "\(what) \(age.components.seconds) s ago\(place)."
  }
}
