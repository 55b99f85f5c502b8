import RoostEngine

/// Where the numbers and names of a catalog lie in its bytes (Format.md §6).
struct CatalogMap {
  struct Field {
    let id: Int
    /// Behind the length.
    let name: Range<Int>
    let type: Int
    var flags: Int { type + 1 }
    var target: Int { type + 2 }
    var tree: Int { type + 6 }
  }

  struct Table {
    let id: Int
    let name: Range<Int>
    let tree: Int
    var nextField: Int { tree + 4 }
    var fieldCount: Int { tree + 8 }
    var fields: [Field] = []
  }

  let start: Int
  private(set) var tables: [Table] = []

  var nextTable: Int { start + 4 }
  var nextTree: Int { start + 8 }
  var tableCount: Int { start + 12 }

  /// Finds them in a catalog that lies in one extent as it is; nil where it is packed.
  init?(_ image: StoreImage) {
    guard let extent = image.extents.first, extent.kind == .valueBytes,
      extent.pointer == image.slot + 88
    else { return nil }
    start = extent.range.lowerBound
    var place = start
    func number() -> Int {
      place += 4
      return Int(image.number(at: place - 4, as: UInt32.self))
    }
    func name() -> Range<Int> {
      let length = number()
      place += length
      return place - length..<place
    }
    func skipValue() {
      place += 1
      switch image.bytes[place - 1] {
      case 1, 2: place += 8
      case 3: place += 4
      case 4: _ = name()
      case 5: place += 16
      default: break
      }
    }
    func skipParts() {
      for _ in 0..<number() {
        _ = name()
        let type = image.bytes[place]
        place += 2
        if [14, 15, 16, 18].contains(type) { skipParts() }
      }
    }
    let format = number()
    place += 8
    for _ in 0..<number() {
      let id = place
      place += 4
      let tableName = name()
      var table = Table(id: id, name: tableName, tree: place)
      place += 8
      for _ in 0..<number() {
        let id = place
        place += 4
        let fieldName = name()
        let field = Field(id: id, name: fieldName, type: place)
        place += 10
        skipValue()
        if [14, 15, 16, 18].contains(image.bytes[field.type]) { skipParts() }
        table.fields.append(field)
      }
      for _ in 0..<(format > 1 ? number() : 0) {
        place += 5
        place += 4 * number()
        for _ in 0..<number() {
          place += 5
          if image.bytes[place - 1] < 6 { skipValue() }
        }
      }
      tables.append(table)
    }
  }
}
