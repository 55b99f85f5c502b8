extension LeafReference {
  /// The memory range of the extent that contains a field's column: for tests that bytes are not copied.
  ///
  /// - Returns: Nil if the leaf does not store the field.
  package func addresses(of field: FieldID) throws(EngineError) -> Range<UInt>? {
    guard let place = head.place(of: field) else { return nil }
    let group = Int(head.entries[place].group)
    let bytes = group == 0 ? frame.bytes : try heldGroup(group - 1).frame.bytes
    return unsafe bytes.withUnsafeBytes { buffer in
      let start = UInt(bitPattern: buffer.baseAddress)
      return start..<start + UInt(buffer.count)
    }
  }
}
