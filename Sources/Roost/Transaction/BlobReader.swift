internal import RoostEngine

extension Snapshot {
  /// The blob of the object with this id, to be read in ranges.
  ///
  /// ```swift
  /// let image = try store.snapshot().blob(\Photo.image, of: 7)
  /// let start = try image.read(0..<16)
  /// ```
  ///
  /// - Throws: ``StoreError/notFound(model:id:)`` where there is no such object;
  ///   ``StoreError/unknownField(model:property:)`` where the schema does not have the property.
  public func blob<M: Model>(
    _ property: KeyPath<M, Blob>, of id: M.ID
  ) throws(StoreError) -> BlobReader {
    try open().blob(property, of: id)
  }
}

extension VersionContext {
  fileprivate func blob<M: Model>(
    _ property: KeyPath<M, Blob>, of id: M.ID
  ) throws(StoreError) -> BlobReader {
    let model = try model(M.self)
    guard let position = M.schema.position(of: property) else {
      throw .unknownField(
        model: model.name.name, property: M.schema.nameOfUnknown(property))
    }
    guard let key = try objectKey(of: model, id: id._constant.value),
      let content = try content(of: model.fields[position], model.tableID, key)
    else { throw .notFound(model: model.name.name, id: "\(id)") }
    return BlobReader(context: self, content: content)
  }
}

extension ReadContext {
  fileprivate func content(
    of field: FieldID, _ table: UInt32, _ key: Int64
  ) throws(StoreError) -> BlobContent? {
    let view = try view()
    return try working(on: file) { () throws(EngineError) in
      try view.blob(field, of: key, in: table)
    }
  }

  /// All bytes of a blob that was read from this store.
  func bytes(of origin: BlobOrigin) throws(StoreError) -> [UInt8] {
    guard origin.store == binding.identity,
      let content = try content(of: origin.field, origin.table, origin.key)
    else { throw Blob.missingBytes }
    return try working(on: file) { () throws(EngineError) in
      try content.bytes(in: 0..<content.length)
    }
  }
}

extension BlobContent {
  /// The bytes of a range, which lies in the content.
  fileprivate func bytes(in range: Range<UInt64>) throws(EngineError) -> [UInt8] {
    var bytes: [UInt8] = []
    // A stored length is not trusted to reserve more than 1 MiB.
    bytes.reserveCapacity(Int(min(UInt64(range.count), 1 << 20)))
    try forEachPiece(in: range) { piece in bytes.append(piece) }
    return bytes
  }

  /// Calls `body` with the bytes of a range, which lies in the content, piece by piece.
  fileprivate func forEachPiece(
    in range: Range<UInt64>, _ body: (ByteView) throws(EngineError) -> Void
  ) throws(EngineError) {
    var next = range.lowerBound
    while next < range.upperBound {
      let piece = try piece(at: next)
      try piece.withBytes(in: next..<range.upperBound, body)
      next = piece.range.upperBound
    }
  }
}

/// A blob of one version, to be read in ranges: see ``Snapshot/blob(_:of:)``.
///
/// Bytes are counted from 0. Only the requested bytes are read and checked: if a part of the file is damaged, ranges that
/// include it throw ``StoreError/corrupt(path:damage:)``, and all others can be read. A range outside the blob throws
/// ``StoreError/outOfRange(place:count:)``. The reader may be passed to any thread. It retains its version and always shows
/// that version's bytes, regardless of later writes.
public struct BlobReader: Sendable {
  private let context: VersionContext
  private let content: BlobContent

  fileprivate init(context: VersionContext, content: BlobContent) {
    self.context = context
    self.content = content
  }

  /// The number of bytes.
  public var count: Int { Int(clamping: content.length) }

  /// Whether the blob is empty.
  public var isEmpty: Bool { count == 0 }

  /// The bytes of a range.
  ///
  /// - Complexity: As many as are asked for, and the logarithm of the blob's length.
  public func read(_ range: Range<Int>) throws(StoreError) -> [UInt8] {
    let range = try checked(range)
    return try working(on: context.file) { () throws(EngineError) in
      try content.bytes(in: range)
    }
  }

  /// Calls a closure with the bytes of a range, or of the whole blob, chunk by chunk in order.
  ///
  /// The buffers point to the bytes in place and are valid only inside the closure. Errors of the closure are rethrown
  /// unchanged.
  public func forEachChunk(
    in range: Range<Int>? = nil, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let range = try checked(range ?? 0..<count)
    var next = range.lowerBound
    while next < range.upperBound {
      let piece = try piece(at: next)
      // The piece retains its bytes while `body` runs.
      let result = piece.withBytes(in: next..<range.upperBound) { bytes in
        unsafe bytes.withUnsafeBytes { bytes in Result { try unsafe body(bytes) } }
      }
      try result.get()
      next = piece.range.upperBound
    }
  }

  /// All bytes, chunk by chunk, for `for try await`.
  ///
  /// - Parameter size: How many bytes each chunk has but the last; less than 1 counts as 1.
  public func chunks(of size: Int = 1 << 18) -> BlobChunks {
    BlobChunks(reader: self, size: max(1, size))
  }

  private func piece(at offset: UInt64) throws(StoreError) -> ValuePiece {
    try working(on: context.file) { () throws(EngineError) in try content.piece(at: offset) }
  }

  private func checked(_ range: Range<Int>) throws(StoreError) -> Range<UInt64> {
    for place in [range.lowerBound, range.upperBound] where place < 0 || place > count {
      throw .outOfRange(place: place, count: count)
    }
    return UInt64(range.lowerBound)..<UInt64(range.upperBound)
  }
}

/// The bytes of a blob, chunk by chunk: see ``BlobReader/chunks(of:)``.
public struct BlobChunks: AsyncSequence, Sendable {
  let reader: BlobReader
  let size: Int

  /// The iterator at the beginning.
  public func makeAsyncIterator() -> Iterator { Iterator(reader: reader, size: size) }

  /// Reads one chunk after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let reader: BlobReader
    let size: Int
    private var next = 0

    init(reader: BlobReader, size: Int) {
      self.reader = reader
      self.size = size
    }

    /// The next chunk; nil at the end.
    public mutating func next() async throws(StoreError) -> [UInt8]? {
      try await next(isolation: nil)
    }

    /// The next chunk; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(StoreError) -> [UInt8]? {
      guard next < reader.count else { return nil }
      let end = next + Swift.min(size, reader.count - next)
      let chunk = try reader.read(next..<end)
      next = end
      return chunk
    }
  }
}
