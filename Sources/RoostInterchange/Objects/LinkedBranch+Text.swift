internal import Roost
internal import RoostEngine

/// The targets of links, read from a text.
final class LinkedReading<Owner: Model, Target: Model>: BranchReading {
  let member: [UInt8]
  let column: Int?
  private let links: ValueShape
  private let level: NestedLevel<Target>

  init(_ body: LinkedBody<Owner, Target>, in session: NestedSession) throws(StoreError) {
    let (column, shape) = try body.place(session.format)
    self.column = column
    member = shape.key
    links = shape.links
    level = try NestedLevel(body.branches, in: session)
  }

  func read(
    _ json: inout JSONReader, _ form: JSONReader.Form, in rows: GivenRows, row: Int
  ) throws(TextError) {
    guard let column else { return }
    let links = rows.columns.columns[column]
    guard let link = self.links.links?.value else {
      return try readLink(self.links, &json, form, into: links, rows)
    }
    guard try json.peek() == .array else {
      throw try json.unexpected("an array of objects or identifiers")
    }
    let targets = ColumnBuffer(type: .integer)
    try json.beginArray()
    while try json.nextElement(isFirst: targets.count == 0) {
      do { try readLink(link, &json, form, into: targets, rows) } catch {
        throw error.within("[\(targets.count)]")
      }
    }
    let bytes = LinkList.bytes((0..<targets.count).map(targets.integer))
    bytes.withByteView { links.append(bytes: $0) }
  }

  /// Reads the next value, an object or its id, and appends the link.
  private func readLink(
    _ shape: ValueShape, _ json: inout JSONReader, _ form: JSONReader.Form,
    into column: ColumnBuffer, _ rows: GivenRows
  ) throws(TextError) {
    guard try json.peek() == .object else {
      return try json.readValue(shape, form, into: column, &rows.columns.identifiers)
    }
    let place = json.valuePlace
    let target = try level.read(&json, form)
    guard let key = level.key(target) else {
      json.scanner.restoreValue(place)
      throw json.scanner.fault("its key", found: "no such member").within(level.rows.keyName)
        .of(model: level.model)
    }
    guard shape.isLookedUp else { return column.append(key) }
    column.append(Int64(rows.columns.identifiers.count))
    rows.columns.identifiers.append(key)
  }

  func writeTargets() throws(StoreError) { try level.writeAll() }

  func writeSources(of owners: [Owner.ID?]) throws(StoreError) {}

  var objectCount: Int { level.objectCount }

  func mark() { level.mark() }

  func removeUnmarked() { level.removeUnmarked() }

  func removeAll() { level.removeAll() }
}

/// The targets of links, written as text.
final class LinkedWriting<Owner: Model, Target: Model>: BranchWriting {
  let member: String
  let column: Int?
  private let isList: Bool
  private let body: LinkedBody<Owner, Target>
  private let level: WrittenLevel<Target>

  init(
    _ body: LinkedBody<Owner, Target>, from reader: _Reader, _ format: TextFormat
  ) throws(StoreError) {
    self.body = body
    let (column, shape) = try body.place(format)
    self.column = column
    member = String(decoding: shape.key, as: UTF8.self)
    isList = shape.links.links != nil
    level = try WrittenLevel(body.branches, from: reader, format)
  }

  func texts(of owners: [Owner]) throws -> [[UInt8]?] {
    let ids = owners.map(body.targets)
    let targets = try level.reader._related(Target.self, ids.joined())
    var texts: [Target.ID: [UInt8]] = [:]
    for (target, text) in zip(targets, try level.texts(of: targets)) {
      texts[target.id] = text
    }
    return ids.map { ids in
      let own = ids.compactMap { texts[$0] }
      // A link that leads nowhere, as it may within a transaction, is written as an id.
      guard own.count == ids.count else { return nil }
      return isList ? [UInt8](elements: own[...]) : own.first
    }
  }
}

extension LinkedBody: BranchBody {
  func reading(in session: NestedSession) throws(StoreError) -> any BranchReading<Owner> {
    try LinkedReading(self, in: session)
  }

  func writing(
    from reader: _Reader, _ format: TextFormat
  ) throws(StoreError) -> any BranchWriting<Owner> {
    try LinkedWriting(self, from: reader, format)
  }

  /// The column of the links, and the member that they are.
  func place(
    _ format: TextFormat
  ) throws(StoreError) -> (column: Int, (key: [UInt8], links: ValueShape)) {
    let rows = try DetachedRows<Owner>()
    let column = rows.columns(of: path)?.first
    for member in try format.shape(rows.shape, of: DetachedRows<Owner>.modelName).members {
      if case .value(let own, let shape) = member.content, own == column {
        return (own, (member.key, shape))
      }
    }
    throw .unknownField(model: DetachedRows<Owner>.modelName, property: "\(path)")
  }
}
