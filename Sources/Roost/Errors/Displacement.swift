internal import RoostEngine

/// What happened to a store's file while it was open.
public enum Displacement: Hashable, Sendable {
  /// The file was removed.
  case removed
  /// The file or its directory was renamed.
  case moved
  /// Another file replaced it.
  case replaced
  /// The file was truncated.
  case shortened
}

extension Displacement {
  init(_ displacement: FileDisplacement) {
    self =
      switch displacement {
      case .removed: .removed
      case .moved: .moved
      case .replaced: .replaced
      case .shortened: .shortened
      }
  }

  /// What happened, to append to the path.
  var sentence: String {
    switch self {
    case .removed: "was removed while the store was open."
    case .moved: "was moved elsewhere while the store was open."
    case .replaced: "is another file than the one that the store has open."
    case .shortened: "was cut off while the store was open."
    }
  }

  /// The suggested action.
  var advice: String {
    switch self {
    case .removed: "write it elsewhere before you close the store, or it is gone."
    case .moved:
      "put the file back and write again, or close the store and open the file where it is now."
    case .replaced:
      "write elsewhere what the new file lacks, then close the store and open it again."
    case .shortened:
      "write elsewhere what you can, close the store, and save the rest with `roost salvage`."
    }
  }
}
