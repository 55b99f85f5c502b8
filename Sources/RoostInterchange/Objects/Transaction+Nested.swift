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
  /// - Throws: ``/Roost/StoreError/malformedText(_:)`` with the mistakes of the whole text, also where a new object needs a value
  ///   that is missing, or an object its key, or where another object has the value of a unique field;
  ///   ``/Roost/StoreError/branchInvalid(model:branch:reason:)``; the errors of the file; what the input throws comes out
  ///   unchanged.
  @discardableResult
  public func upsert<M: Model>(
    _ type: M.Type, from input: TextInput, as format: TextFormat = .json,
    @BranchBuilder<M> including branches: (Branches<M>) -> [Branch<M>]
  ) throws -> Int {
    try upsertNested(type, from: input, as: format, branches(Branches()))
  }

  /// Adds or changes those outermost objects of a nested text that have no mistake, nor any object within them; returns their
  /// number.
  ///
  /// Like ``upsert(_:from:as:including:)``, but each outermost object is written by itself, which takes longer. A link that leads
  /// nowhere is no mistake of an object: its target may come later in the same transaction.
  /// - Parameters:
  ///   - type: The model of the outermost objects.
  ///   - input: The text.
  ///   - format: Its format.
  ///   - report: Called with the first mistake of each outermost object that is left out, with all that is within it. If it
  ///     throws, nothing is changed.
  ///   - branches: The branches.
  /// - Throws: The same, but malformed text only where the rest of it cannot be read; what `report` throws.
  @_disfavoredOverload
  @discardableResult
  public func upsert<M: Model>(
    _ type: M.Type, from input: TextInput, as format: TextFormat = .json,
    leavingOut report: (TextProblem) throws -> Void,
    @BranchBuilder<M> including branches: (Branches<M>) -> [Branch<M>]
  ) throws -> Int {
    try mergeObjects(type, from: input, as: format, branches(Branches()), leavingOut: report)
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
      do {
        var scanner = TextScanner(input.next)
        try scanner.passByteOrderMark()
        var objects = try format.objects(scanner)
        var isMore = true
        while isMore {
          do {
            isMore = try read(&objects, into: level, format.jsonForm, unread) { problem in
              session.add(problem)
            }
          } catch TextError.malformed(let fault) {
            level.removeUnmarked()
            session.add(session.problem(fault, level.model))
            isMore = false
          }
          count += level.count
          // After a mistake the rest is written, too: what new objects lack is found there.
          try session.gathering { () throws(StoreError) in try level.writeAll() }
          level.removeAll()
        }
      } catch let error as TextError {
        throw error.asThrown(from: input.name, of: level.model)
      }
      try session.problems.throwIfAny()
      try session.deleteGone()
      return count
    }
  }

  /// Adds or changes the objects of a text that have no mistake, which keep what it does not give; returns their number.
  func mergeObjects<M: Model>(
    _ type: M.Type, from input: TextInput, as format: TextFormat, _ branches: [Branch<M>] = [],
    leavingOut report: (TextProblem) throws -> Void
  ) throws -> Int {
    try format.checkIsNested(DetachedRows<M>.modelName)
    let session = NestedSession(self, input.name, format)
    let level = try NestedLevel(branches, in: session)
    try format.refuseUnknownNames(session.paths)
    let isNested = !branches.isEmpty
    let unread = isNested ? nil : UnreadObjects(type, self, format)
    return try whole {
      var count = 0
      do {
        var scanner = TextScanner(input.next)
        try scanner.passByteOrderMark()
        var objects = try format.objects(scanner)
        var isMore = true
        while isMore {
          isMore = try read(
            &objects, into: level, format.jsonForm, unread,
            atMost: isNested ? 1 : Self.objectsMax, report)
          count +=
            isNested
            ? try writeWhole(level, leavingOut: report) : try level.writeAll(leavingOut: report)
          level.removeAll()
        }
      } catch let error as TextError {
        throw error.asThrown(from: input.name, of: level.model)
      }
      try session.deleteGone()
      return count
    }
  }

  /// Writes what was read of a nested text if it has no mistake; returns the number of outermost objects.
  private func writeWhole<M: Model>(
    _ level: NestedLevel<M>, leavingOut report: (TextProblem) throws -> Void
  ) throws -> Int {
    let session = level.session
    let gone = session.gone
    do {
      try whole {
        try level.writeAll()
        try session.problems.throwIfAny()
      }
      return level.count
    } catch StoreError.malformedText(var problem) {
      session.gone = gone
      session.removeProblems()
      problem.others = []
      problem.count = 1
      try report(problem)
      return 0
    }
  }

  /// Reads objects until they are enough to be written; false at the end of the text.
  ///
  /// - Parameters:
  ///   - countMax: How many are enough, with those within them.
  ///   - report: Called with the mistake of an object, which is not among those read.
  private func read<M: Model>(
    _ objects: inout JSONObjects, into level: NestedLevel<M>, _ form: JSONReader.Form,
    _ unread: UnreadObjects?, atMost countMax: Int = objectsMax,
    _ report: (TextProblem) throws -> Void
  ) throws -> Bool {
    while level.objectCount < countMax {
      level.mark()
      do throws(TextError) {
        guard try objects.hasNext() else { return false }
        _ = try level.read(&objects.json, form, unread)
        try objects.endObject()
      } catch {
        guard case .malformed(let fault) = error, try objects.passMistake() else { throw error }
        level.removeUnmarked()
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
