import RoostEngine

/// Something that a catalog says and that no catalog can say, under checksums that are right.
///
/// Each of them must be reported, or keep the file from being opened.
package enum CatalogLie: String, CaseIterable, Sendable {
  case tableCounter, treeCounter, fieldCounter
  case nameOfTable, nameOfField, lengthOfName
  case countOfTables, countOfFields
  case targetOfLink, targetOfNoLink
  case treeOfAnother, fieldOfAnother, secondIdentifier, ruleWithoutFeature

  /// Lies in a file's catalog, and makes its checksums right again; false where there is no place for it.
  package func apply(to image: inout StoreImage, _ random: inout SeededGenerator) -> Bool {
    guard let map = CatalogMap(image), let table = map.tables.randomElement(using: &random),
      let field = table.fields.randomElement(using: &random)
    else { return false }
    guard lie(map, table, field, in: &image, &random) else { return false }
    image.seal([0])
    return true
  }

  private func lie(
    _ map: CatalogMap, _ table: CatalogMap.Table, _ field: CatalogMap.Field,
    in image: inout StoreImage, _ random: inout SeededGenerator
  ) -> Bool {
    let type = image.bytes[field.type]
    switch self {
    case .tableCounter: image.set(UInt32(random.next() % 2), at: map.nextTable)
    case .treeCounter: image.set(UInt32(random.next() % 3), at: map.nextTree)
    case .fieldCounter: image.set(UInt32(random.next() % 2), at: table.nextField)
    case .nameOfTable:
      return copyName(to: table.name, from: map.tables.map(\.name), in: &image, &random)
    case .nameOfField:
      return copyName(to: field.name, from: table.fields.map(\.name), in: &image, &random)
    case .lengthOfName:
      let length = ([0, 1025, 1 << 20, .max] as [UInt32]).randomElement(using: &random) ?? 0
      image.set(length, at: field.name.lowerBound - 4)
    case .countOfTables: add(to: map.tableCount, in: &image, &random)
    case .countOfFields: add(to: table.fieldCount, in: &image, &random)
    case .targetOfLink:
      guard type == 9 || type == 17 else { return false }
      let target = ([0, 1000, .max] as [UInt32]).randomElement(using: &random) ?? 0
      image.set(target, at: field.target)
    case .targetOfNoLink:
      guard type != 9, type != 17 else { return false }
      let target = ([1, 2, 1000, .max] as [UInt32]).randomElement(using: &random) ?? 1
      image.set(target, at: field.target)
    case .treeOfAnother:
      guard let other = map.tables.randomElement(using: &random), other.tree != table.tree else {
        return false
      }
      image.set(image.number(at: other.tree, as: UInt32.self), at: table.tree)
    case .fieldOfAnother:
      guard let other = table.fields.randomElement(using: &random), other.id != field.id else {
        return false
      }
      image.set(image.number(at: other.id, as: UInt32.self), at: field.id)
    case .secondIdentifier:
      image.bytes[field.flags] ^= 16
    case .ruleWithoutFeature:
      guard type == 9, image.bytes[field.flags] & 1 != 0 else { return false }
      image.bytes[field.flags] |= 32
    }
    return true
  }

  private func copyName(
    to name: Range<Int>, from names: [Range<Int>], in image: inout StoreImage,
    _ random: inout SeededGenerator
  ) -> Bool {
    let others = names.filter { $0 != name && $0.count == name.count }
    guard let other = others.randomElement(using: &random) else { return false }
    for place in 0..<name.count {
      image.bytes[name.lowerBound + place] = image.bytes[other.lowerBound + place]
    }
    return true
  }

  private func add(
    to place: Int, in image: inout StoreImage, _ random: inout SeededGenerator
  ) {
    switch random.next() % 3 {
    case 0: image.add(1 as UInt32, at: place)
    case 1: image.add(UInt32.max, at: place)
    default: image.add(1 << UInt32.random(in: 8...31, using: &random), at: place)
    }
  }
}
