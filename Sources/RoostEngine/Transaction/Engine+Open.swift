import Synchronization

extension Engine {
  /// Opens the file at `path`, or creates it.
  ///
  /// If this process already has the file open, under any path, the engine is shared, also where only rows or snapshots
  /// are left of it. Opening reads what the
  /// last commits wrote, not the whole file.
  ///
  /// - Parameter prepare: What is done with a file that was not open, while no other thread can open it.
  static func attach(
    _ path: String, in fileSystem: any FileSystem, _ options: EngineOptions,
    prepare: (Engine) throws(EngineError) -> Engine
  ) throws(EngineError) -> Engine {
    guard fileSystem is PosixFileSystem else {
      return try prepare(try openOwn(path, in: fileSystem, options))
    }
    let registry = EngineRegistry.shared
    let result = registry.opening.withLock { _ -> Result<Engine, EngineError> in
      Result { () throws(EngineError) in
        if let identity = try identity(of: path, in: fileSystem),
          let engine = registry.engine(for: identity)
        {
          guard engine.isOpenedReadOnly == options.isReadOnly else {
            throw .openInOtherMode(path: path, isReadOnly: engine.isOpenedReadOnly)
          }
          return engine
        }
        let engine = try prepare(try openOwn(path, in: fileSystem, options))
        if let identity = try identity(of: path, in: fileSystem) {
          registry.register(engine, for: identity)
        }
        return engine
      }
    }
    return try result.get()
  }

  private static func identity(
    of path: String, in fileSystem: any FileSystem
  ) throws(EngineError) -> FileIdentity? {
    do { return try fileSystem.identity(of: path) } catch { throw .file(error) }
  }

  /// Opens the file, or creates it, even if the process already has it open.
  static func openOwn(
    _ path: String, in fileSystem: any FileSystem, _ options: EngineOptions
  ) throws(EngineError) -> Engine {
    let file = try openFile(path, in: fileSystem, options)
    do {
      return try open(file, path, options)
    } catch {
      file.close()
      throw error
    }
  }

  private static func openFile(
    _ path: String, in fileSystem: any FileSystem, _ options: EngineOptions
  ) throws(EngineError) -> any StorageFile {
    let mode = options.isReadOnly ? FileMode.readOnly : .readWrite
    do throws(FileError) { return try fileSystem.open(path, mode) } catch {
      guard error.meaning == .missingFile, options.createsFile, !options.isReadOnly else {
        throw .file(error)
      }
    }
    try NewFile(
      path: path, fileSystem: fileSystem, permissions: options.newFilePermissions
    ).create()
    do throws(FileError) { return try fileSystem.open(path, mode) } catch {
      // The file has been removed again already: a retry creates a new one.
      throw error.meaning == .missingFile ? .locked(path: path) : .file(error)
    }
  }

  /// The engine of an open file, which it locks.
  package static func open(
    _ file: any StorageFile, _ path: String, _ options: EngineOptions
  ) throws(EngineError) -> Engine {
    do throws(EngineError) {
      try lock(file, exclusive: !options.isReadOnly, path)
    } catch {
      // Another file took its place before it was locked; the process that replaced it has the new file open.
      if case .file(let error) = error, error.meaning == .stale { throw .locked(path: path) }
      throw error
    }
    let size = try EngineError.wrap { () throws(FileError) in try file.size() }

    let header = try FileHeader(reading: file, size: size, path: path)
    let slots = SlotStore(file: file, identity: header.identity)
    let reader = PageReader(file: file, cacheBytes: options.cacheBytes)
    let fileUnits = size / UInt64(Unit.bytes)
    let recovery = Recovery(slots: slots, reader: reader, fileUnits: fileUnits)
    let found = try recovery.find()
    let mustOnlyRead = try found.slot.features.check()
    guard found.anchor.highWater <= fileUnits else { throw .truncated(path: path) }
    let isReadOnly = options.isReadOnly || mustOnlyRead
    if !isReadOnly {
      _ = try Committer.number(after: found.lastTransaction)
      try recovery.settle(found)
    }

    found.replay?.letReaderFind(reader)
    let pins = PinRegistry(options.leaving)
    let catalog = try Catalog(reading: found.slot, reader: reader)
    let roots = try RootTable(found.slot, of: catalog, reader: reader)
    let named =
      found.slot.namedVersions.isNull
      ? nil : NamedVersions(try [NamedVersion](found.slot, reader: reader), in: pins)
    let version = try Version(
      slot: found.slot, catalog: catalog, roots: roots.roots,
      unapplied: .of(found.replay?.unapplied ?? []),
      named: named,
      pendingFree: found.replay?.pendingFree, reader: reader, pins: pins)
    pins.noteRead(version.transaction)
    let newest = NewestVersion(version)
    let committer =
      isReadOnly
      ? nil
      : Committer(
        slots: slots, reader: reader, pins: pins, recovered: found, version: version,
        roots: roots, newest: newest, fileSize: size,
        (options.ringUnits, options.waitingBytesMax),
        syncTimer: options.syncTimer)
    return Engine(
      path: path, file: file, newest: newest, committer: committer,
      isOpenedReadOnly: options.isReadOnly)
  }
}

extension Catalog {
  /// The catalog of the version that a slot describes.
  package init(reading slot: MetaSlot, reader: PageReader) throws(EngineError) {
    guard !slot.catalog.isNull else {
      self.init()
      return
    }
    guard slot.catalogLength <= UInt64(Self.bytesMax) else {
      throw .corrupt(Corruption(.catalog, unit: slot.catalog.unit))
    }
    try self.init(
      decoding: try reader.value(
        slot.catalog, length: slot.catalogLength, parentBirth: slot.transaction))
  }
}

extension FileHeader {
  /// Reads the header of an open file.
  fileprivate init(
    reading file: any StorageFile, size: UInt64, path: String
  ) throws(EngineError) {
    guard size > 0 else { throw .notARoostFile(path: path) }
    let buffer = AlignedBytes(count: Unit.bytes)
    let read: Int
    do { read = try file.read(into: buffer.mutableView, at: 0) } catch { throw .file(error) }
    guard UInt64(read) == min(size, UInt64(Unit.bytes)) else { throw .truncated(path: path) }
    let header = try buffer.withView { view throws(EngineError) in
      try FileHeader(view, isWhole: size >= UInt64(Unit.bytes), path: path)
    }
    guard size >= Unit.firstExtent * UInt64(Unit.bytes) else { throw .truncated(path: path) }
    self = header
  }
}
