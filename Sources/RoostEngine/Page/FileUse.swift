/// A place in the source code of a program.
package struct SourcePlace: Sendable, CustomStringConvertible {
  private let file: StaticString
  private let line: UInt

  /// - Parameter file: The module and the name of the file.
  package init(_ file: StaticString, _ line: UInt) {
    self.file = file
    self.line = line
  }

  package var description: String { "\(file):\(line)" }
}

/// What uses a file in this process.
package struct FileUse: Equatable, Sendable {
  /// The kind of a holder.
  package enum Kind: Hashable, Sendable {
    case store
    case observation
    /// A version with the number.
    case version(UInt64)
  }

  /// The holder that has been there for the longest time.
  package struct Oldest: Equatable, Sendable {
    package var kind: Kind
    package var age: Duration
    /// The file and the line that made it, if they are known.
    package var place: String?
  }

  /// The number of stores.
  package var stores = 0
  /// The number of running write transactions.
  package var transactions = 0
  /// The number of observations.
  package var observations = 0
  /// The number of versions that snapshots or rows hold.
  package var versions = 0
  package var oldest: Oldest?

  /// No use by an engine that is known here: the file is being opened or copied, or mirrors a store in memory.
  package init() {}
}
