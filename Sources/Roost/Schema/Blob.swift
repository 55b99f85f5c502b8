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
/// An object is decoded without its blob: the value in the object has the number of bytes, and the bytes only if they
/// are few. ``Snapshot/blob(_:of:)`` reads the bytes and ``WriteTransaction/blob(_:of:)`` writes them;
/// neither holds more than some megabytes in memory. A blob has no order, no index and no `nil`; it may be empty.
///
/// Updating an object leaves its blob unchanged, unless it was set to a new blob made from bytes: a fetched blob and `Blob()`
/// mean "as it is stored". In a new object `Blob()` is empty.
public struct Blob: Sendable {
  /// The number of bytes.
  private let length: UInt64
  /// The bytes, if they are known.
  private let content: [UInt8]
  /// A checksum that stands for the bytes if they are not known.
  private let checksum: UInt64
  /// The place that it was read from; nil for a new blob.
  let origin: BlobOrigin?
  /// Whether it replaces the stored blob.
  let isGiven: Bool

  /// The blob as it is stored; in a new object an empty blob.
  public init() {
    self.init(content: [], origin: nil, isGiven: false)
  }

  /// A blob of these bytes, which replaces the stored blob.
  ///
  /// For bytes that fit in memory; use a ``BlobEditor`` to write more.
  public init(_ bytes: some Sequence<UInt8>) {
    self.init(content: Array(bytes), origin: nil, isGiven: true)
  }

  /// A blob read with its object; if it comes from a text, it has no origin and is to be stored.
  init(_ bytes: [UInt8], origin: BlobOrigin?) {
    self.init(content: bytes, origin: origin, isGiven: origin == nil)
  }

  /// A blob that is stored in a place of its own in the file.
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

  /// The number of bytes.
  public var count: Int { Int(clamping: length) }

  /// Whether the blob is empty.
  public var isEmpty: Bool { length == 0 }

  /// The bytes, if the object was decoded with them: for a fetched blob, if they are at most 1024.
  public var bytes: [UInt8]? { UInt64(content.count) == length ? content : nil }

  /// The error for storing a blob whose bytes are not known.
  static var missingBytes: StoreError {
    .unencodable(
      type: "Blob",
      reason: "its bytes were not fetched with its object; read and write them by `blob(_:of:)`")
  }
}

/// Identifies a blob of a store.
struct BlobOrigin: Hashable, Sendable {
  let store: UInt64
  let table: UInt32
  let field: FieldID
  let key: Int64
}

/// Two blobs are equal if they are known to have the same bytes. If the bytes were not fetched with the objects, that is
/// known only while neither blob has been changed.
extension Blob: Hashable {
  /// Whether both are known to have the same bytes.
  public static func == (a: Blob, b: Blob) -> Bool {
    a.length == b.length && a.checksum == b.checksum && a.content == b.content
  }

  /// Hashes the properties that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(length)
    hasher.combine(checksum)
    hasher.combine(content)
  }
}

extension Blob: CustomStringConvertible {
  /// The number of bytes, in words.
  public var description: String { "Blob of \(length) bytes" }
}

extension Blob: PropertyValue {
  /// Adds the columns.
  public static func _describe(_ columns: inout _Columns, default value: Blob?) {
    columns.addBlob(default: value)
  }
  /// Adds the columns of an optional.
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
  /// Appends values to the next columns.
  public static func _encode(
    _ values: _ValueRun<Self>, to columns: inout _RowWriter
  ) throws(StoreError) {
    try columns.append(values)
  }
  /// Appends optionals to the next columns.
  public static func _encodeOptionals(
    _ values: _ValueRun<Self?>, to columns: inout _RowWriter
  ) throws(StoreError) {
    preconditionFailure("No store opens with an optional blob.")
  }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Blob] {
    (0..<Swift.min(count, 256)).map { Blob(CollectionOfOne(UInt8($0))) }
  }
  /// Sample values that a calculation is likely to change.
  public static var _unusualSamples: [Blob] { [Blob([]), Blob([0xFF, 0, 0xFF, 1])] }
}
