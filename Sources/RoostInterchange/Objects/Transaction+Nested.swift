public import Roost
internal import RoostEngine

extension WriteTransaction {
  /// Adds or changes the objects of a nested text, with the objects of some branches; returns the number of the outermost ones.
  ///
  /// ```swift
  /// try store.write {
  ///   try $0.upsert(Menu.self, from: .text(json), including: { $0.items(replacing: true) { $0.modifiers } })
  /// }
  /// ```
  ///
  /// The objects of each branch stand whole in the text: in a member with the name of a ``/Roost/Link`` or ``/Roost/Links``, or
  /// in an array with the name of an ``/Roost/Inverse``, whose objects get the object that they stand in as their owner. A
  /// branch that is not named, or not in the text, changes nothing.
  ///
  /// An object that is stored keeps what the text does not give: a member that is missing, which `null` is not. In a new one
  /// such a member is nil or empty, or has the field's default. What is as the text says is not written, so that the
  /// same text changes nothing a second time.
  ///
  /// The text is JSON or lines of it. A part of it is in memory at a time, and never less than one of the outermost objects.
  /// After an error nothing is changed.
  /// - Throws: ``/Roost/StoreError/malformedText(_:)``, also where a new object needs a value that is missing, or an object its
  ///   key; ``/Roost/StoreError/branchInvalid(model:branch:reason:)``; ``/Roost/StoreError/duplicateKey(model:field:value:)``
  ///   where another object has the value of a unique field; the errors of the file; what the input throws comes out unchanged.
  @discardableResult
  public func upsert<M: Model>(
    _ type: M.Type, from input: TextInput, as format: TextFormat = .json,
    @BranchBuilder<M> including branches: (Branches<M>) -> [Branch<M>]
  ) throws -> Int {
    try upsertNested(type, from: input, as: format, branches(Branches()))
  }

  /// Adds or changes the objects of a text, which keep what it does not give.
  func upsertNested<M: Model>(
    _ type: M.Type, from input: TextInput, as format: TextFormat, _ branches: [Branch<M>],
    unread: UnreadObjects? = nil
  ) throws -> Int {
    try format.checkIsNested(DetachedRows<M>.modelName)
    let session = NestedSession(self, input.name, format)
    let level = try NestedLevel(branches, in: session)
    try format.refuseUnknownNames(session.paths)
    return try whole {
      var count = 0
      var problems = TextProblems()
      do {
        var scanner = TextScanner(input.next)
        try scanner.passByteOrderMark()
        var objects = try JSONObjects(scanner, isByLine: format.kind == .lines)
        var isMore = true
        while isMore {
          isMore = try read(&objects, into: level, format.jsonForm, unread) { problem in
            problems.add(problem)
            level.removeAll()
          }
          if problems.isEmpty {
            count += level.count
            // What new objects lack is found where they are written.
            do { try level.writeAll() } catch StoreError.malformedText(let problem) {
              problems.add(problem)
            }
          }
          level.removeAll()
        }
      } catch let error as TextError {
        guard case .malformed(let fault) = error else {
          throw error.asThrown(from: input.name, of: level.model)
        }
        problems.add(session.problem(fault, level.model))
      }
      try problems.throwIfAny()
      try session.deleteGone()
      return count
    }
  }

  /// Adds or changes the objects of a text that have no mistake, which keep what it does not give; returns their number.
  func mergeObjects<M: Model>(
    _ type: M.Type, from input: TextInput, as format: TextFormat,
    leavingOut report: (TextProblem) throws -> Void
  ) throws -> Int {
    let session = NestedSession(self, input.name, format)
    let level = try NestedLevel<M>([], in: session)
    try format.refuseUnknownNames(session.paths)
    let unread = UnreadObjects(type, self, format)
    return try whole {
      var count = 0
      do {
        var scanner = TextScanner(input.next)
        try scanner.passByteOrderMark()
        var objects = try JSONObjects(scanner, isByLine: format.kind == .lines)
        var isMore = true
        while isMore {
          isMore = try read(&objects, into: level, format.jsonForm, unread, report)
          count += try level.writeAll(leavingOut: report)
          level.removeAll()
        }
      } catch let error as TextError {
        throw error.asThrown(from: input.name, of: level.model)
      }
      return count
    }
  }

  /// Reads objects until they are enough to be written; false at the end of the text.
  ///
  /// - Parameter report: Called with the mistake of an object, which is not among those read.
  private func read<M: Model>(
    _ objects: inout JSONObjects, into level: NestedLevel<M>, _ form: JSONReader.Form,
    _ unread: UnreadObjects?, _ report: (TextProblem) throws -> Void
  ) throws -> Bool {
    while level.objectCount < Self.objectsMax {
      let row = level.count
      do throws(TextError) {
        guard try objects.hasNext() else { return false }
        _ = try level.read(&objects.json, form, unread)
        try objects.endObject()
      } catch {
        guard case .malformed(let fault) = error, try objects.passMistake() else { throw error }
        level.removeRows(ofObjectsFrom: row)
        try report(level.session.problem(fault, level.model))
      }
    }
    return true
  }

  /// The number of objects that are written together, unless they stand within one.
  private static var objectsMax: Int { 1024 }
}

extension ObjectReader {
  /// Writes the results of a query as nested text, with the objects of some branches; returns the number of the results.
  ///
  /// ```swift
  /// try snapshot.export(Menu.all, to: .file("menus.json"), including: { $0.items { $0.modifiers } })
  /// ```
  ///
  /// The text is one that ``WriteTransaction/upsert(_:from:as:including:)`` reads with the same branches. The objects of
  /// an ``/Roost/Inverse`` come in the order of their keys, without their links to the owner. Each branch takes one pass over
  /// its model for some hundred results, which are in memory together with all that is within them.
  /// - Throws: ``/Roost/StoreError/branchInvalid(model:branch:reason:)``; the errors of reading, and of the file; what the
  ///   output throws comes out unchanged.
  @discardableResult
  public func export<M: Model>(
    _ query: Query<M>, to output: TextOutput, as format: TextFormat = .json,
    @BranchBuilder<M> including branches: (Branches<M>) -> [Branch<M>]
  ) throws -> Int {
    try format.checkIsNested(DetachedRows<M>.modelName)
    let reader = try _reader
    let level = try WrittenLevel(branches(Branches()), from: reader, format)
    var writing = try TextWriting<M>(output, format, blobs: reader)
    try forEachBatch(of: query) { objects in
      for text in try level.texts(of: objects) { try writing.add(text: text) }
    }
    try writing.end()
    return writing.count
  }
}

extension TextFormat {
  /// Checks that objects can stand within others.
  fileprivate func checkIsNested(_ model: String) throws(StoreError) {
    guard kind == .csv else { return }
    throw .branchInvalid(
      model: model, branch: "",
      reason: "CSV has no objects within objects. Use `.json` or `.ndjson`.")
  }
}
