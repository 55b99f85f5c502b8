/// Creates an empty store file.
///
/// It is written to a temporary file, synced and renamed, so that a crash leaves a whole file or none. The name becomes
/// durable when the file is first opened for writing: until then there is nothing to lose.
package struct NewFile {
  let path: String
  let fileSystem: any FileSystem
  /// The permissions of the file: the nine bits of a POSIX mode.
  let permissions: UInt16

  /// The first version's transaction.
  package static let firstTransaction: UInt64 = 1

  /// Creates the file, unless it has been created meanwhile.
  ///
  /// - Throws: `.locked` where somebody else is making it.
  func create() throws(EngineError) {
    do { try write() } catch {
      switch error.meaning {
      case .busy: throw .locked(path: path)
      case .existingFile where error.operation == .rename: return
      // Something that is in the way must be named.
      case .existingFile where error.operation == .open: throw .file(error)
      // The caller knows only its own path.
      default: throw .file(FileError(error.operation, path: path, code: error.code))
      }
    }
  }

  private func write() throws(FileError) {
    let temporary = unfinishedPath(for: path)
    let file = try UnfinishedFile(at: temporary, in: fileSystem).create()
    do throws(FileError) {
      // Checked under the lock: the previous holder may have put the file in its place.
      guard try fileSystem.kind(of: path) == nil else {
        throw FileError(.rename, path: path, .existingFile)
      }
      try file.setPermissions(permissions)
      try Self.fill(file, transaction: Self.firstTransaction, features: FeatureWords())
      try fileSystem.rename(temporary, to: path)
      file.close()
    } catch {
      // Before the lock ends: from then on the name may be another's.
      try? fileSystem.remove(temporary)
      file.close()
      throw error
    }
  }

  /// The units of the header, of the slots and of their marks.
  private static let places: [UInt64] =
    [0]
    + (0..<MetaSlot.count).flatMap { slot in
      [MetaSlot.offset(of: slot), ConfirmMark.offset(ofSlot: slot)]
    }

  /// Makes an open file an empty store, whose one version has this number, and syncs it.
  package static func fill(
    _ file: any StorageFile, transaction: UInt64, features: FeatureWords
  ) throws(FileError) {
    try file.truncate(to: 0)
    try file.truncate(to: Unit.firstExtent * UInt64(Unit.bytes))
    // What lies between them stays a hole.
    for place in Self.places {
      try file.allocate(place..<place + UInt64(Unit.bytes))
    }
    let identity = StoreIdentity.random()
    let unit = AlignedBytes(count: Unit.bytes)
    FileHeader(identity: identity).store(in: unit.mutableView)
    try file.write(unit.mutableView.readOnly, at: 0)
    var slot = MetaSlot(transaction: transaction, confirmed: 0, identity: identity)
    slot.features = features
    slot.features.setNamedVersions(false)
    slot.features.setRing(false)
    slot.features.setRecordedRows(false)
    slot.store(in: unit.mutableView)
    try file.write(unit.mutableView.readOnly, at: MetaSlot.offset(of: 0))
    withExtendedLifetime(unit) {}
    try file.synchronize()
  }
}
