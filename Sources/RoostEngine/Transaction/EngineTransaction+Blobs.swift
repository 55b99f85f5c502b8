/// Blobs, edited in place: an edit costs the changed bytes and the logarithm of the blob's length.
///
/// Added bytes go to the file at once, so that memory does not grow with a blob.
extension EngineTransaction {
  /// The length of a blob in bytes.
  ///
  /// - Throws: `.missing` where there is no such object; `.unknownField` where the field is no blob.
  package func blobLength(
    _ table: UInt32, key: Int64, field: FieldID
  ) throws(EngineError) -> UInt64 {
    try editedValue(table, key, field, .blob).editor.length
  }

  /// Some bytes of a blob.
  ///
  /// - Parameter range: Within the blob.
  package func blobBytes(
    _ table: UInt32, key: Int64, field: FieldID, in range: Range<UInt64>
  ) throws(EngineError) -> [UInt8] {
    let value = try editedValue(table, key, field, .blob)
    let bytes = try value.editor.read(range)
    try applying { () throws(EngineError) in try value.editor.settleIfLarge(with: writer) }
    return bytes
  }

  /// Inserts bytes at an offset, which is at most the blob's length.
  package func insertBlobBytes(
    _ bytes: [UInt8], at place: UInt64, _ table: UInt32, key: Int64, field: FieldID
  ) throws(EngineError) {
    try change(table, key, field) { (editor) throws(EngineError) in
      try editor.insert(bytes, at: place)
    }
  }

  /// Overwrites the bytes from an offset on with as many others; the range lies in the blob.
  package func replaceBlobBytes(
    _ bytes: [UInt8], at place: UInt64, _ table: UInt32, key: Int64, field: FieldID
  ) throws(EngineError) {
    try change(table, key, field) { (editor) throws(EngineError) in
      try editor.overwrite(bytes, at: place)
    }
  }

  /// Removes the bytes of a range, which lies in the blob.
  package func removeBlobBytes(
    in range: Range<UInt64>, _ table: UInt32, key: Int64, field: FieldID
  ) throws(EngineError) {
    try change(table, key, field) { (editor) throws(EngineError) in try editor.remove(range) }
  }

  private func change(
    _ table: UInt32, _ key: Int64, _ field: FieldID,
    _ body: (ValueEditor) throws(EngineError) -> Void
  ) throws(EngineError) {
    let editor = try changedValue(table, key, field, .blob).editor
    try applying { () throws(EngineError) in
      try body(editor)
      try editor.settleIfLarge(with: writer)
    }
  }
}
