/// The distinct texts of some rows, in order, and each row's code.
struct TextDictionary {
  /// The place of each row's text among the entries; 0 for null.
  var codes: [UInt16]
  /// The spans of the distinct texts in the buffer's heap, ascending as bytes.
  var entries: [ByteSpan]
}
