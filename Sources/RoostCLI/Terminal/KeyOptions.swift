#if Tool
import ArgumentParser
import RoostModels

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where the key of an encrypted Realm file comes from: never from the arguments, which other users of the machine see.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file with the 64 bytes of an encrypted Realm file's key.", valueName: "file"),
    completion: .file())
  var keyFile: String?

  @Flag(
    help:
      "Ask on the terminal for the key of an encrypted Realm file: 128 hexadecimal digits, which are not shown."
  )
  var askKey = false

  func validate() throws {
    guard keyFile == nil || !askKey else {
      throw ValidationError("Say either --key-file or --ask-key.")
    }
  }

  /// Whether there is one.
  var isGiven: Bool { keyFile != nil || askKey }

  /// Reads the key for a file; nil where none is given.
  func key(of path: String) throws(ToolFailure) -> Data? {
    do throws(ModelsError) {
      if let keyFile { return try RealmKey.read(keyFile) }
    } catch { throw ToolFailure(error, path: path) }
    guard askKey else { return nil }
    let digits = try readSecret("Key of \(path): ")
    do throws(ModelsError) { return try RealmKey.parse(digits) } catch {
      throw ToolFailure(error, path: path)
    }
  }
}
#endif
