internal import RoostEngine

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Store {
  /// The recommended location for an app's store called `name`; creates its directory if it is missing.
  ///
  /// On Apple platforms `Application Support/<bundle identifier>/<name>.roost` in the user's (or the
  /// app's) library; elsewhere `<program>/<name>.roost` in `$XDG_DATA_HOME` or `~/.local/share`.
  public static func defaultLocation(_ name: String = "store") throws(StoreError) -> Location {
    let directory = applicationDirectory()
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw .permissionDenied(operation: .create, path: directory)
    }
    return .file("\(directory)/\(name).roost")
  }

  /// The existing files of the store at a location: its own, those left by an interrupted creation or compaction, and those
  /// set aside because they could not be opened (see ``UnreadableFilePolicy/setAside``).
  ///
  /// A seed is not among them. In memory there are none.
  public static func files(at location: Location) throws(StoreError) -> [String] {
    try location.path.map { (path) throws(StoreError) in try files(at: path) } ?? []
  }

  /// The existing files of the store at `path`, as for the location of a file.
  public static func files(at path: String) throws(StoreError) -> [String] {
    let slash = path.lastIndex(of: "/")
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    var found = try ownFiles(at: path)
    for file in try fileNames(in: slash.map { String(path[...$0]) } ?? ".")
    where file.hasPrefix(name) {
      let end = String(file.dropFirst(name.count))
      if SideFile.isSetAside(end), try isFile(path + end) { found.append(path + end) }
    }
    return found
  }

  /// The files of the store at `path`, without those set aside.
  private static func ownFiles(at path: String) throws(StoreError) -> [String] {
    var found: [String] = []
    for candidate in [path] + SideFile.unfinished.map({ path + $0 }) where try isFile(candidate) {
      found.append(candidate)
    }
    return found
  }

  /// Removes the store at a location with all its files, except its seed; does nothing if there is none, and in memory.
  ///
  /// Its own file is removed last: if the process is killed meanwhile, the file still exists and can be removed again.
  /// - Throws: ``StoreError/inUse(path:by:)`` where the store is open in this process, or snapshots or rows of it are held;
  ///   ``StoreError/locked(path:)`` where another process has it open. Then nothing is removed. The system's errors.
  public static func remove(at location: Location) throws(StoreError) {
    if let path = location.path { try remove(at: path) }
  }

  /// Removes the store at `path` with all its files, as for the location of a file.
  public static func remove(at path: String) throws(StoreError) {
    try remove(files(at: path), of: path)
  }

  /// Removes the store at `path`, except files set aside.
  static func removeOwnFiles(at path: String) throws(StoreError) {
    try remove(ownFiles(at: path), of: path)
  }

  private static func remove(_ files: [String], of path: String) throws(StoreError) {
    guard !files.isEmpty else { return }
    let fileSystem = PosixFileSystem()
    // All files are locked first, so that no open store loses its files, and nothing is removed if one is in use.
    var locked: [any StorageFile] = []
    defer { for file in locked { file.close() } }
    for path in files {
      guard let file = try opened(path, in: fileSystem) else { continue }
      locked.append(file)
      do throws(EngineError) { try Engine.lock(file, exclusive: true, path) } catch {
        // Another process has removed it.
        if case .file(let error) = error, error.meaning == .stale { continue }
        throw StoreError(error, in: StoreFile(path: path))
      }
    }
    try system { () throws(FileError) in
      for file in files.reversed() {
        do throws(FileError) { try fileSystem.remove(file) } catch {
          guard error.meaning == .missingFile else { throw error }
        }
      }
      try fileSystem.synchronizeDirectory(of: path)
    }
  }

  /// The file at a path; nil where another process has removed it.
  private static func opened(
    _ path: String, in fileSystem: PosixFileSystem
  ) throws(StoreError) -> (any StorageFile)? {
    do { return try fileSystem.open(path, .readWrite) } catch {
      guard error.meaning == .missingFile else { throw StoreError(error) }
      return nil
    }
  }

  /// The names of the files of any kind in a directory, ascending; empty without a directory.
  static func fileNames(in directory: String) throws(StoreError) -> [String] {
    let kind = try system { () throws(FileError) in try PosixFileSystem().kind(of: directory) }
    guard kind != nil else { return [] }
    do { return try FileManager.default.contentsOfDirectory(atPath: directory).sorted() } catch {
      throw .permissionDenied(operation: .list, path: directory)
    }
  }

  static func isFile(_ path: String) throws(StoreError) -> Bool {
    try system { () throws(FileError) in try PosixFileSystem().kind(of: path) } == .regular
  }

  private static func system<R>(_ operation: () throws(FileError) -> R) throws(StoreError) -> R {
    do { return try operation() } catch { throw StoreError(error) }
  }

  /// The directory for the program's data.
  static func applicationDirectory() -> String { dataDirectory() + "/" + programName() }

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
