internal import Roost
internal import RoostEngine

/// The objects of one branch, or the outermost ones, of a part of a text.
final class NestedLevel<M: Model> {
  let session: NestedSession
  let rows: DetachedRows<M>
  /// The shape of the text.
  let shape: RecordShape
  let given: GivenRows
  let model = DetachedRows<M>.modelName
  private let branches: [any BranchReading<M>]
  /// The places of the objects of the text.
  private var places = TextPlaces()

  /// - Parameter comparesBlobs: Whether blobs that are stored are read, to be compared.
  init(
    _ branches: [Branch<M>], in session: NestedSession, comparesBlobs: Bool = false
  ) throws(StoreError) {
    self.session = session
    rows = try DetachedRows(blobs: comparesBlobs ? session.transaction._reader : nil)
    rows.omitsBlobs = !comparesBlobs
    shape = try session.format.shape(rows.shape, of: model)
    session.paths[model, default: []].formUnion(rows.shape.paths())
    given = GivenRows(rows.columns)
    var made: [any BranchReading<M>] = []
    for branch in branches { made.append(try branch.body.reading(in: session)) }
    self.branches = made
    let linking = made.compactMap(\.column)
    try checkNames(
      made.map { String(decoding: $0.member, as: UTF8.self) }, of: model,
      besides: shape.members.filter { member in
        !member.content.columns.contains(where: linking.contains)
      }.map { String(decoding: $0.key, as: UTF8.self) })
  }

  /// The number of objects of the text.
  var count: Int { places.count }

  /// The number of objects that are read whole, with the outermost ones that they are in.
  private var markedCount = 0

  /// The number of objects of the text, those within them included.
  var objectCount: Int { branches.reduce(count) { $0 + $1.objectCount } }

  /// Notes that another of the outermost objects is to be read.
  func mark() {
    markedCount = count
    for branch in branches { branch.mark() }
  }

  /// Forgets what was read since then, which may be only a part of an object.
  func removeUnmarked() {
    given.removeRows(from: markedCount)
    places.removeAll(from: markedCount)
    for branch in branches { branch.removeUnmarked() }
  }

  func removeAll() {
    given.removeAll()
    places.removeAll()
    for branch in branches { branch.removeAll() }
  }

  // MARK: Reading

  /// Reads the next object, and the objects within it; returns its row.
  ///
  /// - Parameter unread: Finds objects within it that are not read; nil where the branches say what is.
  func read(
    _ json: inout JSONReader, _ form: JSONReader.Form, _ unread: UnreadObjects? = nil
  ) throws(TextError) -> Int {
    _ = try json.peek()
    let row = places.count
    places.append(json.valuePlace)
    given.beginRow()
    let checkedCount = json.checkedCount
    do throws(TextError) {
      try json.readGiven(shape, form, into: given) { (json) throws(TextError) in
        guard let branch = branches.first(where: { $0.member == json.text }) else { return false }
        let name = String(decoding: branch.member, as: UTF8.self)
        do throws(TextError) { try readBranch(branch, &json, form, row) } catch {
          throw error.within(name)
        }
        return true
      } skipUnknown: { (json) throws(TextError) in
        guard let unread else { return try json.skipValue() }
        try unread.skipValue(&json)
      }
    } catch {
      throw error.of(model: model)
    }
    places.note(json.takeChecked(after: checkedCount), row: row)
    return row
  }

  private func readBranch(
    _ branch: any BranchReading<M>, _ json: inout JSONReader, _ form: JSONReader.Form, _ row: Int
  ) throws(TextError) {
    if form.nullIsMissing, try json.peek() == .null { return try json.readNull() }
    if let column = branch.column {
      guard !given.isGiven(column) else {
        throw json.scanner.fault("each member once", found: "a second one")
      }
      try branch.read(&json, form, in: given, row: row)
      given.markGiven(column)
    } else {
      try branch.read(&json, form, in: given, row: row)
    }
  }

  /// The key that the text gives an object; nil if it gives none.
  func key(_ row: Int) -> Value? {
    guard given.isGiven(rows.keyColumn, row) else { return nil }
    let key = rows.columns.columns[rows.keyColumn].value(row)
    return key == rows.shape.value(inColumn: rows.keyColumn)?.defaultValue ? nil : key
  }

  /// The stored object that has the key of the text; nil if there is none.
  func stored(_ row: Int) throws(StoreError) -> M? {
    try session.transaction.fetch(M.self, id: try id(row))
  }

  /// The id that the text gives an object.
  func id(_ row: Int) throws(StoreError) -> M.ID {
    do { return try rows.id(row) } catch { throw translate(error, row) }
  }

  // MARK: Writing

  /// Writes the objects that these link to.
  func writeTargets() throws(StoreError) {
    for branch in branches { try branch.writeTargets() }
  }

  /// Writes the objects that link to these.
  ///
  /// - Parameter ids: The id of each row; nil for one with a mistake.
  func writeSources(of ids: [M.ID?]) throws(StoreError) {
    for branch in branches { try branch.writeSources(of: ids) }
  }

