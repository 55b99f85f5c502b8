#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A file of another library that a store is made of.
public struct ImportSource: Sendable {
  let url: URL
  /// The endings of files beside it that belong to its content.
  let content: [String]
  /// The endings of all files that its library keeps, in the order in which they are removed; "" is the file itself.
  let files: [String]
  /// The path of a folder that is removed before them.
  let folder: String?
  /// Whether another file has a part of that folder, which stays then.
  let sharesFolder: @Sendable () -> Bool
  /// The path of a folder whose files have values of the source.
  let contentFolder: String?
  /// Other files that have a part of the source.
  let companions: [URL]
  let open: @Sendable () throws -> any OpenedSource

  /// A file of another library.
  ///
  /// - Parameters:
  ///   - content: The endings of files beside it that belong to its content.
  ///   - files: The endings of all files that its library keeps, in the order in which they are removed; "" is the file itself.
  ///   - folder: The path of a folder that is removed before them.
  ///   - sharesFolder: Whether another file has a part of that folder, which stays then.
  ///   - contentFolder: The path of a folder whose files have values of the source.
  ///   - companions: Other files that have a part of the source.
  ///   - open: Opens the file.
  package init(
    _ url: URL, content: [String], files: [String], folder: String? = nil,
    sharesFolder: @escaping @Sendable () -> Bool = { false }, contentFolder: String? = nil,
    companions: [URL] = [],
    open: @escaping @Sendable () throws -> any OpenedSource
  ) {
    self.url = url
    self.content = content
    self.files = files
    self.folder = folder
    self.sharesFolder = sharesFolder
    self.contentFolder = contentFolder
    self.companions = companions
    self.open = open
  }

  /// A `.realm` file.
  ///
  /// - Parameters:
  ///   - url: The file. Nobody may write to it meanwhile.
  ///   - key: The 64 bytes of the key of an encrypted file. Reading one needs the package's trait `RealmEncryption`.
  ///   - valueBytesMax: The most memory that reading one value may take; see ``RealmSource/init(_:key:valueBytesMax:)``.
  public static func realm(
    _ url: URL, key: Data? = nil, valueBytesMax: Int = 256 << 20
  ) -> ImportSource {
    // The file itself last: as long as it is there, the rest can be removed again.
    ImportSource(
      url, content: [], files: [".note", ".lock", ""], folder: url.path + ".management"
    ) {
      try RealmSource(url, key: key, valueBytesMax: valueBytesMax)
    }
  }

  /// The file's state, by which a later change is noticed; nil if the file is missing.
  var state: ImportReport.SourceState? {
    guard var state = Self.state(ofFileAt: url.path) else { return nil }
    let beside = content.map { url.path + $0 } + companions.map(\.path)
    state.beside = beside.compactMap(Self.state(ofFileAt:))
    return state
  }

  /// The paths of all files, in the order in which they are removed.
  var paths: [String] { companions.map(\.path) + files.map { url.path + $0 } }

  /// A file's state; nil if it is missing.
  static func state(ofFileAt path: String) -> ImportReport.SourceState? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let bytes = Self.bytes(attributes[.size]), let date = attributes[.modificationDate] as? Date
    else { return nil }
    return ImportReport.SourceState(
      name: URL(fileURLWithPath: path).lastPathComponent, bytes: bytes,
      modified: date.timeIntervalSinceReferenceDate)
  }

  /// The file's state.
  ///
  /// - Throws: ``ImportError/noSource(path:)`` if it is missing.
  func foundState() throws(ImportError) -> ImportReport.SourceState {
    guard let state else { throw .noSource(path: url.path) }
    return state
  }

  /// The size of the files in the folder that has values of the source.
  var contentFolderBytes: UInt64 {
    guard let contentFolder,
      let names = try? FileManager.default.contentsOfDirectory(atPath: contentFolder)
    else { return 0 }
    return names.reduce(0) { sum, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: contentFolder + "/" + name)
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { return sum }
      return sum &+ (Self.bytes(attributes?[.size]) ?? 0)
    }
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
