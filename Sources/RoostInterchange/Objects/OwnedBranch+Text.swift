internal import Roost
internal import RoostEngine

/// The objects that belong to others, read from a text.
final class OwnedReading<Owner: Model, Source: Model>: BranchReading {
  let member: [UInt8]
  let column: Int? = nil
  private let body: OwnedBody<Owner, Source>
  private let level: NestedLevel<Source>
  private let session: NestedSession
  /// The column of the link to the owner.
  private let ownerColumn: Int
  /// For each list of the text, the row of its owner, and its rows.
  private var lists: [(owner: Int, rows: Range<Int>)] = []
  /// The number of lists that are read whole, with the outermost objects that they are in.
  private var markedCount = 0
  /// The columns by which objects without keys are recognized.
  private let identity: [Int]

  init(_ body: OwnedBody<Owner, Source>, in session: NestedSession) throws(StoreError) {
    self.body = body
    self.session = session
    let place = try body.place()
    session.paths[DetachedRows<Owner>.modelName, default: []].insert(place.member)
    member = Array(
      session.format.names(of: DetachedRows<Owner>.modelName).member(place.member).utf8)
    ownerColumn = place.column
    level = try NestedLevel(body.branches, in: session, comparesBlobs: body.isReplacing)
    var identity: [Int] = []
    for path in body.properties {
      guard let columns = level.rows.columns(of: path) else {
        throw .unknownField(model: level.model, property: "\(path)")
      }
      identity += columns.filter(level.rows.shape.columns.contains)
    }
    self.identity = identity
  }

  func read(
    _ json: inout JSONReader, _ form: JSONReader.Form, in rows: GivenRows, row: Int
  ) throws(TextError) {
    guard lists.last?.owner != row else {
      throw json.scanner.fault("each member once", found: "a second one")
    }
    // No list: it says nothing of the objects that belong to the owner.
    if try json.peek() == .null { return try json.readNull() }
    guard try json.peek() == .array else { throw try json.unexpected("an array of objects") }
    let first = level.count
    try json.beginArray()
    while try json.nextElement(isFirst: level.count == first) {
      do { _ = try level.read(&json, form) } catch {
        throw error.within("[\(level.count - first)]")
      }
    }
    lists.append((row, first..<level.count))
  }

  func writeTargets() throws(StoreError) {}

  var objectCount: Int { level.objectCount }

  func mark() {
    markedCount = lists.count
    level.mark()
  }

  func removeUnmarked() {
    lists.removeSubrange(markedCount...)
    level.removeUnmarked()
  }

  func removeAll() {
    lists.removeAll(keepingCapacity: true)
    level.removeAll()
  }

  func writeSources(of owners: [Owner.ID?]) throws(StoreError) {
    guard !lists.isEmpty else { return }
    try level.writeTargets()
    var stored = try storedObjects(of: owners)
    // Since the stored objects were read, lists have moved some to other owners.
    var moved: [Source.ID: Owner.ID] = [:]
    var ids = [Source.ID?](repeating: nil, count: level.count)
    for list in lists {
      guard let owner = owners[list.owner] else { continue }
      let own = (stored[owner] ?? []).filter { moved[$0.id] == nil || moved[$0.id] == owner }
      let written = try write(list.rows, of: owner, own)
      for (row, object) in written {
        ids[row] = object.id
        moved[object.id] = owner
      }
      // The owner may have another list later in the text.
      stored[owner] = together(own, written.map(\.object))
    }
    try level.writeSources(of: ids)
  }

  /// The objects of an owner after a list was written, in the order of their keys where the store gives these.
  private func together(_ stored: [Source], _ written: [Source]) -> [Source] {
    var new: [Source.ID: Source] = [:]
    for object in written { new[object.id] = object }
    let known = Set(stored.map(\.id))
    return stored.compactMap { new[$0.id] ?? (body.isReplacing ? nil : $0) }
      + written.filter { !known.contains($0.id) }
  }

  /// The stored objects of each owner whose objects are compared with those of its list.
  private func storedObjects(of owners: [Owner.ID?]) throws(StoreError) -> [Owner.ID: [Source]] {
    guard body.isReplacing || (0..<level.count).contains(where: { level.key($0) == nil }) else {
      return [:]
    }
    let distinct = Array(Set(lists.compactMap { owners[$0.owner] }))
    let sources = try session.transaction._reader._sources(of: body.inverse, distinct)
    return Dictionary(zip(distinct, sources)) { first, _ in first }
  }

