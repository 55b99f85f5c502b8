internal import RoostEngine

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Store {
  /// A good place for an app's store called `name`, whose directory is made where it is missing.
  ///
  /// On Apple platforms `Application Support/<bundle identifier>/<name>.roost` in the user's (or the
  /// app's) library; elsewhere `<program>/<name>.roost` in `$XDG_DATA_HOME` or `~/.local/share`.
  public static func defaultLocation(_ name: String = "store") throws(StoreError) -> Location {
    let directory = dataDirectory() + "/" + programName()
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw .permissionDenied(operation: .create, path: directory)
    }
    return .file("\(directory)/\(name).roost")
  }

  /// The files that exist of the store at `path`: its own, and what an interrupted compaction left.
  public static func files(at path: String) throws(StoreError) -> [String] {
    let fileSystem = PosixFileSystem()
    var found: [String] = []
    for candidate in [path, path + ".new", path + ".compacting"] {
      let kind = try system { () throws(FileError) in try fileSystem.kind(of: candidate) }
      if kind == .regular { found.append(candidate) }
    }
    return found
  }

  /// Removes the store at `path` with all its side files; does nothing where there is none.
  ///
  /// - Throws: ``StoreError/locked(path:)`` where the store is open, here or in another process;
  ///   ``StoreError/isDirectory(path:)`` and the system's errors.
  public static func remove(at path: String) throws(StoreError) {
    let fileSystem = PosixFileSystem()
    let files = try files(at: path)
    for file in files {
      // Locked first, so that nobody's open store is pulled away.
      let open = try system { () throws(FileError) in try fileSystem.open(file, .readWrite) }
      defer { open.close() }
      guard try system({ () throws(FileError) in try open.lock(exclusive: true) }) else {
        throw .locked(path: file)
      }
      try system { () throws(FileError) in try fileSystem.remove(file) }
    }
    guard !files.isEmpty else { return }
    try system { () throws(FileError) in try fileSystem.synchronizeDirectory(of: path) }
  }

  private static func system<R>(_ operation: () throws(FileError) -> R) throws(StoreError) -> R {
    do { return try operation() } catch { throw StoreError(error) }
  }

  private static func dataDirectory() -> String {
    #if canImport(Darwin)
    return URL.applicationSupportDirectory.path(percentEncoded: false)
    #else
    let environment = ProcessInfo.processInfo.environment
    if let directory = environment["XDG_DATA_HOME"], directory.hasPrefix("/") { return directory }
    return (environment["HOME"] ?? ".") + "/.local/share"
    #endif
  }

  private static func programName() -> String {
    #if canImport(Darwin)
    if let identifier = Bundle.main.bundleIdentifier { return identifier }
    #endif
    return ProcessInfo.processInfo.processName
  }
}
