import Foundation

/// Makes `.realm` files node by node, for forms that no sample has, or that no Realm would write.
struct RealmBuilder {
  private var bytes = [UInt8](repeating: 0, count: 24)

  /// What a node consists of.
  enum Flag: UInt8 {
    case inner = 0x80
    case references = 0x40
    case context = 0x20
  }

  /// Adds a node of 64-bit elements; returns its reference.
  mutating func array(_ elements: [UInt64], _ flags: Flag...) -> UInt64 {
    header(flags, layout: 0, widthCode: 7, count: elements.count)
    for element in elements { append(element) }
    return UInt64(bytes.count - 8 * (elements.count + 1))
  }

  /// Adds a node of signed elements.
  mutating func integers(_ elements: [Int64]) -> UInt64 {
    array(elements.map { UInt64(bitPattern: $0) })
  }

  /// Adds a node whose elements are all 0, and have no bytes.
  mutating func zeros(_ count: Int, _ flags: Flag...) -> UInt64 {
    header(flags, layout: 0, widthCode: 0, count: count)
    return UInt64(bytes.count - 8)
  }

  /// Adds a node of bytes.
  mutating func blob(_ content: [UInt8], claiming count: Int? = nil) -> UInt64 {
    let place = UInt64(bytes.count)
    header([], layout: 2, widthCode: 4, count: count ?? content.count)
    bytes += content
    while bytes.count % 8 != 0 { bytes.append(0) }
    return place
  }

  /// Adds a leaf of short strings.
  mutating func strings(_ texts: [String]) -> UInt64 {
    let place = UInt64(bytes.count)
    header([], layout: 1, widthCode: 7, count: texts.count)
    for text in texts {
      let padding = 63 - text.utf8.count
      bytes += Array(text.utf8) + [UInt8](repeating: 0, count: padding) + [UInt8(padding)]
    }
    return place
  }

  /// A number as an element of an array of references.
  static func tagged(_ value: UInt64) -> UInt64 { value << 1 | 1 }

  /// A column of a table.
  struct Column {
    var name: String
    var type: UInt64
    var attributes: UInt64 = 0
    var target: UInt64 = 0x7fff_ffff
  }

  /// Adds a table with these columns, whose objects are below a node.
  mutating func table(key: UInt64, _ columns: [Column], objects root: UInt64) -> UInt64 {
    let types = integers(columns.map { Int64($0.type) })
    let names = strings(columns.map(\.name))
    let attributes = integers(columns.map { Int64($0.attributes) })
    let keys = integers(
      columns.indices.map { Int64($0) | Int64(columns[$0].type) << 16 | Int64($0) << 30 })
    let targets = integers(columns.map { Int64($0.target) })
    let opposites = integers(columns.map { _ in Int64.max })
    let indexes = zeros(columns.count, .references)
    let spec = array([types, names, attributes, 0, 0, keys], .references)
    return array(
      [
        spec, 0, root, Self.tagged(key), indexes, Self.tagged(0), Self.tagged(0), targets,
        opposites, Self.tagged(0), 0, 0, Self.tagged(0), 0,
      ], .references)
  }

  /// The file whose newest state has these tables.
  mutating func file(_ tables: [(name: String, reference: UInt64)], format: UInt8 = 24) -> [UInt8] {
    let names = strings(tables.map(\.name))
    let tops = array(tables.map(\.reference), .references)
    let top = array([names, tops, Self.tagged(UInt64(bytes.count))], .references)
    return file(top: top, format: format)
  }

  /// The file whose newest state is below a node.
  func file(top: UInt64, format: UInt8 = 24) -> [UInt8] {
    var file = bytes
    file.replaceSubrange(
      0..<24,
      with: (0..<8).map { UInt8(truncatingIfNeeded: top >> UInt64(8 * $0)) }
        + [UInt8](repeating: 0xee, count: 8) + Array("T-DB".utf8) + [format, 0, 0, 0])
    return file
  }

  private mutating func header(_ flags: [Flag], layout: UInt8, widthCode: UInt8, count: Int) {
    bytes += Array("AAAA".utf8)
    bytes.append(flags.reduce(layout << 3 | widthCode) { $0 | $1.rawValue })
    bytes += [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
  }

  private mutating func append(_ word: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}
