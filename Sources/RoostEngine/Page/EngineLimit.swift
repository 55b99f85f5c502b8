/// An exceeded limit of the format, or of a query's execution.
package struct EngineLimit: Equatable, Sendable {
  /// The limited quantity, in words that follow its number.
  package enum Kind: String, CaseIterable, Sendable {
    case tablesEver = "tables ever added to one file"
    case treesEver = "tables and indexes ever added to one file"
    case fieldsEver = "fields ever added"
    case trees = "tables and indexes"
    case indexes = "indexes"
    case fields = "fields"
    case nameBytes = "bytes in a name, and at least one"
    case namedVersions = "versions with a name in one file"
    case versionNameBytes = "bytes in the name of a version, and at least one"
    case catalogBytes = "bytes of tables, fields and their names"
    case objectsEver = "objects ever"
    case objectNumber = "as the number of an object"
    case transactionNumber = "as the number of a transaction"
    case fileBytes = "bytes in a file"
    case freeExtents = "changes of free space in one commit"
    case valueBytes = "bytes in a value"
    case treeLevels = "levels in a tree"
    case sortedObjects = "objects to be sorted"
    case predicateLinks = "links in a predicate"
    case computedTextBytes = "bytes of texts that are computed of one leaf's objects"

    /// Advice for the user, unless it is to store less.
    fileprivate var advice: String? {
      switch self {
      case .tablesEver, .treesEver, .fieldsEver:
        "Export the objects and import them into a new file, which counts from 1 again"
      case .namedVersions: "Drop one that is not needed any more"
      case .transactionNumber: "Salvage the store into a new file, which counts from 1 again"
      default: nil
      }
    }
  }

  /// The limited quantity.
  package var kind: Kind
  /// The maximum.
  package var maximum: UInt64
  /// The table that has reached the limit, if the limit is per table.
  package var table: String?

  /// A limit, of one table if it is given.
  package init(_ kind: Kind, _ maximum: some BinaryInteger, in table: String? = nil) {
    self.kind = kind
    self.maximum = UInt64(clamping: maximum)
    self.table = table
  }
}

extension EngineLimit: CustomStringConvertible {
  /// The limit in words, and what to do next.
  package var description: String {
    var words = "\(maximum) \(kind.rawValue)"
    if let table { words += " in \(table)" }
    if let advice = kind.advice { words += ". \(advice)" }
    return words
  }
}
