package import RoostEngine

/// Reads objects from JSON into columns.
extension JSONReader {
  /// How to treat members that match no field.
  package enum UnknownMembers: Sendable {
    case ignored, refused
  }

  /// How objects are read.
  package struct Form: Sendable {
    package var times: TimeForm
    package var unknownMembers: UnknownMembers
    /// Whether `null` counts as a missing member.
    package var nullIsMissing: Bool

    package init(times: TimeForm, unknownMembers: UnknownMembers, nullIsMissing: Bool = false) {
      self.times = times
      self.unknownMembers = unknownMembers
      self.nullIsMissing = nullIsMissing
    }
  }

  /// Reads the next object as a new row of the columns.
  ///
  /// After an error the columns have different lengths.
  /// - Parameter skipUnknown: Skips the value of a member of the object that is no field; its name is ``text``.
  package mutating func readRecord(
    _ shape: RecordShape, _ form: Form, into columns: RecordColumns,
    skipUnknown: (inout JSONReader) throws(TextError) -> Void
  ) throws(TextError) {
    try readMembers(shape, form, columns.columns, &columns.identifiers, skipUnknown)
  }

  private mutating func readMembers(
    _ shape: RecordShape, _ form: Form, _ columns: [ColumnBuffer], _ identifiers: inout [Value],
    _ skipUnknown: (inout JSONReader) throws(TextError) -> Void = {
      (reader) throws(TextError) in try reader.skipValue()
    }
  ) throws(TextError) {
    // Peeking moves to the object's place, which errors name.
    _ = try peek()
    let start = scanner.valuePlace
    let isRead = try readMembers(of: shape, form, { _ in false }, skipUnknown) {
      (reader, content) throws(TextError) in
      try reader.readContent(content, form, columns, &identifiers)
    }
    for (member, isRead) in zip(shape.members, isRead) where !isRead {
      guard member.content.appendMissing(to: columns) else {
        scanner.restoreValue(start)
        throw scanner.fault(
          member.content.expectation + member.content.remedyHint, found: member.absence
        ).within(member.name)
      }
    }
  }

  /// Reads the members of the next object, in any order and each at most once.
  ///
  /// - Parameters:
  ///   - readOther: Reads the member whose name is ``text``, unless it is a field's, and returns whether it did.
  ///   - skipUnknown: Skips the value of a member that is none of these.
  ///   - readContent: Reads the value of a field.
  /// - Returns: Whether the text has each of the shape's members.
  /// - Throws: Also where it lacks one that it has in another spelling, such as `retired_on` for `retiredOn`.
  @inline(__always)
  mutating func readMembers(
    of shape: RecordShape, _ form: Form,
    _ readOther: (inout JSONReader) throws(TextError) -> Bool,
    _ skipUnknown: (inout JSONReader) throws(TextError) -> Void,
    _ readContent: (inout JSONReader, RecordShape.Content) throws(TextError) -> Void
  ) throws(TextError) -> [Bool] {
    guard try peek() == .object else { throw try unexpected("an object") }
    let start = scanner.valuePlace
    try beginObject()
    var isRead = [Bool](repeating: false, count: shape.members.count)
    var nulls: [Int] = []
    // The first array that is no field, or else the first object.
    var container: (name: String, isArray: Bool)?
    // Members that are no fields, but spelled like some.
    var misspelt: [(name: String, field: Int)] = []
    // Members mostly come in the order of the fields.
    var place = 0
    var isFirst = true
    while try nextMember(isFirst: isFirst) {
      isFirst = false
      if try readOther(&self) { continue }
      guard let found = shape.place(ofMember: text, from: place) else {
        if form.unknownMembers == .refused {
          throw scanner.fault("a field's name", found: "\"\(string)\"")
        }
        if let field = shape.members.firstIndex(where: { Spelling.isLike($0.key, text) }) {
          misspelt.append((string, field))
        }
        if container?.isArray != true {
          let kind = try peek()
          if kind == .array || kind == .object && container == nil {
            container = (string, kind == .array)
          }
        }
        try skipUnknown(&self)
        continue
      }
      let member = shape.members[found]
      guard !isRead[found] else {
        throw scanner.fault("each member once", found: "a second one").within(member.name)
      }
      isRead[found] = true
      place = found + 1
      if form.nullIsMissing, try peek() == .null {
        try readNull()
        nulls.append(found)
        continue
      }
      do { try readContent(&self, member.content) } catch {
        throw error.ofMember().within(member.name)
      }
    }
    if let container, !isRead.contains(true), shape.members.contains(where: \.content.isRequired) {
      scanner.restoreValue(start)
      throw scanner.fault(
        "an object with its fields, or an array of them",
        found: "an object whose member \"\(container.name)\" is an "
          + (container.isArray ? "array" : "object")
          + (isOutermost ? " (to read that, set `member` of the format)" : ""))
    }
    // They are not passed by as if nobody wanted them.
    if let other = misspelt.first(where: { !isRead[$0.field] }) {
      let member = shape.members[other.field]
      scanner.restoreValue(start)
      throw scanner.fault(
        "a member \"\(String(decoding: member.key, as: UTF8.self))\" (for one of another name, set `names` of the format)",
        found: "one named \"\(other.name)\""
      ).within(member.name)
    }
    for null in nulls { isRead[null] = false }
    return isRead
  }

