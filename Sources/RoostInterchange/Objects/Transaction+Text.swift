public import Roost

extension ObjectReader {
  /// Writes the results of a query as text, in the query's order; returns their number.
  ///
  /// ```swift
  /// try store.snapshot().export(Person.all, to: .file("people.json"), as: .json)
  /// ```
  ///
  /// Objects are written as they are read: memory does not grow with their number. A ``/Roost/Blob`` is written whole, in
  /// Base64.
  /// - Throws: The errors of reading, and of the file; what the output throws comes out unchanged.
  @discardableResult
  public func export<M: Model>(
    _ query: Query<M>, to output: TextOutput, as format: TextFormat
  ) throws -> Int {
    var writing = try TextWriting<M>(output, format, blobs: try _reader)
    try forEachBatch(of: query) { objects in
      for object in objects { try writing.add(object) }
    }
    try writing.end()
    return writing.count
  }
}

// What leaves objects out is not favoured: a closure without a label is that of `including`.

extension WriteTransaction {
  /// Inserts the objects of a text; returns their number.
  ///
  /// ```swift
  /// try store.write { try $0.insert(Person.self, from: .file("people.csv"), as: .csv) }
  /// ```
  ///
  /// Objects are inserted as the text is read: memory does not grow with their number, except for the state that the
  /// transaction keeps of them. After an error none is inserted.
  /// - Throws: ``/Roost/StoreError/malformedText(_:)`` with the mistakes of the whole text, or an object whose id, or the value of
  ///   a unique field, another one has; ``/Roost/StoreError/duplicateKey(model:field:value:)`` where several fields are unique
  ///   together; the errors of the file; what the input throws comes out unchanged.
  @discardableResult
  public func insert<M: Model>(
    _ type: M.Type, from input: TextInput, as format: TextFormat
  ) throws -> Int {
    try insert(type, from: input, as: format, UnreadObjects(type, self, format))
  }

  /// Inserts the objects of a text that have no mistake; returns their number.
  ///
  /// That another object has its id, or the value of a unique field, is a mistake of an object, too.
  ///
  /// ```swift
  /// let skipped = try store.write { transaction in
  ///   var lines: [Int] = []
  ///   try transaction.insert(Person.self, from: .file("people.csv"), as: .csv, leavingOut: { lines.append($0.line) })
  ///   return lines
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The model.
  ///   - input: The text.
  ///   - format: Its format.
  ///   - report: Called with the first mistake of each object that is left out. If it throws, no object is inserted.
  /// - Throws: What `report` throws; ``/Roost/StoreError/malformedText(_:)`` where the rest of the text cannot be read: a column
  ///   or a bracket is missing, for example; the errors of the file; what the input throws comes out unchanged.
  @_disfavoredOverload
  @discardableResult
  public func insert<M: Model>(
    _ type: M.Type, from input: TextInput, as format: TextFormat,
    leavingOut report: (TextProblem) throws -> Void
  ) throws -> Int {
    try read(type, from: input, as: format, leavingOut: report) { _ = try insert($0) }
  }

  /// - Parameter unread: Finds objects of other models in the text, which is an error; nil where they are left out.
  func insert<M: Model>(
    _ type: M.Type, from input: TextInput, as format: TextFormat, _ unread: UnreadObjects?
  ) throws -> Int {
    try read(type, from: input, as: format, unread) { try insertPart($0) }
  }

  /// Inserts the objects of a text, and applies the policy where an id already exists; returns the number of objects in the
  /// text.
  ///
  /// Like ``insert(_:from:as:)``, but ids may already exist.
  /// - Throws: The same but for that.
  @discardableResult
  public func upsert<M: Model>(
    _ type: M.Type, from input: TextInput, as format: TextFormat,
    onConflict policy: ConflictPolicy<M> = .replace
  ) throws -> Int {
    try upsert(
      type, from: input, as: format, onConflict: policy, UnreadObjects(type, self, format))
  }

