/// The extent of each column of a leaf: the head, or a group, possibly shared.
///
/// Narrow columns lie in the head, so that changing one of them writes one unit; wide columns lie in
/// groups, so that such a change does not write them (DESIGN §3).
struct LeafPlacement: Equatable {
  /// The group of each column; 0 is the head.
  private(set) var groupOfColumn: [Int]
  /// The units of the head.
  private(set) var headUnits: Int
  /// The units of each group.
  private(set) var groupUnits: [Int] = []

  /// The content up to which a leaf is a head without groups, and the size up to which small columns
  /// share a group.
  static let groupBytes = 16 << 10

  /// The total units of the leaf.
  var unitCount: Int { groupUnits.reduce(headUnits, +) }

  /// - Parameter sizes: The bytes of each column, multiples of 8, the object key's first.
  init(sizes: [Int], rowCount: Int) {
    groupOfColumn = [Int](repeating: 0, count: sizes.count)
    let directory = LeafLayout.columnsOffset(columns: sizes.count, groups: 0)
    let content = sizes.reduce(directory, +)
    if content <= Self.groupBytes {
      headUnits = Self.units(content)
      return
    }
    let order = Array(sizes.indices.dropFirst()).ascending(by: { sizes[$0] })
    // A narrow column takes at most 16 bits a row and a null bitmap.
    let narrowBytes = rowCount * 17 / 8 + 16
    let narrow = order.reduce(0) { $0 + (sizes[$1] <= narrowBytes ? sizes[$1] : 0) }
    headUnits = 0
    var groupsExpected = 0
    while true {
      let fixed = directory + sizes[0] + ExtentPointer.size * groupsExpected
      headUnits = max(
        Self.units(fixed), min(Self.units(fixed + narrow), LeafLayout.headUnitsMax))
      let groups = place(order, sizes, headBytesLeft: headUnits * Unit.bytes - fixed)
      if groups.count <= groupsExpected {
        groupUnits = groups.map(Self.units)
        return
      }
      groupsExpected = groups.count
    }
  }

  /// Fills the head with the smallest columns and groups the others; returns each group's bytes.
  private mutating func place(_ order: [Int], _ sizes: [Int], headBytesLeft: Int) -> [Int] {
    var left = headBytesLeft
    var groups: [Int] = []
    var isHeadOpen = true
    for column in order {
      let size = sizes[column]
      if isHeadOpen, size <= left {
        groupOfColumn[column] = 0
        left -= size
        continue
      }
      isHeadOpen = false
      if let last = groups.last, last + size <= Self.groupBytes {
        groups[groups.count - 1] += size
      } else {
        groups.append(size)
      }
      groupOfColumn[column] = groups.count
    }
    return groups
  }

  static func units(_ byteCount: Int) -> Int { (byteCount + Unit.bytes - 1) / Unit.bytes }
}
