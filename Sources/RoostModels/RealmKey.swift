#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Keys of encrypted Realm files.
package enum RealmKey {
  /// How many bytes a key has.
  private static let byteCount = 64

  /// The key that a file holds.
  ///
  /// - Throws: ``ModelsError`` where the file cannot be read.
  package static func read(_ file: String) throws(ModelsError) -> Data {
    do { return try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
      throw ModelsError("the key in \(file) cannot be read: check the path and its permissions.")
    }
  }

  /// The key that a text has in hexadecimal digits, between which there may be spaces.
  ///
  /// - Throws: ``ModelsError``, which shows nothing of the text.
  package static func parse(_ text: String) throws(ModelsError) -> Data {
    let digits = text.filter { !$0.isWhitespace }.map(\.hexDigitValue)
    let known = digits.compactMap { $0 }
    guard known.count == digits.count, known.count == 2 * byteCount else {
      throw ModelsError(
        "the key must be \(2 * byteCount) hexadecimal digits; \(digits.count) characters were typed."
      )
    }
    return Data(
      stride(from: 0, to: known.count, by: 2).map { UInt8(known[$0] << 4 | known[$0 + 1]) })
  }
}
