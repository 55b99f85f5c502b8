/// Makes an empty store file.
///
/// It is written beside its place, synced and renamed, so that a crash leaves a whole file or none.
package struct NewFile {
  let path: String
  let fileSystem: any FileSystem

  /// The first version's transaction.
  static let firstTransaction: UInt64 = 1

  func create() throws(EngineError) {
    do { try write() } catch {
      // Who asked for the file knows its own path only.
      throw .file(FileError(error.operation, path: path, code: error.code))
    }
  }

  private func write() throws(FileError) {
    let temporary = unfinishedPath(for: path)
    let file = try fileSystem.open(temporary, .create)
    do {
      try Self.fill(file, transaction: Self.firstTransaction, features: FeatureWords())
      file.close()
      try fileSystem.rename(temporary, to: path)
      try fileSystem.synchronizeDirectory(of: path)
    } catch {
      file.close()
      try? fileSystem.remove(temporary)
      throw error
    }
  }

  /// Makes an open file an empty store, whose one version has this number, and syncs it.
  package static func fill(
    _ file: any StorageFile, transaction: UInt64, features: FeatureWords
  ) throws(FileError) {
    try file.truncate(to: 0)
    try file.allocate(0..<Unit.firstExtent * UInt64(Unit.bytes))
    let identity = StoreIdentity.random()
    let unit = AlignedBytes(count: Unit.bytes)
    FileHeader(identity: identity).store(in: unit.mutableView)
    try file.write(unit.mutableView.readOnly, at: 0)
    var slot = MetaSlot(transaction: transaction, confirmed: 0, identity: identity)
    slot.features = features
    slot.store(in: unit.mutableView)
    try file.write(unit.mutableView.readOnly, at: MetaSlot.offset(of: 0))
    withExtendedLifetime(unit) {}
    try file.synchronize()
  }
}