  /// Writes all objects, which have no owner, with all that is within them. Their mistakes are gathered.
  func writeAll() throws(StoreError) {
    try writeTargets()
    var ids: [M.ID?] = []
    ids.reserveCapacity(count)
    for row in 0..<count {
      ids.append(try session.gathering { () throws(StoreError) in try write(row) })
    }
    try writeSources(of: ids)
  }

  /// Writes the objects of a level without branches that have no mistake; returns their number.
  ///
  /// - Parameter report: Called with the mistake of each other object, such as a value that a new one needs.
  func writeAll(leavingOut report: (TextProblem) throws -> Void) throws -> Int {
    var written = 0
    for row in 0..<count {
      do {
        _ = try write(row)
        written += 1
      } catch StoreError.malformedText(let problem) {
        try report(problem)
      } catch {
        guard case StoreError.duplicateKey = error, let taken = session.takeTaken() else {
          throw error
        }
        try report(taken)
      }
    }
    return written
  }

  /// Writes an object that has no owner; returns its id.
  private func write(_ row: Int) throws(StoreError) -> M.ID {
    try write(row, over: key(row) == nil ? nil : try stored(row)).id
  }

  /// Changes a stored object to what the text gives, or adds a new one; returns it as it is stored then.
  ///
  /// - Parameters:
  ///   - stored: The object that it is; nil for a new one.
  ///   - owner: The column of the link to the owner, and the owner's key.
  func write(
    _ row: Int, over stored: M?, owner: (column: Int, key: Value)? = nil
  ) throws(StoreError) -> M {
    // An object that the text names is another one than that which has just got its id.
    if let stored, key(row) != nil, session.hasGiven(M.self, stored.id) {
      throw noting(
        .duplicateKey(model: model, field: rows.keyName, value: "\(stored.id)"), row)
    }
    let (object, columns) = try merged(row, over: stored, owner: owner)
    session.noteKept(M.self, object.id)
    do { return try write(object, columns, isNew: stored == nil) } catch {
      // An object that is to be deleted may have the value.
      guard case .duplicateKey = error, try session.deleteGone() else { throw noting(error, row) }
      do { return try write(object, columns, isNew: stored == nil) } catch {
        throw noting(error, row)
      }
    }
  }

  /// Notes the mistake of an object with a value that another one has.
  private func noting(_ error: StoreError, _ row: Int) -> StoreError {
    guard case .duplicateKey(_, let field, let value) = error else { return error }
    let place = places.place(row, column: rows.column(ofField: field))
    let fault = TextFault(
      line: place.line, column: place.column, field: field,
      expected: "a value that no other \(model) has", found: value)
    session.noteTaken(session.problem(fault, model))
    return error
  }

  private func write(_ object: M, _ columns: [Int], isNew: Bool) throws(StoreError) -> M {
    if isNew {
      let stored = try session.transaction.insert(object)
      if stored.id != object.id { session.noteGiven(M.self, stored.id) }
      return stored
    }
    if !columns.isEmpty { try session.transaction.updatePart(object, columns: columns) }
    return object
  }

  /// The object of a row, and the columns that are not as stored.
  func merged(
    _ row: Int, over stored: M?, owner: (column: Int, key: Value)?
  ) throws(StoreError) -> (object: M, columns: [Int]) {
    var old: Int?
    if let stored {
      old = rowCount
      try rows.append(stored)
    }
    var merge = RowMerge(given, row, old, owner, key: rows.keyColumn)
    let place = rowCount
    do { try merge.append(rows.shape) } catch {
      removeRows(from: place)
      throw missing(error, row)
    }
    do { return (try rows.object(place), merge.written) } catch {
      throw translate(error, row)
    }
  }

  /// The row of a new object with a row's values as they are stored: the elements of a set, for example, have one order.
  ///
  /// The row itself where the text gives too little for an object.
  func canonical(_ row: Int, owner: (column: Int, key: Value)) -> Int {
    guard let object = try? merged(row, over: nil, owner: owner).object else { return row }
    let place = rowCount
    do { try rows.append(object) } catch {
      removeRows(from: place)
      return row
    }
    return place
  }

  private func removeRows(from place: Int) {
    for column in rows.columns.columns where column.count > place { column.removeRows(from: place) }
  }

  private var rowCount: Int { rows.columns.columns.first?.count ?? 0 }

  // MARK: Errors

  func problem(
    _ row: Int, _ field: String, _ expected: String, found: String
  ) -> StoreError {
    session.problem(model, field, at: places.place(row), expected, found: found)
  }

  private func missing(_ member: RowMerge.Missing, _ row: Int) -> StoreError {
    problem(
      row, member.path, ValueText.expectation(member.shape) + member.shape.remedyHint,
      found: session.format.names(of: model).absence(of: member.path))
  }

  /// The error for an object whose values its Swift types reject.
  private func translate(_ error: StoreError, _ row: Int) -> StoreError {
    guard case .undecodable(_, let field, let value) = error else { return error }
    return session.problem(
      model, field, at: places.place(row, column: rows.column(ofField: field)),
      rows.expectation(ofField: field), found: value)
  }
}
