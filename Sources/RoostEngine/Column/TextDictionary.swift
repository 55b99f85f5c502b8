/// The distinct texts of some rows, in order, and each row's code.
struct TextDictionary {
  /// For each row the place of its text among the entries; 0 for null.
  var codes: [UInt16]
  /// Where the distinct texts lie in the buffer's heap, ascending as bytes.
  var entries: [ByteSpan]
}
