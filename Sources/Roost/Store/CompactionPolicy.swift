/// Whether opening a store compacts its file.
///
/// The compacted copy is made beside the file, verified and put in its place; on any error the file
/// stays as it was, and ``Store/compactionFailure`` says why. Nothing is compacted while the file is open
/// elsewhere, or read-only.
public struct CompactionPolicy: Sendable {
  /// Whether to compact a file, from its size and the bytes in use.
  let isWorthwhile: @Sendable (_ fileBytes: Int64, _ usedBytes: Int64) -> Bool

  /// If the file is larger than 100 × 1024 × 1024 bytes, and less than half of it is used.
  public static let mostlyUnused = custom { fileBytes, usedBytes in
    fileBytes > 100 * 1024 * 1024 && usedBytes < fileBytes - usedBytes
  }

  /// Never: `roost compact` does it on request.
  public static let never = custom { _, _ in false }

  /// If a closure returns true for the file's size and the bytes in use.
  public static func custom(
    _ isWorthwhile: @escaping @Sendable (_ fileBytes: Int64, _ usedBytes: Int64) -> Bool
  ) -> CompactionPolicy {
    CompactionPolicy(isWorthwhile: isWorthwhile)
  }
}
