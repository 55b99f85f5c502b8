internal import Roost
internal import RoostEngine

/// Where text is read from, a piece at a time.
public struct TextInput {
  /// What errors call it.
  let name: String?
  /// Gives the next piece; nil at the end.
  let next: () throws -> [UInt8]?

  /// A text that comes in pieces of any length: `next` gives one after the other, and nil at the end.
  ///
  /// What it throws comes out of the reading unchanged.
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

  /// The file at a path, of which a quarter of a mebibyte is in memory at a time. It is opened when the reading begins.
  public static func file(_ path: String) -> TextInput {
    var file: (any StorageFile)?
    var offset: UInt64 = 0
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
    var failure: FileError?
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: 256 << 10) { buffer, count in
      do throws(FileError) {
        count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return piece
  }
}

/// Where text is written to, a piece at a time.
public struct TextOutput {
  let write: ([UInt8]) throws -> Void

  /// Gives each piece of the text to `write`. What it throws comes out of the writing unchanged.
  public init(_ write: @escaping ([UInt8]) throws -> Void) { self.write = write }

  /// The file at a path, which is made, or emptied, when the writing begins.
  ///
  /// Where the writing fails, a part of the text is left in it.
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
        // The standard library's closure is not generic over its error.
        let written = unsafe piece.withUnsafeBytes { bytes in
          Result { () throws(FileError) in try unsafe file?.write([bytes], at: offset) }
        }
        try written.get()
        offset += UInt64(piece.count)
      } catch {
        throw StoreError(error)
      }
    }
  }
}
