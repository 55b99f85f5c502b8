/// What happened to an open file's path.
package enum FileDisplacement: String, Hashable, Sendable {
  /// The file has no name any more.
  case removed
  /// Its path names nothing, but another one names the file.
  case moved
  /// Its path names another file.
  case replaced
  /// Somebody has cut it off.
  case shortened
}
