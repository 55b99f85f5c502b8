#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A value of an attribute that allows external storage. Its first byte says where it is.
enum ExternalData {
  /// The value's bytes.
  case within(Data)
  /// The name of the file that has them.
  case file(String)

  /// nil for another value.
  init?(_ stored: SQLiteValue) {
    guard case .blob(let bytes) = stored, let first = bytes.first else { return nil }
    switch first {
    case 1: self = .within(Data(bytes.dropFirst()))
    case 2:
      // A zero ends it.
      let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
      guard UUID(uuidString: name) != nil else { return nil }
      self = .file(name)
    default: return nil
    }
  }
}

/// The folder beside a store with the values that are in files of their own.
struct ExternalDataFolder {
  let path: String
  /// The file of the store, for errors.
  let source: String
  let bytesMax: Int

  init(besides source: String, bytesMax: Int) {
    path = Self.support(besides: source) + "/_EXTERNAL_DATA"
    self.source = source
    self.bytesMax = bytesMax
  }

  /// The folder with what belongs to a store beside its file.
  static func support(besides source: String) -> String {
    let url = URL(fileURLWithPath: source)
    let name = "." + url.deletingPathExtension().lastPathComponent + "_SUPPORT"
    return url.deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// Whether another database, whose name differs only in its ending, has the same folder; also if that cannot be found out.
  static func isShared(besides source: String) -> Bool {
    let url = URL(fileURLWithPath: source)
    let folder = url.deletingLastPathComponent()
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
      return true
    }
    return names.contains { name in
      let other = folder.appendingPathComponent(name)
      guard name != url.lastPathComponent,
        other.deletingPathExtension().lastPathComponent
          == url.deletingPathExtension().lastPathComponent
      else { return false }
      return isDatabase(other.path)
    }
  }

  private static func isDatabase(_ path: String) -> Bool {
    let magic = Array("SQLite format 3\0".utf8)
    return (try? FileState.read(path))?.head.starts(with: magic) ?? false
  }

  /// The content of a file; nil if there is none.
  func bytes(of name: String) throws(SQLiteError) -> Data? {
    let file = path + "/" + name
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    // A symbolic link, which might lead anywhere, is not followed.
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let state = try FileState.read(file)
    else { return nil }
    guard state.bytes <= bytesMax else { throw .tooLarge(path: file, bytesMax: bytesMax) }
    do { return try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
      throw .cannotOpen(path: file, reason: "\(error)")
    }
  }
}
