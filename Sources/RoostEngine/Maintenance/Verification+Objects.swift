/// The object trees, and the expected content of their indexes.
extension Verification {
  /// Checks a table's objects and indexes, and that they agree.
  func check(_ table: TableDefinition) throws(EngineError) {
    let objects = try view.objects(table.id)
    let rules = table.indexRules(of: objects.shape)
    let check = ObjectCheck(
      objects, of: table, content == nil ? rules : [], seed: seed,
      content: content.map { _ in ObjectsDigest(objects.shape) },
      movedLeaves: content?.objects[table.tree]?.movedLeaves ?? [])
    if let edge = TreeEdge(root: objects.root) { try visit(edge, check) }
    if !table.hasIntegerKey, let last = check.lastKey,
      last >= 0, objects.root.counter <= UInt64(last)
    {
      report(Corruption(.roots, unit: objects.root.pointer.unit, tree: table.tree))
    }
    guard let content else {
      for (place, rule) in rules.enumerated() {
        if let key = check.tooLong[place] {
          report(Corruption(.indexEntry, tree: rule.tree, keys: key...key))
        }
        try self.check(rule, of: objects, expected: check.digests[place])
      }
      return
    }
    if check.content?.value(counter: objects.root.counter) != content.objects[table.tree]?.digest {
      report(Corruption(.objectCount, unit: objects.root.pointer.unit, tree: table.tree))
    }
    for rule in rules {
      try self.check(
        rule, of: objects, expected: content.indexes[rule.tree] ?? IndexDigest(seed: seed))
    }
  }

  private func visit(_ edge: TreeEdge, _ check: ObjectCheck) throws(EngineError) {
    let tree = check.tree
    guard claim(edge.pointer, in: tree.root.id) else { return }
    guard edge.level > 0 else {
      let leaf = try attempt(in: tree.root.id) { () throws(EngineError) in
        try LeafReference(edge, in: tree.context)
      }
      guard let leaf else { return }
      return try visit(leaf, check)
    }
    let children = try attempt(in: tree.root.id) { () throws(EngineError) in
      try tree.children(of: edge)
    }
    for child in children ?? [] { try visit(child, check) }
  }

  private func visit(_ leaf: LeafReference, _ check: ObjectCheck) throws(EngineError) {
    let tree = check.tree.root.id
    if leaf.head.entries.contains(where: { $0.field >= check.table.nextField }) {
      report(
        Corruption(
          .directory, unit: leaf.pointer.unit, tree: tree, keys: leaf.firstKey...leaf.lastKey))
    }
    var isReadable = true
    for (index, group) in leaf.head.groups.enumerated() {
      guard claim(group, in: tree) else {
        isReadable = false
        continue
      }
      let held = try attempt(in: tree) { () throws(EngineError) in try leaf.heldGroup(index) }
      if held == nil { isReadable = false }
    }
    guard isReadable else { return }
    for place in leaf.head.entries.indices {
      let isWhole = try attempt(in: tree) { () throws(EngineError) in
        // What else a moved leaf says of its columns is what the original says.
        guard check.isMoved(leaf) else {
          return try checkColumn(at: place, of: leaf, check.table)
        }
        try leaf.checkExtremes(at: place)
        return true
      }
      if isWhole != true { isReadable = false }
    }
    guard isReadable else { return }
    _ = try attempt(in: tree) { () throws(EngineError) in
      if content == nil { try checkValues(of: leaf, check.table) }
      try check.add(leaf)
    }
  }

  /// Checks a column's zone map, and the values outside the leaf.
  ///
  /// - Returns: Whether all values can be read.
  private func checkColumn(
    at place: Int, of leaf: LeafReference, _ table: TableDefinition
  ) throws(EngineError) -> Bool {
    try leaf.checkColumn(at: place)
    let column = try leaf.column(at: place)
    guard column.hasExternals else { return true }
    let field = table.field(leaf.head.entries[place].field)
    let birth = leaf.birth(ofColumnAt: place)
    var isWhole = true
    for row in 0..<leaf.rowCount {
      guard let reference = column.external(row) else { continue }
      if !(try checkValue(
        reference, parentBirth: birth, field, in: leaf.context.tree, key: leaf.key(row)))
      {
        isWhole = false
      }
    }
    return isWhole
  }

