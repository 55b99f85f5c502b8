import RoostEngine

/// Numbers that stand for content, whatever the order in which it comes.
enum ContentHash {
  /// Mixes two numbers to one that hardly any other two give.
  @inline(__always)
  static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = (first ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(
      by: second ^ 0xE703_7ED1_A0B4_28DB)
    return (product.high ^ product.low) &+ (first &* 0x9E37_79B9_7F4A_7C15) &+ second
  }

  /// The number of a text.
  static func of(_ text: String) -> UInt64 {
    of(bytes: Array(text.utf8))
  }

  /// The number of some bytes.
  static func of(bytes: [UInt8]) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe XXH3.hash($0) } &+ UInt64(bytes.count)
  }

  /// The number of a cell, bit for bit.
  static func of(_ value: Value) -> UInt64 {
    switch value {
    case .null: 0x51_7C_C1_B7
    case .integer(let value): mix(1, UInt64(bitPattern: value))
    case .double(let value): mix(2, value.bitPattern)
    case .float(let value): mix(3, UInt64(value.bitPattern))
    case .bytes(let bytes): mix(4, of(bytes: bytes))
    case .uuid(let high, let low): mix(mix(5, high), low)
    }
  }
}

extension EngineSnapshot {
  /// The number of what the version holds, with what is kept in it under names, as ``Model/digest`` has it.
  func modelDigest() throws(EngineError) -> UInt64 {
    var digest = try modelDigest { _ in true }
    for version in namedVersions {
      let content = try named(version.name).modelDigest { _ in true }
      digest &+= ContentHash.mix(ContentHash.of(version.name), content)
    }
    return digest
  }

  /// The number of what some tables of the version hold: read cell by cell.
  func modelDigest(
    of counts: (TableDefinition) -> Bool
  ) throws(EngineError) -> UInt64 {
    var digest: UInt64 = 0
    for table in catalog.tables where counts(table) {
      let fields = table.fields.filter { !$0.isObjectKey }
      let hashes = fields.map { ContentHash.of($0.name) }
      var sum = ContentHash.of(table.description(in: catalog))
      let objects = try view.objects(table.id)
      var count: UInt64 = 0
      var leaves = try objects.leaves()
      while let leaf = try leaves.next() {
        count += UInt64(leaf.rowCount)
        var rows = (0..<leaf.rowCount).map { UInt64(bitPattern: leaf.key($0)) }
        for (field, hash) in zip(fields, hashes) {
          let column = try leaf.column(field.id)
          for row in rows.indices {
            let value =
              column.hasExternals && column.isExternal(row)
              ? try RowPlace.leaf(leaf, row).value(of: field.id) : column.value(row)
            rows[row] &+= ContentHash.mix(hash, ContentHash.of(value))
          }
        }
        for row in rows { sum &+= ContentHash.mix(row, 7) }
        withExtendedLifetime(leaf) {}
      }
      guard count == objects.count else { throw .unknownTable(name: "count of \(table.name)") }
      digest &+= ContentHash.mix(sum, 11)
    }
    return digest
  }
}

extension TableDefinition {
  /// Everything about the table and its fields that a version has to keep, in words.
  fileprivate func description(in catalog: Catalog) -> String {
    fields.reduce(name) { text, field in
      text + field.description(target: catalog.table(field.target)?.name)
    }
  }
}

extension FieldDefinition {
  /// Everything about the field that a version has to keep, in words.
  func description(target: String?) -> String {
    let flags = [isOptional, isUnique, isIndexed, nullifiesMissingTarget, isIdentifier]
      .map { $0 ? "y" : "n" }.joined()
    return ";\(name) \(type.name) \(flags) \(deleteRule) \(defaultValue) \(target ?? "")"
  }
}
