internal import RoostEngine

/// A file operation.
@nonexhaustive
public enum FileOperation: String, Hashable, Sendable {
  /// To open a file or a directory.
  case open
  /// To create a directory.
  case create
  /// To read bytes.
  case read
  /// To write bytes.
  case write
  /// To make what was written durable.
  case synchronize
  /// To set room aside for bytes to come.
  case allocate
  /// To make a file shorter or longer.
  case resize
  /// To keep other processes from a file.
  case lock
  /// To give a file another name.
  case rename
  /// To remove a file.
  case remove
  /// To tell the size, the permissions or the identity of a file.
  case status
  /// To list the files of a directory.
  case list
  /// To set the permissions of a file.
  case setPermissions = "set-permissions"
}

extension FileOperation {
  init(_ operation: FileError.Operation) {
    self =
      switch operation {
      case .open: .open
      case .read: .read
      case .write: .write
      case .synchronize: .synchronize
      case .allocate: .allocate
      case .resize: .resize
      case .lock: .lock
      case .rename: .rename
      case .remove: .remove
      case .status: .status
      case .list: .list
      case .permissions: .setPermissions
      }
  }

  /// What is done to a path, before the path.
  var words: String {
    switch self {
    case .open, .create, .read, .write, .synchronize, .resize, .lock, .rename, .remove, .list:
      rawValue
    case .allocate: "allocate room for"
    case .status: "look at"
    case .setPermissions: "set the permissions of"
    }
  }
}