  private mutating func readContent(
    _ content: RecordShape.Content, _ form: Form, _ columns: [ColumnBuffer],
    _ identifiers: inout [Value]
  ) throws(TextError) {
    switch content {
    case .value(let column, let shape):
      try notePlace(ofValueFor: column, shape)
      try readValue(shape, form, into: columns[column], &identifiers)
    case .record(let record, let presence):
      guard let presence else { return try readMembers(record, form, columns, &identifiers) }
      if try peek() == .null {
        try readNull()
        columns[presence.column].append(0 as Int64)
        for column in record.columns { columns[column].appendNull() }
      } else {
        columns[presence.column].append(1 as Int64)
        try readMembers(record, form, columns, &identifiers)
      }
    }
  }

  /// Reads the next value as a new row of its column.
  mutating func readValue(
    _ shape: ValueShape, _ form: Form, into column: ColumnBuffer, _ identifiers: inout [Value]
  ) throws(TextError) {
    let kind = try peek()
    if kind == .null && shape.mayBeNil {
      try readNull()
      return column.appendNull()
    }
    switch (kind, shape.type) {
    case (.bool, .bool): column.append(try readBool() ? 1 : 0 as Int64)
    case (_, .json):
      let raw = try readRaw()
      raw.withByteView { column.append(bytes: $0) }
    case (.number, .int), (.number, .uint), (.number, .double), (.number, .float),
      (.number, .decimal), (.number, .duration), (.number, .date):
      try readNumber()
      try appendText(shape, form, to: column, &identifiers)
    case (.string, .string), (.string, .data), (.string, .date), (.string, .uuid),
      (.string, .decimal), (.string, .duration), (.string, .double), (.string, .float),
      (.string, .compound):
      try readString()
      try appendText(shape, form, to: column, &identifiers)
    case (.array, .list), (.array, .set), (.array, .dictionary), (.object, .dictionary):
      try readElements(shape, form, into: column)
    case (.object, .compound) where shape.parts != nil:
      try readCompound(shape, form, into: column, &identifiers)
    case (.array, .links): try readLinks(shape, form, into: column, &identifiers)
    case (.object, _) where shape.isLink:
      throw try unexpected(
        ValueText.expectation(shape) + ", or `including:` with the link in the call of `upsert`")
    default: throw try unexpected(ValueText.expectation(shape))
    }
  }

  private func appendText(
    _ shape: ValueShape, _ form: Form, to column: ColumnBuffer, _ identifiers: inout [Value]
  ) throws(TextError) {
    guard ValueText.append(text[...], shape, form.times, to: column, &identifiers) else {
      throw scanner.fault(
        ValueText.expectation(shape, refused: text[...]), found: "\"\(string)\"")
    }
  }

  /// The error for a next value of the wrong kind.
  mutating func unexpected(_ expected: String) throws(TextError) -> TextError {
    scanner.fault(expected, found: try peek().name)
  }

  /// The beginning of the last text read, for errors.
  var string: String {
    let text = String(decoding: text.prefix(120), as: UTF8.self)
    return text.count > 40 ? text.prefix(40) + "…" : text
  }

  private mutating func readCompound(
    _ shape: ValueShape, _ form: Form, into column: ColumnBuffer, _ identifiers: inout [Value]
  ) throws(TextError) {
    guard let parts = shape.parts else { throw try unexpected("nothing") }
    let columns = parts.columns.map { ColumnBuffer(type: $0.type) }
    try readContent(parts.element, form, columns, &identifiers)
    let value = Value.bytes(CompoundBytes.bytes(columns, as: parts.columns))
    guard shape.isLookedUp else { return column.append(value) }
    column.append(Int64(identifiers.count))
    identifiers.append(value)
  }

  // MARK: Collections

  private mutating func readLinks(
    _ shape: ValueShape, _ form: Form, into column: ColumnBuffer, _ identifiers: inout [Value]
  ) throws(TextError) {
    guard let link = shape.links?.value else { throw try unexpected("nothing") }
    let targets = ColumnBuffer(type: .integer)
    try beginArray()
    while try nextElement(isFirst: targets.count == 0) {
      do { try readValue(link, form, into: targets, &identifiers) } catch {
        throw error.within("[\(targets.count)]")
      }
    }
    let bytes = LinkList.bytes((0..<targets.count).map(targets.integer))
    bytes.withByteView { column.append(bytes: $0) }
  }

