/// Integer identifiers that the store assigns.
extension EngineTransaction {
  /// The first of some numbers for objects that are to come, of a table whose identifier is an integer.
  ///
  /// They are above those of all objects, and of those that were given or noted before and that are committed: also
  /// where the objects are deleted, and after the file was opened again.
  /// - Parameter max: The highest that may be given.
  /// - Throws: `.limit` where they would be higher.
  package func takeNumbers(
    _ count: Int, in table: UInt32, max: UInt64
  ) throws(EngineError) -> UInt64 {
    precondition(count > 0, "One number at least is taken.")
    return try settledState(table, toChange: true).takeNumbers(UInt64(count), max: max)
  }

  /// Sees to it that a number, and all below, are not given, because an object gets it otherwise.
  package func noteNumber(_ number: UInt64, in table: UInt32) throws(EngineError) {
    try settledState(table, toChange: true).noteNumber(number)
  }
}

extension FieldType {
  /// The object key that an integer identifier's number is, which is none of the negative ones.
  package func objectKey(ofNumber number: UInt64) -> Int64 {
    Int64(bitPattern: self == .uint ? number ^ Self.signBit : number)
  }

  /// The number that an object key is as an integer identifier; 0 for the negative ones.
  package func number(ofObjectKey key: Int64) -> UInt64 {
    self == .uint ? UInt64(bitPattern: key) ^ Self.signBit : UInt64(max(key, 0))
  }
}
