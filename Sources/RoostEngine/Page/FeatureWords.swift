/// What a file uses beyond the base format, as bits and as names (Format.md §10).
struct FeatureWords: Hashable, Sendable {
  /// Unknown bits are ignored.
  var compatible: UInt64 = 0
  /// An unknown bit allows reading only.
  var readOnlyCompatible: UInt64 = 0
  /// An unknown bit forbids opening.
  var incompatible: UInt64 = 0
  /// The names of the features whose bits are set.
  var names: [String] = []

  /// The bits that this library knows; none is defined yet.
  private static let known = FeatureWords()

  /// Throws where the file needs something that this library lacks.
  ///
  /// - Returns: Whether the file may be read but not written.
  func check() throws(EngineError) -> Bool {
    guard incompatible & ~Self.known.incompatible == 0 else {
      throw .fileIsNewer(features: names.isEmpty ? ["unnamed feature"] : names)
    }
    return readOnlyCompatible & ~Self.known.readOnlyCompatible != 0
  }
}
