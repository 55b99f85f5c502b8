import Foundation

/// The repository that this program was built from.
enum Repository {
  /// Its top folder: five above this file.
  static let root = (0..<5).reduce(URL(filePath: #filePath)) { file, _ in
    file.deletingLastPathComponent()
  }

  /// The commit that it stands at, or what there is to say instead.
  static func commit() -> String {
    let text = try? Shell.output(of: "git", ["-C", root.path, "rev-parse", "HEAD"])
    return text.map { String(decoding: $0.dropLast(), as: UTF8.self) } ?? "unknown"
  }
}
