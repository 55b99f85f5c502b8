#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What an import read, wrote and left out, class by class. The store keeps it, as its
/// `importReport`.
public struct ImportReport: Hashable, Codable, Sendable {
  /// The classes that became models, in the order of the mapping.
  public internal(set) var classes: [Class]
  /// The classes that the mapping ignores.
  public internal(set) var ignored: [Unread] = []
  /// The classes with objects that the mapping does not name. These objects are in the source alone.
  public internal(set) var unnamed: [Unread] = []
  /// The properties of which values were rounded, as nanoseconds that a `Date` does not have.
  public internal(set) var roundings: [Rounding] = []
  /// The properties of which values were left out of their objects because the mapping says so: with `ifReadable` or
  /// `skippingDangling` of SQLite's rows.
  public internal(set) var omissions: [Omission] = []
  /// What else the source defines, as views, triggers and indexes of SQLite; those that the mapping ignores are left out.
  public internal(set) var definitions: [Definition] = []
  let source: SourceState

  init(source: SourceState, classes: [Class]) {
    self.source = source
    self.classes = classes
  }

  /// Whether each object of the source was written, or left out on purpose.
  ///
  /// A virtual table, which is not read, must be ignored by the mapping.
  public var isComplete: Bool { notNamed.isEmpty && classes.allSatisfy(\.isComplete) }

  /// What the mapping should name: its objects may be nowhere else.
  var notNamed: [String] {
    unnamed.map(\.className) + definitions.filter { $0.kind == .virtualTable }.map(\.name)
  }

  /// What became of the objects of a class.
  public struct Class: Hashable, Codable, Sendable {
    /// The class, under its name in the source.
    public let className: String
    /// The model.
    public let model: String
    /// How many objects the source says it has.
    public let inSource: Int
    /// How many were read.
    public internal(set) var read = 0
    /// How many were written.
    public internal(set) var written = 0
    /// How many were left out, by reason.
    public internal(set) var leftOut: [String: Int] = [:]

    init(className: String, model: String, inSource: Int) {
      self.className = className
      self.model = model
      self.inSource = inSource
    }

    var isComplete: Bool {
      // A damaged store may have any numbers.
      read == inSource && read == written &+ leftOut.values.reduce(0, &+)
    }
  }

  /// A class of which nothing was imported.
  public struct Unread: Hashable, Codable, Sendable {
    /// The class.
    public let className: String
    /// How many objects it has.
    public let count: Int
  }

  /// How many values of a property were rounded.
  public struct Rounding: Hashable, Codable, Sendable {
    /// The class.
    public let className: String
    /// The property.
    public let property: String
    /// How often a value was rounded.
    public let count: Int

    package init(className: String, property: String, count: Int) {
      self.className = className
      self.property = property
      self.count = count
    }
  }

  /// How many values of a property are nil, or no link, in the objects, though the source has them.
  public struct Omission: Hashable, Codable, Sendable {
    /// The class.
    public let className: String
    /// The property.
    public let property: String
    /// How many values were left out.
    public let count: Int

    package init(className: String, property: String, count: Int) {
      self.className = className
      self.property = property
      self.count = count
    }
  }

  /// The source's file when it was read.
  struct SourceState: Hashable, Codable {
    let name: String
    let bytes: UInt64
    /// Seconds since 2001.
    let modified: Double
    /// The files beside it that belong to its content.
    var beside: [SourceState] = []

    var totalBytes: UInt64 { beside.reduce(bytes) { $0 &+ $1.bytes } }
  }

  /// The report as a store keeps it.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

  init(json: String) throws {
    self = try JSONDecoder().decode(ImportReport.self, from: Data(json.utf8))
  }
}

/// How far an import is.
public struct ImportProgress: Hashable, Sendable {
  /// The class whose objects are being read.
  public let className: String
  /// How many objects were read, of all classes.
  public let objectsDone: Int
  /// How many there are.
  public let objectsTotal: Int

  /// From 0 to 1.
  public var fraction: Double {
    // A damaged file has another number of objects than it says.
    objectsTotal == 0 ? 1 : min(Double(objectsDone) / Double(objectsTotal), 1)
  }
}
