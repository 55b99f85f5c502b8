package import RoostEngine

/// Writes objects in columns as JSON.
extension [UInt8] {
  /// Adds a row of the columns as an object.
  package mutating func addRecord(
    _ shape: RecordShape, _ columns: RecordColumns, row: Int, times: TimeForm
  ) {
    addMembers(shape, columns.columns, row, columns.identifiers, times)
  }

  /// Adds a row of the columns as an object, without one column.
  ///
  /// - Parameter value: The text of a column's value; nil where the value itself is written.
  mutating func addRecord(
    _ shape: RecordShape, _ columns: RecordColumns, row: Int, times: TimeForm,
    without omitted: Int?, _ value: (_ column: Int) -> [UInt8]?
  ) {
    add("{")
    var isFirst = true
    for member in shape.members {
      var text: [UInt8]?
      if case .value(let column, _) = member.content {
        if column == omitted { continue }
        text = value(column)
      }
      if !isFirst { add(",") }
      isFirst = false
      member.key.withByteView { addString($0) }
      add(":")
      if let text {
        self += text
      } else {
        addContent(member.content, columns.columns, row, columns.identifiers, times)
      }
    }
    add("}")
  }

  private mutating func addMembers(
    _ shape: RecordShape, _ columns: [ColumnBuffer], _ row: Int, _ identifiers: [Value],
    _ times: TimeForm
  ) {
    add("{")
    for (place, member) in shape.members.enumerated() {
      if place > 0 { add(",") }
      member.key.withByteView { addString($0) }
      add(":")
      addContent(member.content, columns, row, identifiers, times)
    }
    add("}")
  }

  private mutating func addContent(
    _ content: RecordShape.Content, _ columns: [ColumnBuffer], _ row: Int, _ identifiers: [Value],
    _ times: TimeForm
  ) {
    switch content {
    case .value(let column, let shape):
      addValue(shape, columns[column], row, identifiers, times)
    case .record(let record, let presence):
      if let presence, columns[presence.column].integer(row) == 0 { return add("null") }
      addMembers(record, columns, row, identifiers, times)
    }
  }

  /// Adds the value in a row of a column.
  mutating func addValue(
    _ shape: ValueShape, _ column: ColumnBuffer, _ row: Int, _ identifiers: [Value],
    _ times: TimeForm
  ) {
    guard !column.isNull(row) else { return add("null") }
    guard !shape.isLookedUp else {
      let place = Int(truncatingIfNeeded: column.integer(row))
      let identifier = ColumnBuffer(type: shape.type.physical)
      identifier.append(identifiers.indices.contains(place) ? identifiers[place] : .null)
      return addValue(
        ValueShape(shape.type, mayBeNil: true, parts: shape.parts), identifier, 0, identifiers,
        times)
    }
    switch shape.type {
    case .bool, .int, .uint, .link: addInteger(column.integer(row), shape.type)
    case .double: addFloatingPoint(column.double(row))
    case .float: addFloatingPoint(column.float(row))
    case .date: addTime(column.double(row), times)
    case .uuid: addUUID(column.uuid(row).high, column.uuid(row).low)
    case .duration:
      append(contentsOf: FieldType.seconds(column.uuid(row).high, column.uuid(row).low).utf8)
    case .string: addString(column.bytes(row))
    case .data, .blob: addBase64(column.bytes(row))
    case .compound: addCompound(shape, column.bytes(row), times)
    case .decimal: addDecimal(column.bytes(row))
    case .json: append(column.bytes(row))
    case .list, .set, .dictionary: addElements(shape, column.bytes(row), times)
    case .links: addLinks(shape, column.bytes(row), identifiers, times)
    }
  }

  private mutating func addFloatingPoint(
    _ number: some BinaryFloatingPoint & LosslessStringConvertible
  ) {
    // All NaNs have the same text.
    if number.isNaN { add("\"nan\"") } else { addNumber(number) }
  }

