/// An error in reading a `.realm` file.
package enum RealmFileError: Error, Equatable, Sendable {
  /// The system could not open the file; its error number.
  case cannotOpen(code: Int32)
  /// The path names no regular file.
  case notRegular
  /// The system could not read the file; its error number.
  case cannotRead(code: Int32)
  /// The file became shorter while it was read.
  case truncated
  /// The file was written to while it was read.
  case changed
  /// The file does not start as a Realm file does. An encrypted one, opened without its key, does not either.
  case notRealm
  /// A key was given for a file that is not encrypted.
  case notEncrypted
  /// The key is not 64 bytes long.
  case keyLength(Int)
  /// The first page of the file was not written with this key.
  case wrongKey
  /// The package was built without the trait `RealmEncryption`.
  case encryptionUnavailable
  /// The file has a format that cannot be read.
  case unsupportedFormat(Int)
  /// The content at this offset is not what it should be.
  case damaged(at: UInt64, Damage)
  /// What was asked for needs more memory than the caller allows.
  case tooLarge(bytesMax: Int)

  /// What is wrong with the content.
  package enum Damage: String, Equatable, Sendable {
    case fileSize = "the file's length is no multiple of 8: its end is missing"
    case footer = "the end of the file is missing"
    case page = "an encrypted page does not have its checksum"
    case reference = "a reference leads out of the file"
    case nodeSize = "a node has more elements than the file or its kind can hold"
    case nodeKind = "a node is not of the kind that its place needs"
    case index = "an element outside of its array is referred to"
    case depth = "a tree is deeper than it can be"
    case nodeCount = "a tree has more nodes than fit in the file"
    case keyOrder = "the keys of objects do not ascend"
    case objectCount = "the number of objects is not what the file says"
    case elementCount = "arrays that belong together differ in length"
    case table = "a table's definition is incomplete"
    case columnType = "a column has an unknown type"
    case value = "a value is not one of its type"
  }
}