  /// Inserts the objects of a text that have no mistake, and applies the policy where an id already exists; returns their number.
  ///
  /// Like ``insert(_:from:as:leavingOut:)``, but ids may already exist.
  /// - Parameters:
  ///   - type: The model.
  ///   - input: The text.
  ///   - format: Its format.
  ///   - policy: What becomes of an object whose id already exists.
  ///   - report: Called with the first mistake of each object that is left out. If it throws, nothing is changed.
  /// - Throws: The same but for that.
  @_disfavoredOverload
  @discardableResult
  public func upsert<M: Model>(
    _ type: M.Type, from input: TextInput, as format: TextFormat,
    onConflict policy: ConflictPolicy<M> = .replace,
    leavingOut report: (TextProblem) throws -> Void
  ) throws -> Int {
    if policy.mergesGiven, format.kind != .csv {
      return try mergeObjects(type, from: input, as: format, leavingOut: report)
    }
    return try read(type, from: input, as: format, leavingOut: report) {
      try upsertPart([$0], policy)
    }
  }

  /// - Parameter unread: Finds objects of other models in the text, which is an error; nil where they are left out.
  func upsert<M: Model>(
    _ type: M.Type, from input: TextInput, as format: TextFormat,
    onConflict policy: ConflictPolicy<M>, _ unread: UnreadObjects?
  ) throws -> Int {
    if policy.mergesGiven, format.kind != .csv {
      return try upsertNested(type, from: input, as: format, [], unread: unread)
    }
    return try read(type, from: input, as: format, unread) { try upsertPart($0, policy) }
  }

  private func read<M: Model>(
    _ type: M.Type, from input: TextInput, as format: TextFormat, _ unread: UnreadObjects?,
    _ body: ([M]) throws -> Void
  ) throws -> Int {
    var reading = try TextReading<M>(input, format, unread)
    return try whole(adding: type) {
      var count = 0
      try reading.forEachBatch { objects in
        try body(objects)
        count += objects.count
      }
      return count
    }
  }

  private func read<M: Model>(
    _ type: M.Type, from input: TextInput, as format: TextFormat,
    leavingOut report: (TextProblem) throws -> Void, _ body: (M) throws -> Void
  ) throws -> Int {
    var reading = try TextReading<M>(input, format, UnreadObjects(type, self, format))
    return try whole(adding: type) {
      var count = 0
      try reading.forEach(leavingOut: report) { object in
        try body(object)
        count += 1
      }
      return count
    }
  }
}

extension Model {
  /// Reads the objects of a text, without a store.
  ///
  /// - Throws: ``/Roost/StoreError/malformedText(_:)`` with the mistakes of the whole text; the errors of the file; what the
  ///   input throws comes out unchanged.
  public static func read(from input: TextInput, as format: TextFormat) throws -> [Self] {
    var reading = try TextReading<Self>(input, format)
    var all: [Self] = []
    try reading.forEachBatch { all += $0 }
    return all
  }

  /// Reads the objects of a text that have no mistake, without a store.
  ///
  /// ```swift
  /// let people = try Person.read(from: .file("people.csv"), as: .csv, leavingOut: { print($0) })
  /// ```
  ///
  /// - Parameters:
  ///   - input: The text.
  ///   - format: Its format.
  ///   - report: Called with the first mistake of each object that is left out.
  /// - Throws: What `report` throws; ``/Roost/StoreError/malformedText(_:)`` where the rest of the text cannot be read; the errors
  ///   of the file; what the input throws comes out unchanged.
  public static func read(
    from input: TextInput, as format: TextFormat, leavingOut report: (TextProblem) throws -> Void
  ) throws -> [Self] {
    var reading = try TextReading<Self>(input, format)
    var all: [Self] = []
    try reading.forEach(leavingOut: report) { all.append($0) }
    return all
  }

  /// Writes objects as text, without a store; returns their number.
  ///
  /// - Throws: ``/Roost/StoreError/unencodable(type:reason:)``; the errors of the file; what the output throws comes out
  ///   unchanged.
  @discardableResult
  public static func write(
    _ objects: some Sequence<Self>, to output: TextOutput, as format: TextFormat
  ) throws -> Int {
    var writing = try TextWriting<Self>(output, format)
    for object in objects { try writing.add(object) }
    try writing.end()
    return writing.count
  }
}
