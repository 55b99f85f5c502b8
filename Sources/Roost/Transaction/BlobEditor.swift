internal import RoostEngine

extension WriteTransaction {
  /// The blob of the object with this id, to be read and written in ranges.
  ///
  /// ```swift
  /// let image = try transaction.blob(\Photo.image, of: 7)
  /// try image.append { try file.read(upToCount: 1 << 20) }
  /// ```
  /// Written bytes go to the file at once, so memory use does not grow with the blob. They are part of the transaction
  /// like every other change. Consecutive edits of the same blob are the cheapest.
  /// transaction like everything else. Edits of one blob one after the other are the cheapest.
  /// - Throws: ``StoreError/notFound(model:id:)`` where there is no such object;
  ///   ``StoreError/unknownField(model:property:)`` where the schema does not have the property.
  public func blob<M: Model>(
    _ property: KeyPath<M, Blob>, of id: M.ID
  ) throws(StoreError) -> BlobEditor {
    let context = try open()
    let model = try context.model(M.self)
    guard let position = M.schema.position(of: property) else {
      throw .unknownField(
        model: model.name.name, property: M.schema.nameOfUnknown(property))
    }
    guard let key = try context.objectKey(of: model, id: id._constant.value) else {
      throw .notFound(model: model.name.name, id: "\(id)")
    }
    let editor = BlobEditor(
      context: context, model: model, field: model.fields[position], key: key, id: "\(id)")
    _ = try editor.count
    return editor
  }
}

/// A blob that is edited in place: see ``WriteTransaction/blob(_:of:)``.
///
/// Offsets are counted from 0. Reads show the current state of the transaction. After the transaction has ended, the editor
/// throws ``StoreError/transactionEnded``; after its object was deleted, ``StoreError/notFound(model:id:)``. An offset
/// outside the blob throws ``StoreError/outOfRange(place:count:)``.
public struct BlobEditor {
  let context: WriteContext
  let model: ModelBinding
  let field: FieldID
  let key: Int64
  /// The id of the object, for errors.
  let id: String

  /// The largest number of bytes that one call hands to the engine.
  private static var sliceBytes: Int { 1 << 20 }

  /// The number of bytes.
  public var count: Int {
    get throws(StoreError) {
      Int(
        clamping: try working { (transaction) throws(EngineError) in
          try transaction.blobLength(model.tableID, key: key, field: field)
        })
    }
  }

  /// Whether the blob is empty.
  public var isEmpty: Bool { get throws(StoreError) { try count == 0 } }

  /// The bytes of a range.
  ///
  /// - Complexity: As many as are asked for, and the logarithm of the blob's length.
  public func read(_ range: Range<Int>) throws(StoreError) -> [UInt8] {
    try check(range)
    return try working { (transaction) throws(EngineError) in
      try transaction.blobBytes(
        model.tableID, key: key, field: field,
        in: UInt64(range.lowerBound)..<UInt64(range.upperBound))
    }
  }

  // MARK: Editing

  /// Adds bytes at the end.
  public func append(_ bytes: some Sequence<UInt8>) throws(StoreError) {
    try insert(bytes, at: try count)
  }

  /// Appends the chunks that a closure returns, until it returns nil or an empty chunk.
  ///
  /// ```swift
  /// try image.append { try file.read(upToCount: 1 << 20) }
  /// ```
  ///
  /// - Throws: What the closure throws; what came before is added then.
  public func append(from next: () throws -> (some Collection<UInt8>)?) throws {
    while let bytes = try next(), !bytes.isEmpty { try append(bytes) }
  }

  /// Appends the bytes of a blob, which may belong to another store.
  public func append(contentsOf blob: BlobReader) throws(StoreError) {
    for start in stride(from: 0, to: blob.count, by: Self.sliceBytes) {
      try append(try blob.read(start..<min(start + Self.sliceBytes, blob.count)))
    }
  }

