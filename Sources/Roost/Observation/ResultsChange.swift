internal import RoostEngine

/// How the results of a query became those of a later version: what to do to a list that shows them.
///
/// First what was deleted and what moved is taken out of the list, by the indices that it had; then what was inserted and
/// what moved is put in, by the indices that it has, in ascending order. All else stays in its order.
/// ``apply(to:_:)`` does that.
public struct ResultsChange<M: Model>: Sendable {
  /// A result that came or went.
  public struct Entry: Equatable, Identifiable, Sendable {
    /// Where it was, or where it is.
    public let index: Int
    /// The object's id.
    public let id: M.ID
  }

  /// A result that is elsewhere among the others.
  public struct Move: Equatable, Identifiable, Sendable {
    /// Where it was.
    public let from: Int
    /// Where it is.
    public let to: Int
    /// The object's id.
    public let id: M.ID
  }

  /// A result with other values, or behind whose links something changed that is read of it, whether it moved or not.
  public struct Modification: Identifiable, Sendable {
    /// Where it was.
    public let from: Int
    /// Where it is.
    public let to: Int
    /// The changed properties.
    public let object: ModelChanges<M>.Modification

    /// The object's id.
    public var id: M.ID { object.id }
    /// The names of the fields that changed, as the schema has them; none where something else did that is read of it.
    public var fields: [String] { object.fields }
  }

  /// The results, in the version that they changed to.
  public let results: Rows<M>
  /// The version, to read whatever belongs to the results.
  public let snapshot: Snapshot
  /// Whether this is what there was to begin with; nothing is said to have changed then.
  public let isInitial: Bool
  /// The tag of the write that brought the change about, or of all of them; nil where they had none or not the same.
  public let tag: WriteTag?
  /// Objects that left the results, ascending by their old index.
  public let deletions: [Entry]
  /// Objects that entered the results, ascending by their new index.
  public let insertions: [Entry]
  /// Objects that moved, ascending by their new index.
  public let moves: [Move]
  /// Objects with changed values, their own or behind their links, ascending by their new index.
  public let modifications: [Modification]
  /// How many results there were.
  private let countBefore: Int

  package init(_ step: ObservedResults.Step) throws(StoreError) {
    let (model, later) = (step.model, step.version)
    results = step.rows(of: M.self)
    snapshot = Snapshot(later)
    tag = step.tag
    guard let changes = step.changes, let (earlier, countBefore) = step.before else {
      isInitial = true
      (deletions, insertions, moves, modifications) = ([], [], [], [])
      self.countBefore = 0
      return
    }
    isInitial = false
    self.countBefore = countBefore
    deletions = zip(
      changes.deletions, try earlier.ids(of: M.self, changes.deletions.map(\.key), model)
    ).map { Entry(index: $0.position, id: $1) }
    insertions = zip(
      changes.insertions, try later.ids(of: M.self, changes.insertions.map(\.key), model)
    ).map { Entry(index: $0.position, id: $1) }
    moves = zip(changes.moves, try later.ids(of: M.self, changes.moves.map(\.key), model)).map {
      Move(from: $0.from, to: $0.to, id: $1)
    }
    modifications = zip(
      changes.modifications, try later.ids(of: M.self, changes.modifications.map(\.key), model)
    ).map { change, id in
      Modification(
        from: change.from, to: change.to,
        object: .init(id: id, changed: ChangedFields(model: model, fields: change.fields)))
    }
  }

  /// Brings a list up to date that has an element for each result.
  ///
  /// An element is made for each result that came or is modified, and for no other. A list with another number of
  /// elements than there were results, as an empty one of an observer that begins, is made anew. Where an element cannot
  /// be made, the list stays as it was.
  /// - Parameter element: Makes the element of a result.
  /// - Complexity: That of the changes; where some came, went or moved, also of copying the list.
  public func apply<Element, Failure: Error>(
    to list: inout [Element], _ element: (Row<M>) throws(Failure) -> Element
  ) throws(Failure) {
    guard !isInitial, list.count == countBefore else {
      list = try results.map(element)
      return
    }
    func made(_ index: Int) throws(Failure) -> (Int, Element) {
      (index, try element(results[index]))
    }
    let inserted = try insertions.map { (entry) throws(Failure) in try made(entry.index) }
    let modified = try modifications.map { (change) throws(Failure) in try made(change.to) }
    let taken = (deletions.map(\.index) + moves.map(\.from)).ascending { $0 }
    let put = (inserted + moves.map { ($0.to, list[$0.from]) }).ascending(by: \.0)
    if !taken.isEmpty || !put.isEmpty { list = list.replacing(taken, with: put) }
    for (index, element) in modified { list[index] = element }
  }
}

extension Array {
  /// The elements but some, and with others that are found at their indices then.
  fileprivate func replacing(_ taken: [Int], with put: [(Int, Element)]) -> [Element] {
    var kept: [Element] = []
    kept.reserveCapacity(count - taken.count)
    var start = 0
    for index in taken {
      kept += self[start..<index]
      start = index + 1
    }
    kept += self[start...]
    guard !put.isEmpty else { return kept }
    var list: [Element] = []
    list.reserveCapacity(kept.count + put.count)
    start = 0
    for (index, element) in put {
      let end = start + index - list.count
      list += kept[start..<end]
      list.append(element)
      start = end
    }
    return list + kept[start...]
  }
}
