#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Keys of encrypted Realm files.
package enum RealmKey {
  /// The key that a file holds.
  ///
  /// - Throws: ``ModelsError`` where the file cannot be read.
  package static func read(_ file: String) throws(ModelsError) -> Data {
    do { return try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
      throw ModelsError("the key in \(file) cannot be read: check the path and its permissions.")
    }
  }
}
