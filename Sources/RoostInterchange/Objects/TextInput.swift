internal import Roost
internal import RoostEngine

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A source of text, read piece by piece.
public struct TextInput {
  /// The name of the source in errors.
  let name: String?
  /// Returns the next piece; nil at the end.
  package let next: () throws -> [UInt8]?

  /// A text in pieces of any length: `next` returns them one after another, and nil at the end.
  ///
  /// Its errors are rethrown unchanged.
  public init(named name: String? = nil, _ next: @escaping () throws -> [UInt8]?) {
    self.name = name
    self.next = next
  }

  /// A text in memory.
  public static func text(_ text: String) -> TextInput { bytes(Array(text.utf8)) }

  /// The bytes of a text in memory.
  public static func bytes(_ bytes: [UInt8]) -> TextInput {
    var rest: [UInt8]? = bytes
    return TextInput {
      defer { rest = nil }
      return rest
    }
  }

  /// The file at a path. Opened when reading begins; a quarter of a mebibyte is in memory at a time.
  public static func file(_ path: String) -> TextInput { file(path, from: 0) }

  /// The file at a URL, which must be that of a file: as that at a path.
  public static func file(_ url: URL) -> TextInput { file(Location.filePath(of: url)) }

  /// The file at a path, from an offset on.
  package static func file(_ path: String, from start: UInt64) -> TextInput {
    var file: (any StorageFile)?
    var offset = start
    return TextInput(named: path) {
      do throws(FileError) {
        let opened: any StorageFile
        if let file { opened = file } else { opened = try PosixFileSystem().open(path, .readOnly) }
        file = opened
        let piece = try piece(of: opened, at: offset)
        offset += UInt64(piece.count)
        if piece.isEmpty { opened.close() }
        return piece.isEmpty ? nil : piece
      } catch {
        throw StoreError(error)
      }
    }
  }

  private static func piece(
    of file: any StorageFile, at offset: UInt64
  ) throws(FileError) -> [UInt8] {
    let piece = AlignedBytes(count: 256 << 10)
    let count = try file.read(into: piece.mutableView, at: offset)
    return piece.withView { $0.slice(0, count).array }
  }
}

/// A destination of text, written piece by piece.
public struct TextOutput {
  let write: ([UInt8]) throws -> Void

  /// Passes each piece of the text to `write`, whose errors are rethrown unchanged.
  public init(_ write: @escaping ([UInt8]) throws -> Void) { self.write = write }

  /// The file at a path, which is created or emptied when writing begins.
  ///
  /// If writing fails, the file keeps a part of the text.
  public static func file(_ path: String) -> TextOutput {
    var file: (any StorageFile)?
    var offset: UInt64 = 0
    return TextOutput { piece in
      do throws(FileError) {
        if file == nil {
          let opened = try PosixFileSystem().open(path, .create)
          try opened.truncate(to: 0)
          file = opened
        }
        try piece.withByteView { (bytes) throws(FileError) in
          try file?.write(bytes, at: offset)
        }
        offset += UInt64(piece.count)
      } catch {
        throw StoreError(error)
      }
    }
  }

  /// The file at a URL, which must be that of a file: as that at a path.
  public static func file(_ url: URL) -> TextOutput { file(Location.filePath(of: url)) }
}
