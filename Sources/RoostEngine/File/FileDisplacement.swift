/// The change to an open file's path or size that was detected.
package enum FileDisplacement: String, Hashable, Sendable {
  /// The file no longer has a name.
  case removed
  /// Its path names nothing, but another path names the file.
  case moved
  /// Its path names another file.
  case replaced
  /// The file was truncated.
  case shortened
}