  /// Writes a list; returns its objects as they are stored then, without those that have a mistake.
  private func write(
    _ list: Range<Int>, of owner: Owner.ID, _ stored: [Source]
  ) throws(StoreError) -> [(row: Int, object: Source)] {
    let key = owner._constant.value
    var keyed: Set<Source.ID> = []
    var rows: [Int] = []
    for row in list {
      let isSound: Void? = try session.gathering { () throws(StoreError) in
        try check(row, belongsTo: key)
        if level.key(row) != nil { keyed.insert(try level.id(row)) }
      }
      if isSound != nil { rows.append(row) }
    }
    let recognized = try recognize(rows, key, among: stored.filter { !keyed.contains($0.id) })
    if body.isReplacing {
      let kept = keyed.union(recognized.values.compactMap { $0?.id })
      for object in stored where !kept.contains(object.id) { session.noteGone(object) }
    }
    var written: [(row: Int, object: Source)] = []
    for row in rows {
      let object = try session.gathering { () throws(StoreError) -> Source? in
        if level.key(row) != nil { return try write(row, over: level.stored(row), key) }
        guard let known = recognized[row] else { return nil }
        return try write(row, over: known, key)
      }
      if case let object?? = object { written.append((row, object)) }
    }
    return written
  }

  private func write(
    _ row: Int, over stored: Source?, _ owner: Value
  ) throws(StoreError) -> Source {
    try level.write(row, over: stored, owner: (ownerColumn, owner))
  }

  /// Checks that an object whose text names its owner names the one that it stands in.
  private func check(_ row: Int, belongsTo owner: Value) throws(StoreError) {
    guard level.given.isGiven(ownerColumn, row) else { return }
    let columns = level.rows.columns
    let link = columns.columns[ownerColumn].value(row)
    let isLookedUp = level.rows.shape.value(inColumn: ownerColumn)?.isLookedUp ?? false
    var target = link
    if isLookedUp, case .integer(let place) = link, let index = Int(exactly: place),
      columns.identifiers.indices.contains(index)
    {
      target = columns.identifiers[index]
    }
    guard target != owner else { return }
    throw level.problem(
      row, body.inverse.linkName, "the object that it stands in", found: "another one")
  }

  // MARK: Recognizing objects

  /// The stored objects that those without keys of a list are; nil for new ones, and none for those with a mistake.
  private func recognize(
    _ list: [Int], _ owner: Value, among stored: [Source]
  ) throws(StoreError) -> [Int: Source?] {
    var recognized: [Int: Source?] = [:]
    var candidates = StoredCandidates(level.rows, stored)
    for row in list where level.key(row) == nil {
      try session.gathering { () throws(StoreError) in
        let object = try recognize(row, owner, &candidates)
        recognized.updateValue(object, forKey: row)
      }
    }
    return recognized
  }

  private func recognize(
    _ row: Int, _ owner: Value, _ candidates: inout StoredCandidates<Source>
  ) throws(StoreError) -> Source? {
    guard !identity.isEmpty || body.isReplacing else {
      throw level.problem(
        row, level.rows.keyName,
        "its key, or `identifiedBy:` or `replacing: true` at the branch "
          + "\"\(String(decoding: member, as: UTF8.self))\"",
        found: "no such member")
    }
    let columns = identity.isEmpty ? givenColumns(row) : try identityColumns(row)
    let content = candidates.content(
      of: columns, row: level.canonical(row, owner: (ownerColumn, owner)))
    let object = try candidates.take(columns, content)
    if !identity.isEmpty, !candidates.isFirst(content) {
      throw level.problem(
        row, level.rows.shape.path(ofColumn: columns.first ?? ownerColumn),
        "a value that no other object of its list has", found: "that of another")
    }
    return object
  }

  private func givenColumns(_ row: Int) -> [Int] {
    level.rows.shape.columns.filter {
      $0 != ownerColumn && $0 != level.rows.keyColumn && level.given.isGiven($0, row)
    }
  }

  private func identityColumns(_ row: Int) throws(StoreError) -> [Int] {
    for column in identity where !level.given.isGiven(column, row) && column != ownerColumn {
      throw level.problem(
        row, level.rows.shape.path(ofColumn: column), "a value, by which the object is identified",
        found: "no such member")
    }
    return identity.filter { $0 != ownerColumn }
  }
}

/// The objects that belong to others, written as text.
final class OwnedWriting<Owner: Model, Source: Model>: BranchWriting {
  let member: String
  let column: Int? = nil
  private let inverse: Inverse<Owner, Source>
  private let level: WrittenLevel<Source>

  init(
    _ body: OwnedBody<Owner, Source>, from reader: _Reader, _ format: TextFormat
  ) throws(StoreError) {
    let place = try body.place()
    member = format.names(of: DetachedRows<Owner>.modelName).member(place.member)
    inverse = body.inverse
    // The place in the text says whose they are.
    level = try WrittenLevel(body.branches, from: reader, format, without: place.column)
  }

  func texts(of owners: [Owner]) throws -> [[UInt8]?] {
    let sources = try level.reader._sources(of: inverse, owners.map(\.id))
    var rest = try level.texts(of: Array(sources.joined()))[...]
    return sources.map { sources in
      defer { rest = rest.dropFirst(sources.count) }
      return [UInt8](elements: rest.prefix(sources.count))
    }
  }
}

extension OwnedBody: BranchBody {
  func reading(in session: NestedSession) throws(StoreError) -> any BranchReading<Owner> {
    try OwnedReading(self, in: session)
  }

  func writing(
    from reader: _Reader, _ format: TextFormat
  ) throws(StoreError) -> any BranchWriting<Owner> {
    try OwnedWriting(self, from: reader, format)
  }
}
