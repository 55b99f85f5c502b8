internal import RoostEngine

/// A limit of a store or a query, with its maximum.
public struct StoreLimit: Hashable, Sendable {
  /// The limited quantity.
  @nonexhaustive
  public enum Kind: Hashable, Sendable {
    /// Models that one file has ever had, removed ones included.
    case modelsEver
    /// Models and indexes that one file has ever had, removed ones included.
    case modelsAndIndexesEver
    /// Fields that a model has ever had in one file, removed ones included.
    case fieldsEver
    /// Models and indexes at a time.
    case modelsAndIndexes
    /// Indexes of a model.
    case indexes
    /// Fields of a model.
    case fields
    /// Bytes of the name of a model or of a field, which has at least one, and of a store in a ``StoreDirectory``.
    case nameBytes
    /// Versions kept under names in one file.
    case keptVersions
    /// Bytes of the name of a kept version, which has at least one.
    case versionNameBytes
    /// Bytes of the descriptions of all models.
    case schemaBytes
    /// Objects that a model has ever had.
    case objectsEver
    /// The number that the store assigns to an object.
    case objectNumber
    /// Transactions that one file has ever had.
    case transactionNumber
    /// Bytes of the file.
    case fileBytes
    /// Changes of free space in one transaction.
    case freeSpaceChanges
    /// Bytes of a value.
    case valueBytes
    /// Levels of a tree.
    case treeLevels
    /// Objects that a query sorts.
    case sortedObjects
    /// Links in a chain that a query follows.
    case followedLinks
    /// Bytes of texts that a query computes at once.
    case computedTextBytes
  }

  /// The limited quantity.
  public let kind: Kind
  /// The maximum.
  public let maximum: UInt64
  /// The model that has reached the limit, if the limit is per model.
  public let model: String?

  /// A limit; of one model, if a name is given.
  public init(_ kind: Kind, maximum: UInt64, model: String? = nil) {
    self.kind = kind
    self.maximum = maximum
    self.model = model
  }
}

extension StoreLimit: CustomStringConvertible {
  /// The maximum, and what to do next.
  public var description: String {
    EngineLimit(kind.engine, maximum, in: model).description
  }
}

extension StoreLimit {
  init(_ limit: EngineLimit) {
    self.init(Kind(limit.kind), maximum: limit.maximum, model: limit.table)
  }
}

extension StoreLimit.Kind {
  fileprivate init(_ kind: EngineLimit.Kind) {
    self =
      switch kind {
      case .tablesEver: .modelsEver
      case .treesEver: .modelsAndIndexesEver
      case .fieldsEver: .fieldsEver
      case .trees: .modelsAndIndexes
      case .indexes: .indexes
      case .fields: .fields
      case .nameBytes: .nameBytes
      case .namedVersions: .keptVersions
      case .versionNameBytes: .versionNameBytes
      case .catalogBytes: .schemaBytes
      case .objectsEver: .objectsEver
      case .objectNumber: .objectNumber
      case .transactionNumber: .transactionNumber
      case .fileBytes: .fileBytes
      case .freeExtents: .freeSpaceChanges
      case .valueBytes: .valueBytes
      case .treeLevels: .treeLevels
      case .sortedObjects: .sortedObjects
      case .predicateLinks: .followedLinks
      case .computedTextBytes: .computedTextBytes
      }
  }

  fileprivate var engine: EngineLimit.Kind {
    switch self {
    case .modelsEver: .tablesEver
    case .modelsAndIndexesEver: .treesEver
    case .fieldsEver: .fieldsEver
    case .modelsAndIndexes: .trees
    case .indexes: .indexes
    case .fields: .fields
    case .nameBytes: .nameBytes
    case .keptVersions: .namedVersions
    case .versionNameBytes: .versionNameBytes
    case .schemaBytes: .catalogBytes
    case .objectsEver: .objectsEver
    case .objectNumber: .objectNumber
    case .transactionNumber: .transactionNumber
    case .fileBytes: .fileBytes
    case .freeSpaceChanges: .freeExtents
    case .valueBytes: .valueBytes
    case .treeLevels: .treeLevels
    case .sortedObjects: .sortedObjects
    case .followedLinks: .predicateLinks
    case .computedTextBytes: .computedTextBytes
    }
  }
}