  private mutating func readElements(
    _ shape: ValueShape, _ form: Form, into column: ColumnBuffer
  ) throws(TextError) {
    guard let elements = shape.elements else { throw try unexpected("nothing") }
    let columns = elements.columns.map { ColumnBuffer(type: $0.type) }
    // Collections have no links.
    var identifiers: [Value] = []
    if let key = elements.key {
      try readEntries(key, elements.element, form, columns, &identifiers)
    } else {
      var count = 0
      try beginArray()
      while try nextElement(isFirst: count == 0) {
        do { try readContent(elements.element, form, columns, &identifiers) } catch {
          throw error.within("[\(count)]")
        }
        count += 1
      }
    }
    let packed = PackedColumns.bytes(columns, as: elements.columns)
    guard packed.count <= Self.textBytesMax else {
      throw scanner.fault("at most \(Self.textBytesMax) bytes", found: "more elements")
    }
    packed.withByteView { column.append(bytes: $0) }
  }

  /// Reads a dictionary: an object, an array of key-value arrays, or, as `JSONEncoder` writes dictionaries whose keys are not
  /// text, an array of alternating keys and values.
  private mutating func readEntries(
    _ key: ValueShape, _ value: RecordShape.Content, _ form: Form, _ columns: [ColumnBuffer],
    _ identifiers: inout [Value]
  ) throws(TextError) {
    guard try peek() == .object else {
      try beginArray()
      var count = 0
      while try nextElement(isFirst: count == 0) {
        count += 1
        // A key that may itself be an array occurs only in a pair.
        let isArray = try peek() == .array
        let isPair = isArray || !key.isWord
        if isPair {
          guard isArray else { throw try unexpected("an array of a key and a value") }
          try beginArray()
          guard try nextElement(isFirst: true) else {
            throw scanner.fault("a key and its value", found: "nothing")
          }
        }
        try readValue(key, form, into: columns[0], &identifiers)
        guard try nextElement(isFirst: false) else {
          throw scanner.fault("a value for each key", found: "a key alone")
        }
        try readContent(value, form, columns, &identifiers)
        guard isPair else { continue }
        guard try !nextElement(isFirst: false) else {
          throw try unexpected("the end of a key and its value")
        }
      }
      return
    }
    guard key.isWord else { throw try unexpected("an array of arrays of a key and a value") }
    try beginObject()
    var known: Set<[UInt8]> = []
    var isFirst = true
    while try nextMember(isFirst: isFirst) {
      isFirst = false
      guard known.insert(text).inserted else {
        throw scanner.fault("each key once", found: "\"\(string)\" again")
      }
      let name = string
      try appendText(key, form, to: columns[0], &identifiers)
      do { try readContent(value, form, columns, &identifiers) } catch {
        throw error.within("[\"\(name)\"]")
      }
    }
  }
}

extension RecordShape {
  /// The index of the member with a name; checks `start` first, then searches from the beginning.
  func place(ofMember name: [UInt8], from start: Int) -> Int? {
    if start < members.count, members[start].key == name { return start }
    return members.firstIndex { $0.key == name }
  }
}

extension RecordShape.Member {
  /// What a text without the member has, for errors.
  var absence: String {
    key.elementsEqual(name.utf8)
      ? "no such member" : "no member \"\(String(decoding: key, as: UTF8.self))\""
  }
}

extension TextError {
  /// The same error, of the value of a member; says what to do where that is `null`.
  fileprivate func ofMember() -> TextError {
    guard case .malformed(var fault) = self, fault.field.isEmpty,
      fault.found == JSONReader.Kind.null.name
    else { return self }
    fault.expected += " (make it an optional, or set `nullIsMissing` of the format)"
    return .malformed(fault)
  }
}

extension RecordShape.Content {
  /// The expected value, for errors.
  var expectation: String {
    switch self {
    case .value(_, let shape): ValueText.expectation(shape)
    case .record: "an object"
    }
  }

  /// What a value that the text lacks needs, for errors.
  fileprivate var remedyHint: String {
    guard case .value(_, let shape) = self else { return "" }
    return shape.elements == nil ? shape.remedyHint : shape.defaultHint
  }

  /// Whether no object can do without the member.
  var isRequired: Bool {
    switch self {
    case .value(_, let shape): shape.valueWhenMissing == nil
    case .record(let record, let presence):
      presence == nil && record.members.contains { $0.content.isRequired }
    }
  }

  /// Appends the value for a member that the text lacks; false if the member is required.
  func appendMissing(to columns: [ColumnBuffer]) -> Bool {
    switch self {
    case .value(let column, let shape):
      if let value = shape.defaultValue {
        columns[column].append(value)
      } else if shape.mayBeNil {
        columns[column].appendNull()
      } else {
        return false
      }
      return true
    case .record(let record, let presence):
      if let presence {
        let isThere = presence.shape.defaultValue == .integer(1)
        columns[presence.column].append(isThere ? 1 : 0 as Int64)
        guard isThere else {
          for column in record.columns { columns[column].appendNull() }
          return true
        }
      }
      return record.members.allSatisfy { $0.content.appendMissing(to: columns) }
    }
  }
}
