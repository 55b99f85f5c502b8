#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A file of another library that a store is made of.
public struct ImportSource: Sendable {
  let url: URL
  let key: Data?
  let valueBytesMax: Int

  /// A `.realm` file.
  ///
  /// - Parameters:
  ///   - url: The file. Nobody may write to it meanwhile.
  ///   - key: The 64 bytes of the key of an encrypted file. Reading one needs the package's trait `RealmEncryption`.
  ///   - valueBytesMax: The most memory that reading one value may take; see ``RealmSource/init(_:key:valueBytesMax:)``.
  public static func realm(
    _ url: URL, key: Data? = nil, valueBytesMax: Int = 256 << 20
  ) -> ImportSource {
    ImportSource(url: url, key: key, valueBytesMax: valueBytesMax)
  }

  func open() throws(RealmError) -> RealmSource {
    try RealmSource(url, key: key, valueBytesMax: valueBytesMax)
  }

  /// The file's state, by which a later change is noticed; nil if the file is missing.
  var state: ImportReport.SourceState? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
      let bytes = Self.bytes(attributes[.size]), let date = attributes[.modificationDate] as? Date
    else { return nil }
    return ImportReport.SourceState(
      name: url.lastPathComponent, bytes: bytes,
      modified: date.timeIntervalSinceReferenceDate)
  }

  /// The file's state.
  ///
  /// - Throws: ``ImportError/noSource(path:)`` if it is missing.
  func foundState() throws(ImportError) -> ImportReport.SourceState {
    guard let state else { throw .noSource(path: url.path) }
    return state
  }

  /// A size as Foundation has it: its type is not the same on all systems.
  private static func bytes(_ size: Any?) -> UInt64? {
    switch size {
    case let bytes as UInt64: bytes
    case let bytes as UInt: UInt64(bytes)
    case let bytes as Int: UInt64(exactly: bytes)
    default: nil
    }
  }
}
