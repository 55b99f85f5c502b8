internal import Roost
internal import RoostEngine

/// One call that reads nested objects: what its levels share.
final class NestedSession {
  let transaction: WriteTransaction
  /// The name of the text, for errors.
  let source: String?
  let format: TextFormat
  /// By model, the paths of the members that the levels read.
  var paths: [String: Set<String>] = [:]
  /// By model, the owned objects that their owners' lists no longer have.
  var gone: [ObjectIdentifier: any GoneObjects] = [:]
  /// By model, the ids that the store gave to objects of the text.
  private var given: [ObjectIdentifier: Set<AnyHashable>] = [:]
  /// The mistakes of the text so far, or of the object that may be left out.
  private(set) var problems = TextProblems()
  /// Whether some objects were not written for a mistake of their own.
  private var hasUnwritten = false
  /// The value of the object that was written last, if another one has it.
  private var taken: TextProblem?

  init(_ transaction: WriteTransaction, _ source: String?, _ format: TextFormat) {
    self.transaction = transaction
    self.source = source
    self.format = format
  }

  /// Notes that the store gave an object of the text its id.
  func noteGiven<M: Model>(_ type: M.Type, _ id: M.ID) {
    given[ObjectIdentifier(type), default: []].insert(AnyHashable(id))
  }

  /// Whether the store gave another object of the text this id.
  func hasGiven<M: Model>(_ type: M.Type, _ id: M.ID) -> Bool {
    given[ObjectIdentifier(type)]?.contains(AnyHashable(id)) ?? false
  }

  /// Notes an object that its owner's list no longer has; it is deleted at the end, unless the text has it elsewhere.
  func noteGone<M: Model>(_ object: M) {
    var objects = gone[ObjectIdentifier(M.self)] as? GoneList<M> ?? GoneList()
    objects.ids.insert(object.id)
    gone[ObjectIdentifier(M.self)] = objects
  }

  /// Notes that the text has an object.
  func noteKept<M: Model>(_ type: M.Type, _ id: M.ID) {
    guard var objects = gone[ObjectIdentifier(M.self)] as? GoneList<M>, objects.ids.contains(id)
    else { return }
    objects.ids.remove(id)
    gone[ObjectIdentifier(M.self)] = objects
  }

  /// Deletes the objects that are gone; returns whether there were any.
  @discardableResult
  func deleteGone() throws(StoreError) -> Bool {
    var count = 0
    for objects in gone.values { count += try objects.delete(in: transaction) }
    gone = [:]
    return count > 0
  }

  // MARK: Mistakes

  /// Notes a mistake of an object, which is not written.
  func add(_ problem: TextProblem) {
    problems.add(problem)
    hasUnwritten = true
  }

  /// Notes that another object has a value of the object that is being written.
  func noteTaken(_ problem: TextProblem) { taken = problem }

  /// What the object that was written last has of another one, if it was not written for that.
  func takeTaken() -> TextProblem? { taken.take() }

  /// Forgets all mistakes.
  func removeProblems() {
    problems = TextProblems()
    hasUnwritten = false
  }

  /// Writes a part of the text, of which a mistake is gathered; returns nil then.
  @discardableResult
  func gathering<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R? {
    do { return try body() } catch {
      switch error {
      case .malformedText(let problem): add(problem)
      // It may come of an object that has a mistake, and was not written.
      case .danglingLink where !problems.isEmpty, .duplicateKey where hasUnwritten: taken = nil
      case .duplicateKey:
        guard let taken = takeTaken() else { throw error }
        problems.add(taken)
      default: throw error
      }
      return nil
    }
  }

  /// The error that an object's text is not as expected.
  func problem(
    _ model: String, _ field: String, at place: (line: Int, column: Int), _ expected: String,
    found: String
  ) -> StoreError {
    let fault = TextFault(
      line: place.line, column: place.column, field: field, expected: expected, found: found)
    return .malformedText(problem(fault, model))
  }

  /// The mistake in the text of an object of a model, or of one within it.
  func problem(_ fault: TextFault, _ model: String) -> TextProblem {
    TextProblem(fault, in: source, of: fault.model ?? model)
  }
}

/// Objects of one model that their owners' lists no longer have.
protocol GoneObjects {
  func delete(in transaction: WriteTransaction) throws(StoreError) -> Int
}

private struct GoneList<M: Model>: GoneObjects {
  var ids: Set<M.ID> = []

  func delete(in transaction: WriteTransaction) throws(StoreError) -> Int {
    try transaction.delete(M.self, ids: ids)
  }
}
