internal import RoostEngine

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// What a file is, by its first bytes.
package enum FileKind: Equatable, Sendable {
  /// An SQLite file.
  case sqlite
  /// A Realm file; by its name where it is encrypted.
  case realm
  /// Any other file, or none. Opening it as a store throws an error if it is not one.
  case store

  /// Looks at a file.
  package init(_ path: String) {
    let bytes = Self.start(of: path)
    if bytes.starts(with: Array("SQLite format 3\0".utf8)) {
      self = .sqlite
    } else if bytes.dropFirst(16).starts(with: Array("T-DB".utf8))
      || path.hasSuffix(".realm") && !bytes.isEmpty
    {
      self = .realm
    } else {
      self = .store
    }
  }

  /// The first bytes of a file; none of one that cannot be read.
  private static func start(of path: String) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 24)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe read(file, buffer.baseAddress, buffer.count)
    }
    return Array(bytes.prefix(max(count, 0)))
  }
}

/// The number of the format of stores.
package let storeFormat = FileHeader.formatNumber
