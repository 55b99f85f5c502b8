/// The features that a file uses beyond the base format, as bits and names (Format.md §11).
package struct FeatureWords: Equatable, Sendable {
  /// Unknown bits are ignored.
  var compatible: UInt64 = 0
  /// With an unknown bit, the file is read-only.
  var readOnlyCompatible: UInt64 = 0
  /// With an unknown bit, the file cannot be opened.
  var incompatible: UInt64 = 0
  /// The names of the features whose bits are set, word by word, lowest bit first.
  var names: [String] = []

  /// The bits that this library knows.
  private static let known = FeatureWords(
    readOnlyCompatible: deleteRules | namedVersions, incompatible: ring | recordedRows)

  /// The read-only compatible bit of a store with delete rules, which every writer must follow.
  private static let deleteRules: UInt64 = 1 << 0
  /// The read-only compatible bit of a store with named versions, whose extents a writer must keep.
  private static let namedVersions: UInt64 = 1 << 1
  /// The incompatible bit of a store with a ring: its newest version may be in the ring's records only.
  private static let ring: UInt64 = 1 << 1

  /// The incompatible bit of a store whose ring may have records that say which rows changed, and not which extents.
  private static let recordedRows: UInt64 = 1 << 2

  /// Whether the store has delete rules, according to its bit.
  var hasDeleteRules: Bool { readOnlyCompatible & Self.deleteRules != 0 }
  /// Whether the store has named versions, according to its bit.
  var hasNamedVersions: Bool { readOnlyCompatible & Self.namedVersions != 0 }
  /// Whether the slot points to a ring, according to its bit.
  var hasRing: Bool { incompatible & Self.ring != 0 }

  /// Whether records of the ring may say which rows changed, according to its bit.
  var hasRecordedRows: Bool { incompatible & Self.recordedRows != 0 }

  /// Sets or clears the bit of delete rules.
  mutating func setDeleteRules(_ areThere: Bool) {
    set(Self.deleteRules, in: .readOnlyCompatible, "delete rules", areThere)
  }

  /// Sets or clears the bit of named versions.
  mutating func setNamedVersions(_ areThere: Bool) {
    set(Self.namedVersions, in: .readOnlyCompatible, "named versions", areThere)
  }

  /// Sets or clears the bit of the ring.
  mutating func setRing(_ isThere: Bool) {
    set(Self.ring, in: .incompatible, "ring", isThere)
  }

  /// Sets or clears the bit of records of rows.
  mutating func setRecordedRows(_ areThere: Bool) {
    set(Self.recordedRows, in: .incompatible, "recorded rows", areThere)
  }

  private mutating func set(_ bit: UInt64, in word: Word, _ name: String, _ isSet: Bool) {
    guard isSet != (self[word] & bit != 0) else { return }
    var place = compatible.nonzeroBitCount + (self[word] & (bit - 1)).nonzeroBitCount
    if word == .incompatible { place += readOnlyCompatible.nonzeroBitCount }
    self[word] ^= bit
    if isSet {
      names.insert(name, at: min(place, names.count))
    } else if place < names.count {
      names.remove(at: place)
    }
  }

  /// The words with bits that this library sets.
  private enum Word {
    case readOnlyCompatible, incompatible
  }

  private subscript(word: Word) -> UInt64 {
    get { word == .incompatible ? incompatible : readOnlyCompatible }
    set {
      switch word {
      case .readOnlyCompatible: readOnlyCompatible = newValue
      case .incompatible: incompatible = newValue
      }
    }
  }

  /// Throws if the file needs a feature that this library lacks.
  ///
  /// - Returns: Whether the file may be read but not written.
  package func check() throws(EngineError) -> Bool {
    guard incompatible & ~Self.known.incompatible == 0 else {
      throw .fileIsNewer(features: unknownIncompatibleNames)
    }
    return readOnlyCompatible & ~Self.known.readOnlyCompatible != 0
  }

  /// The names of the incompatible features that this library does not know.
  private var unknownIncompatibleNames: [String] {
    var place = compatible.nonzeroBitCount + readOnlyCompatible.nonzeroBitCount
    var unknown: [String] = []
    for bit in 0..<UInt64.bitWidth where incompatible >> UInt64(bit) & 1 == 1 {
      if Self.known.incompatible >> UInt64(bit) & 1 == 0 {
        unknown.append(place < names.count ? names[place] : "incompatible feature \(bit)")
      }
      place += 1
    }
    return unknown
  }
}