  /// Checks a value outside its leaf.
  ///
  /// - Returns: Whether it can be read.
  private func checkValue(
    _ reference: ValueReference, parentBirth: UInt64, _ field: FieldDefinition?, in tree: UInt32,
    key: Int64
  ) throws(EngineError) -> Bool {
    let type = field?.type
    let isText = type == .string || type == .json
    let isList = type == .links
    var prefix: [UInt8] = []
    var text = UTF8Validator()
    var isValid = true
    var isTaken = false
    do {
      try view.reader.streamValue(
        reference.pointer, length: reference.length, parentBirth: parentBirth,
        visit: { (pointer) throws(EngineError) in
          // Extents shared with another value are not read again, so that no file makes this endless.
          guard self.claim(pointer, in: tree) else {
            isTaken = true
            throw .corrupt(Corruption(.overlap, unit: pointer.unit))
          }
        },
        content: { bytes in
          let missing = min(ValueReference.prefixByteCount - prefix.count, bytes.count)
          if missing > 0 { prefix += bytes.slice(0, missing).array }
          if isText, isValid { isValid = text.add(bytes) }
        })
      let hasPrefix = prefix.withByteView { reference.hasPrefix(of: $0) }
      if !hasPrefix {
        report(
          Corruption(.externalValue, unit: reference.pointer.unit, tree: tree, keys: key...key))
      }
      if isValid, let field, field.type.hasParts || field.type == .decimal {
        var input = LongValueInput(reference, parentBirth: parentBirth, in: view.reader)
        isValid = try field.type.canHold(&input, field.parts)
      }
      if !isValid || !text.isAtEnd || isList && !LinkList.canHave(reference.length) {
        note(Corruption(.fieldValue, unit: reference.pointer.unit, tree: tree, keys: key...key))
      }
      return true
    } catch {
      guard case .corrupt(let finding) = error.located(in: tree, keys: key...key) else {
        throw error
      }
      if !isTaken { report(finding, hidesExtents: true) }
      return false
    }
  }
}

/// The state that verification gathers while it scans a table's leaves.
final class ObjectCheck {
  let tree: ObjectTree
  let table: TableDefinition
  /// The expected entries of each index.
  private(set) var digests: [IndexDigest]
  /// An object whose value is longer than a key, by the places of indexes where it must be alone with it.
  private(set) var tooLong: [Int: Int64] = [:]
  private(set) var lastKey: Int64?
  /// What the objects amount to, where that is asked.
  let content: ObjectsDigest?
  /// The first keys of leaves that are as they were in another file, but for those that were met.
  private var movedLeaves: ArraySlice<Int64>
  private let rules: [IndexRule]
  /// The columns of a leaf whose fields have indexes, for each of those.
  private let cells: [ColumnBuffer]
  private var key = IndexKey()

  init(
    _ tree: ObjectTree, of table: TableDefinition, _ rules: [IndexRule], seed: UInt64,
    content: ObjectsDigest?, movedLeaves: [Int64]
  ) {
    self.tree = tree
    self.table = table
    self.content = content
    self.movedLeaves = movedLeaves[...]
    self.rules = rules
    cells = rules.map { rule in
      if case .field(let field) = rule {
        ColumnBuffer(type: field.type.physical)
      } else {
        ColumnBuffer(type: .integer)
      }
    }
    digests = rules.map { _ in IndexDigest(seed: seed) }
  }

  /// Whether a leaf is as it was in another file; asked of each leaf before it is taken in.
  func isMoved(_ leaf: LeafReference) -> Bool { movedLeaves.first == leaf.firstKey }

  /// Adds the rows of a leaf whose groups are loaded.
  func add(_ leaf: LeafReference) throws(EngineError) {
    lastKey = leaf.lastKey
    if let content {
      guard isMoved(leaf) else { return try content.add(leaf) }
      movedLeaves.removeFirst()
      return content.add(moved: leaf)
    }
    for field in leaf.shape.fields { _ = try leaf.column(field.id) }
    for (place, rule) in rules.enumerated() {
      guard case .field(let field) = rule else {
        for row in 0..<leaf.rowCount {
          try add(rule, at: place, leaf, row: row)
        }
        continue
      }
      let buffer = cells[place]
      buffer.removeAll(keepingCapacity: true)
      buffer.append(try leaf.column(field.id), rows: 0..<leaf.rowCount)
      for row in 0..<leaf.rowCount {
        let object = leaf.key(row)
        if buffer.type == .bytes, buffer.external(row) != nil {
          try add(rule, at: place, leaf, row: row)
        } else {
          field.forEachIndexKey(buffer, row: row, &key) { key in
            key.withView { digests[place].add(XXH3.hash($0), object) }
            if key.isTruncated, rule.isUnique { tooLong[place] = object }
          }
        }
      }
    }
    withExtendedLifetime(leaf) {}
  }

  private func add(
    _ rule: IndexRule, at place: Int, _ leaf: LeafReference, row: Int
  ) throws(EngineError) {
    try rule.forEachKey(leaf, row: row, &key) { key in
      key.withView { digests[place].add(XXH3.hash($0), leaf.key(row)) }
      if key.isTruncated, rule.isUnique { tooLong[place] = leaf.key(row) }
    }
  }
}
