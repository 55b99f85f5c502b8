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
  /// To make written bytes durable.
  case synchronize
  /// To reserve space for later writes.
  case allocate
  /// To make a file shorter or longer.
  case resize
  /// To lock a file against other processes.
  case lock
  /// To rename a file.
  case rename
  /// To remove a file.
  case remove
  /// To read the size, the permissions or the identity of a file.
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

  /// The operation in words, to put before a path.
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
