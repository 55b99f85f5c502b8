internal import Foundation
internal import RoostEngine

/// A directory of similar stores: one for each account, document or project, by a name of any text.
///
/// ```swift
/// let accounts = try StoreDirectory.default("accounts")
/// let store = try Store(.file(accounts.path(of: "ann@example.com")), models: Person.self)
/// print(try accounts.names)                 // ["ann@example.com"]
/// try accounts.remove("ann@example.com")    // when she signs out, and the store is closed
/// ```
///
/// A name is the name of a file, so nothing must be kept in sync: the list shows the existing files. Two names that differ in
/// any character, even only in case, are two stores on every file system; names that are equal in Swift are the
/// same. No name leads out of the directory. Other files in it are left alone.
public struct StoreDirectory: Hashable, Sendable {
  /// The directory's path.
  public let path: String

  /// The directory at a path; creates it and its parent directories if they are missing.
  ///
  /// - Throws: ``StoreError/permissionDenied(operation:path:errno:)`` where it cannot be made.
  public init(_ path: String) throws(StoreError) {
    self.path = path
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch { throw .permissionDenied(operation: .create, path: path) }
  }

  /// The recommended directory for an app's stores of one kind, beside that of ``Store/defaultLocation(_:)``.
  ///
  /// - Parameter name: What the stores are for, such as `accounts`: the name of a directory.
  public static func `default`(_ name: String = "stores") throws(StoreError) -> StoreDirectory {
    try StoreDirectory(Store.applicationDirectory() + "/" + StoreFileName.encoded(name))
  }

  /// The path of the store with a name, whether it exists or not: for ``Location/file(_:)-enum.case`` and
  /// ``Location/file(_:seed:)``.
  ///
  /// - Throws: ``StoreError/limitExceeded(_:)`` for a name that no file can have: more than 200 lower-case letters, digits
  ///   and the like, of which each other byte counts as three. Use a digest of such a name.
  public func path(of name: String) throws(StoreError) -> String {
    let encoded = StoreFileName.encoded(name)
    guard encoded.utf8.count <= StoreFileName.bytesMax else {
      throw .limitExceeded(StoreLimit(.nameBytes, maximum: UInt64(StoreFileName.bytesMax)))
    }
    return path + "/" + encoded + StoreFileName.suffix
  }

  /// The names of the existing stores, including those with only side files left, ascending.
  public var names: [String] {
    get throws(StoreError) {
      var names: Set<String> = []
      for file in try Store.fileNames(in: path) {
        guard let name = StoreFileName.name(ofFile: file) else { continue }
        if try Store.isFile(path + "/" + file) { names.insert(name) }
      }
      return Array(names).sorted()
    }
  }

  /// Removes the store with a name, with all its side files: see ``Store/remove(at:)``.
  ///
  /// - Throws: ``StoreError/inUse(path:by:)`` where the store is open in this process, or snapshots or rows of it are held;
  ///   ``StoreError/locked(path:)`` where another process has it open. Then nothing is removed.
  public func remove(_ name: String) throws(StoreError) {
    try Store.remove(at: path(of: name))
  }
}

/// The encoding of names as file names that are safe in every file system, and its inverse.
///
/// Lower-case letters, digits, `-_@+`, and points except the first stand for themselves; each other byte of the
/// name's UTF-8, in its composed form, is a percent sign and two digits. The empty name is a percent sign.
enum StoreFileName {
  static let suffix = ".roost"
  /// Leaves room for the endings of side files in the 255 bytes of a file name.
  static let bytesMax = 200

  static func encoded(_ name: String) -> String {
    var encoded = ""
    for byte in name.precomposedStringWithCanonicalMapping.utf8 {
      if isPlain(byte, isFirst: encoded.isEmpty) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return encoded.isEmpty ? "%" : encoded
  }

  /// The name of the store that a file, or side file, belongs to; nil if it belongs to none.
  static func name(ofFile file: String) -> String? {
    for end in file.ranges(of: suffix).reversed() {
      let ending = String(file[end.upperBound...])
      guard ending.isEmpty || SideFile.isEnding(ending) else { continue }
      return decoded(String(file[..<end.lowerBound]))
    }
    return nil
  }

  /// The name with this encoding; nil if the encoding is not canonical.
  private static func decoded(_ encoded: String) -> String? {
    guard encoded != "%" else { return "" }
    var bytes: [UInt8] = []
    var rest = encoded.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let name = String(validating: bytes, as: UTF8.self), self.encoded(name) == encoded else {
      return nil
    }
    return name
  }

  private static func isPlain(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "+"):
      true
    case UInt8(ascii: "."): !isFirst
    default: false
    }
  }
}

/// The files that may exist beside a store's file, by the endings of their names.
package enum SideFile {
  /// A file being created, a file being compacted, and a store being imported, which is created as any other.
  static let unfinished = [".new", ".compacting", importing, importing + ".new"]
  /// A store that is being filled from a file of another library.
  package static let importing = ".importing"
  /// A file that could not be opened, and was set aside.
  static let setAside = ".unreadable"

  static func isEnding(_ ending: String) -> Bool {
    unfinished.contains(ending) || isSetAside(ending)
  }

  /// `.unreadable`, optionally with a number from 2.
  static func isSetAside(_ ending: String) -> Bool {
    guard ending.hasPrefix(setAside) else { return false }
    let number = ending.dropFirst(setAside.count)
    guard !number.isEmpty else { return true }
    guard number.hasPrefix("-"), let value = Int(number.dropFirst()) else { return false }
    return value >= 2 && "-\(value)" == number
  }
}
