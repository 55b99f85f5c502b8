internal import RealmFile

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error in reading a `.realm` file.
///
/// ``message`` says in plain words what happened and what to do next.
@nonexhaustive
public enum RealmError: Error, Equatable, Sendable {
  /// The file could not be opened; the system's reason.
  case cannotOpen(path: String, reason: String)
  /// The file could not be read; the system's reason.
  case cannotRead(path: String, reason: String)
  /// The file was written to while it was read.
  case changed(path: String)
  /// The file is no `.realm` file, or an encrypted one that was opened without its key.
  case notRealm(path: String)
  /// A key was given for a file that is not encrypted.
  case notEncrypted(path: String)
  /// The key is not 64 bytes long.
  case keyLength(Int)
  /// The file was not encrypted with this key, or is no `.realm` file.
  case wrongKey(path: String)
  /// The package was built without its trait `RealmEncryption`, which decrypts files.
  case encryptionUnavailable
  /// The file has a format that cannot be read: the number in its header.
  case unsupportedFormat(Int)
  /// The file is damaged: at which byte (after decryption), and what is wrong there.
  case damaged(path: String, offset: UInt64, reason: String)
  /// A value, or the definitions of the classes, would take more memory than allowed.
  case tooLarge(bytesMax: Int)
  /// The file has no class of this name.
  case unknownClass(String)
  /// The class has no property of this name.
  case unknownProperty(className: String, property: String)
  /// A property was read as a Swift type that cannot hold its value.
  ///
  /// - Parameters:
  ///   - object: The object key.
  ///   - declared: The property's type in the file.
  ///   - found: What the value is.
  ///   - asked: The Swift type.
  case mismatch(
    className: String, property: String, object: Int64, declared: String, found: String,
    asked: String)

  init(_ error: RealmFileError, path: String) {
    self =
      switch error {
      case .cannotOpen(let code):
        .cannotOpen(path: path, reason: RealmFileError.words(for: code))
      case .notRegular: .cannotOpen(path: path, reason: "it is not a regular file")
      case .cannotRead(let code):
        .cannotRead(path: path, reason: RealmFileError.words(for: code))
      case .truncated, .changed: .changed(path: path)
      case .notRealm: .notRealm(path: path)
      case .notEncrypted: .notEncrypted(path: path)
      case .keyLength(let count): .keyLength(count)
      case .wrongKey: .wrongKey(path: path)
      case .encryptionUnavailable: .encryptionUnavailable
      case .unsupportedFormat(let format): .unsupportedFormat(format)
      case .damaged(let offset, let damage):
        .damaged(path: path, offset: offset, reason: damage.rawValue)
      case .tooLarge(let bytesMax): .tooLarge(bytesMax: bytesMax)
      }
  }
}

extension RealmError: CustomStringConvertible, LocalizedError {
  /// The same as ``message``.
  public var description: String { message }

  /// The same as ``message``, for code that shows errors through Foundation.
  public var errorDescription: String? { message }

  /// What happened, and what to do next.
  ///
  /// Control characters in names are escaped for terminals: `\u001B`.
  public var message: String { words.withoutControlCharacters }

  // A switch without a default, so that a case without a message does not compile.
  private var words: String {
    switch self {
    case .cannotOpen(let path, let reason): "\"\(path)\" could not be opened: \(reason)."
    case .cannotRead(let path, let reason): "\"\(path)\" could not be read: \(reason)."
    case .changed(let path):
      "\"\(path)\" was written to while it was read. Close the Realm in the program that uses it, or read a copy."
    case .notRealm(let path):
      "\"\(path)\" is not a Realm file, or is encrypted. Give the key of an encrypted file: 64 bytes "
        + "(needs the trait `RealmEncryption` of the package roost)."
    case .notEncrypted(let path): "\"\(path)\" is not encrypted. Open it without a key."
    case .keyLength(let count): "The key of a Realm file has 64 bytes; this one has \(count)."
    case .wrongKey(let path): "\"\(path)\" was not encrypted with this key, or is not a Realm file."
    case .encryptionUnavailable:
      "Encrypted Realm files are read only with the trait `RealmEncryption`. Add it to the package roost: "
        + "`.package(url: …, from: …, traits: [\"RealmEncryption\"])`."
    case .unsupportedFormat(let format) where format < 10:
      "The file has Realm's format \(format), of before 2020, which is not read. Open it once with a version of Realm "
        + "that upgrades it (realm-core 6 to 13), and then import it."
    case .unsupportedFormat(let format):
      "The file has Realm's format \(format), which is not known. Formats 10, 11 and 20 to 24 are read."
    case .damaged(let path, let offset, let reason):
      "\"\(path)\" is damaged at byte \(offset): \(reason)."
    case .tooLarge(let bytesMax):
      "A value would take more than \(bytesMax) bytes of memory. Open the file with a larger `valueBytesMax`, "
        + "unless it may be damaged."
    case .unknownClass(let name): "The file has no class \"\(name)\". `classes` lists those it has."
    case .unknownProperty(let className, let property):
      "The class \"\(className)\" has no property \"\(property)\" in the file. "
        + "Its `properties` lists those it has, under their names in the file."
    case .mismatch(let className, let property, let object, let declared, let found, let asked):
      "\(className).\(property) is a \(declared) in the file and was read as \(asked), "
        + "but holds \(found) in the object \(object)."
    }
  }
}

extension String {
  /// The text, with control characters as `\u001B`.
  package var withoutControlCharacters: String {
    var text = ""
    for scalar in unicodeScalars {
      if scalar.properties.generalCategory == .control {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