  /// Adds a point in time: the seconds since 2001.
  mutating func addTime(_ seconds: Double, _ times: TimeForm) {
    switch times {
    case .secondsSince1970: return addFloatingPoint(seconds + TimeForm.secondsBetween)
    case .millisecondsSince1970:
      return addFloatingPoint((seconds + TimeForm.secondsBetween) * 1000)
    case .iso8601 where seconds.isFinite, .textInUTC where seconds.isFinite: break
    case .iso8601, .textInUTC, .secondsSince2001: return addFloatingPoint(seconds)
    }
    append(UInt8(ascii: "\""))
    if let text = TimeText.text(seconds) {
      append(contentsOf: text)
    } else {
      addNumber(seconds)
      add(TimeForm.unit)
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func addDecimal(_ bytes: ByteView) {
    guard let text = DecimalBytes.text(bytes), text != "NaN" else { return add("\"nan\"") }
    append(contentsOf: text.utf8)
  }

  /// Adds a compound key as an object of its parts, or without their names as Base64.
  private mutating func addCompound(_ shape: ValueShape, _ bytes: ByteView, _ times: TimeForm) {
    guard let parts = shape.parts, let columns = CompoundBytes.columns(bytes, as: parts.columns)
    else { return addBase64(bytes) }
    addContent(parts.element, columns, 0, [], times)
  }

  // MARK: Collections

  private mutating func addLinks(
    _ shape: ValueShape, _ bytes: ByteView, _ identifiers: [Value], _ times: TimeForm
  ) {
    let targets = ColumnBuffer(type: .integer)
    for target in LinkList.targets(bytes) { targets.append(target) }
    add("[")
    for row in 0..<targets.count {
      if row > 0 { add(",") }
      if let link = shape.links?.value { addValue(link, targets, row, identifiers, times) }
    }
    add("]")
  }

  private mutating func addElements(_ shape: ValueShape, _ bytes: ByteView, _ times: TimeForm) {
    guard let elements = shape.elements, let packed = PackedColumns(bytes, as: elements.columns)
    else { return add("null") }
    let isObject = elements.key?.isWord ?? false
    if isObject { add("{") } else { add("[") }
    for row in 0..<packed.count {
      if row > 0 { add(",") }
      if let key = elements.key {
        addKey(key, packed.columns[0], row, times)
        addContent(elements.element, packed.columns, row, [], times)
        if !isObject { add("]") }
      } else {
        addContent(elements.element, packed.columns, row, [], times)
      }
    }
    if isObject { add("}") } else { add("]") }
  }

  /// Adds a key, and the separator between it and its value.
  private mutating func addKey(
    _ key: ValueShape, _ column: ColumnBuffer, _ row: Int, _ times: TimeForm
  ) {
    guard key.isWord else {
      add("[")
      addValue(key, column, row, [], times)
      return add(",")
    }
    let start = count
    addValue(key.asWord, column, row, [], times)
    // Numbers as member names are quoted too.
    if self[start] != UInt8(ascii: "\"") {
      insert(UInt8(ascii: "\""), at: start)
      append(UInt8(ascii: "\""))
    }
    add(":")
  }
}

extension ValueShape {
  /// The shape of a value that is the name of a member: a compound key has no object there.
  fileprivate var asWord: ValueShape { parts == nil ? self : ValueShape(type, mayBeNil: mayBeNil) }

  /// A dictionary key, in a row of its column, as a member name.
  package func word(_ column: ColumnBuffer, _ row: Int) -> String {
    if type == .string { return String(decoding: column.bytes(row).array, as: UTF8.self) }
    var text: [UInt8] = []
    text.addValue(asWord, column, row, [], .iso8601)
    let isQuoted = text.first == UInt8(ascii: "\"")
    return String(decoding: isQuoted ? text[1..<text.count - 1] : text[...], as: UTF8.self)
  }
}
