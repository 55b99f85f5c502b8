extension Engine {
  /// Opens the store at `path`, or makes it.
  ///
  /// A file that this process has open already, by whatever path, is shared. Opening reads what the
  /// last commits wrote, not the whole file.
  ///
  /// - Throws: `.locked` at once when another process has the file open; `.notARoostFile`,
  ///   `.truncated`, `.fileIsNewer`, `.corrupt`, or the system's refusal as `.file`.
  public static func open(
    _ path: String, in fileSystem: any FileSystem = PosixFileSystem(),
    options: EngineOptions = EngineOptions()
  ) throws(EngineError) -> Engine {
    try attach(path, in: fileSystem, options)
  }
}
