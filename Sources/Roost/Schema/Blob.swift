internal import RoostEngine

/// Large data of an object, such as a photo or a film, that is read and written in ranges.
///
/// ```swift
/// struct Photo: Model {
///   let id: Int
///   var title: String
///   var image = Blob()
///   static let schema = Schema(
///     Photo.init, Key("id", \.id), Field("title", \.title), Field("image", \.image))
/// }
/// ```
///
/// An object is decoded without it: the value in the object knows how many bytes there are, and has them only where they
/// are few. The bytes are read by ``Snapshot/blob(_:of:)`` and written by ``WriteTransaction/blob(_:of:)``, of which
/// neither holds more than some megabytes in memory. A blob has no order, no index and no `nil`; it may be empty.
///
/// To update an object does not touch its blob, unless it got a new one, made from bytes: what was fetched, and `Blob()`,
/// mean "as it is stored". In a new object `Blob()` is empty.
public struct Blob: Sendable {
  /// How many bytes there are.
  private let length: UInt64
  /// The bytes, where they are known.
  private let content: [UInt8]
  /// A number that stands for bytes that are not known.
  private let checksum: UInt64
  /// Where it was read; nil for one that is new.
  let origin: BlobOrigin?
  /// Whether it is to take the place of what is stored.
  let isGiven: Bool

  /// What is stored already; in a new object no bytes.
  public init() {
    self.init(content: [], origin: nil, isGiven: false)
  }

  /// These bytes, to be stored in place of others.
  ///
  /// For what fits in memory; more is written by a ``BlobEditor``.
  public init(_ bytes: some Sequence<UInt8>) {
    self.init(content: Array(bytes), origin: nil, isGiven: true)
  }

  /// What was read with the object that it belongs to; of a text, which has no origin, to be stored.
  init(_ bytes: [UInt8], origin: BlobOrigin?) {
    self.init(content: bytes, origin: origin, isGiven: origin == nil)
  }

  /// What lies in the file, in a place of its own.
  init(length: UInt64, checksum: UInt64, origin: BlobOrigin?) {
    self.length = length
    content = []
    self.checksum = checksum
    self.origin = origin
    isGiven = false
  }

  private init(content: [UInt8], origin: BlobOrigin?, isGiven: Bool) {
    length = UInt64(content.count)
    self.content = content
    checksum = 0
    self.origin = origin
    self.isGiven = isGiven
  }

  /// How many bytes there are.
  public var count: Int { Int(clamping: length) }

  /// Whether there are none.
  public var isEmpty: Bool { length == 0 }

  /// The bytes, where the object brought them along: of one that was fetched if they are at most 1024.
  public var bytes: [UInt8]? { UInt64(content.count) == length ? content : nil }

  /// The error where bytes are to be stored that are not there.
  static var missingBytes: StoreError {
    .unencodable(
      type: "Blob",
      reason: "its bytes were not fetched with its object; read and write them by `blob(_:of:)`")
  }
}

/// Which blob of which store one is.
struct BlobOrigin: Hashable, Sendable {
  let store: UInt64
  let table: UInt32
  let field: FieldID
  let key: Int64
}

/// Two are equal that are known to have the same bytes. Of those that were not fetched with their objects that is known
/// only while neither has been changed.
extension Blob: Hashable {
  /// Whether both are known to have the same bytes.
  public static func == (a: Blob, b: Blob) -> Bool {
    a.length == b.length && a.checksum == b.checksum && a.content == b.content
  }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(length)
    hasher.combine(checksum)
    hasher.combine(content)
  }
}

extension Blob: CustomStringConvertible {
  /// How many bytes there are.
  public var description: String { "Blob of \(length) bytes" }
}

extension Blob: PropertyValue {
  /// Adds what is stored.
  public static func _describe(_ columns: inout _Columns, default value: Blob?) {
    columns.addBlob(default: value)
  }
  /// Adds what is stored for an optional.
  public static func _describeOptional(_ columns: inout _Columns, default value: Blob??) {
    columns.refuse("is an optional blob; an empty blob says as much")
    _describe(&columns, default: nil)
  }
  /// The value in the next cells.
  public static func _decode(_ cells: inout _RowReader) throws(StoreError) -> Blob {
    try cells.cell().blob()
  }
  /// The value of an optional in the next cells.
  public static func _decodeOptional(_ cells: inout _RowReader) throws(StoreError) -> Blob? {
    try _decode(&cells)
  }
  /// Appends the values that lie at `first`, one each `stride` bytes, to the next columns.
  @unsafe public static func _encode(
    from first: UnsafeRawPointer, stride: Int, count: Int, to columns: inout _RowWriter
  ) throws(StoreError) {
    try unsafe columns.appendBlobs(from: first, stride: stride, count: count)
  }
  /// Appends optionals to the next columns.
  @unsafe public static func _encodeOptionals(
    from first: UnsafeRawPointer, stride: Int, count: Int, to columns: inout _RowWriter
  ) throws(StoreError) {
    preconditionFailure("No store opens with an optional blob.")
  }
  /// Values to try a schema with.
  public static func _samples(_ count: Int) -> [Blob] {
    (0..<Swift.min(count, 256)).map { Blob(CollectionOfOne(UInt8($0))) }
  }
}