  /// Overwrites the bytes from `place` on; bytes beyond the end are appended. `place` is at most the number of bytes.
  public func write(_ bytes: some Sequence<UInt8>, at place: Int) throws(StoreError) {
    let count = try count
    try check(place, atMost: count)
    var next = place
    try forEachSlice(of: bytes) { (slice) throws(StoreError) in
      let replaced = min(slice.count, max(count - next, 0))
      try working { (transaction) throws(EngineError) in
        if replaced > 0 {
          try transaction.replaceBlobBytes(
            Array(slice[..<replaced]), at: UInt64(next), model.tableID, key: key, field: field)
        }
        if replaced < slice.count {
          try transaction.insertBlobBytes(
            Array(slice[replaced...]), at: UInt64(next + replaced), model.tableID, key: key,
            field: field)
        }
      }
      next += slice.count
    }
  }

  /// Inserts bytes before the byte at `place`, which is at most the number of bytes.
  ///
  /// - Complexity: What is inserted, and the logarithm of the blob's length.
  public func insert(_ bytes: some Sequence<UInt8>, at place: Int) throws(StoreError) {
    try check(place, atMost: try count)
    var next = place
    try forEachSlice(of: bytes) { (slice) throws(StoreError) in
      try working { (transaction) throws(EngineError) in
        try transaction.insertBlobBytes(
          slice, at: UInt64(next), model.tableID, key: key, field: field)
      }
      next += slice.count
    }
  }

  /// Removes the bytes of a range.
  public func removeSubrange(_ range: Range<Int>) throws(StoreError) {
    try check(range)
    guard !range.isEmpty else { return }
    try working { (transaction) throws(EngineError) in
      try transaction.removeBlobBytes(
        in: UInt64(range.lowerBound)..<UInt64(range.upperBound), model.tableID, key: key,
        field: field)
    }
  }

  /// Removes all bytes from offset `count` on, which is at most the number of bytes.
  public func truncate(to count: Int) throws(StoreError) {
    let end = try self.count
    try check(count, atMost: end)
    try removeSubrange(count..<end)
  }

  /// Removes all bytes.
  public func removeAll() throws(StoreError) { try truncate(to: 0) }

  // MARK: Places and slices

  private func forEachSlice(
    of bytes: some Sequence<UInt8>, _ body: ([UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) {
    // The standard library's closure is not generic over its error. Each slice is copied from within the buffer.
    let result = bytes.withContiguousStorageIfAvailable { bytes in
      Result { () throws(StoreError) in
        for start in stride(from: 0, to: bytes.count, by: Self.sliceBytes) {
          try body(unsafe Array(bytes[start..<min(start + Self.sliceBytes, bytes.count)]))
        }
      }
    }
    if let result { return try result.get() }
    var slice: [UInt8] = []
    for byte in bytes {
      slice.append(byte)
      guard slice.count == Self.sliceBytes else { continue }
      try body(slice)
      slice.removeAll(keepingCapacity: true)
    }
    if !slice.isEmpty { try body(slice) }
  }

  @inline(never)
  private func check(_ place: Int, atMost last: Int) throws(StoreError) {
    guard place >= 0, place <= last else { throw .outOfRange(place: place, count: try count) }
  }

  @inline(never)
  private func check(_ range: Range<Int>) throws(StoreError) {
    try check(range.lowerBound, atMost: range.upperBound)
    try check(range.upperBound, atMost: try count)
  }

  private func working<R>(
    _ operation: (EngineTransaction) throws(EngineError) -> R
  ) throws(StoreError) -> R {
    try context.checkIsOpen()
    do { return try operation(context.transaction) } catch { throw storeError(error) }
  }

  @inline(never)
  private func storeError(_ error: EngineError) -> StoreError {
    if case .missing = error { return .notFound(model: model.name.name, id: id) }
    return StoreError(error, in: context.file)
  }
}
