internal import RoostEngine

/// The change of a query's results from one version to a later one: the edits for a list that shows them.
///
/// First remove deleted and moved elements from the list, by their old indices; then insert new and moved elements
/// by their new indices, in ascending order. All other elements keep their order.
/// ``apply(to:_:)`` does this.
public struct ResultsChange<M: Model>: Sendable {
  /// A result that was added or removed.
  public struct Entry: Equatable, Identifiable, Sendable {
    /// The index before a deletion, or after an insertion.
    public let index: Int
    /// The object's id.
    public let id: M.ID
  }

  /// A result that moved among the others.
  public struct Move: Equatable, Identifiable, Sendable {
    /// The old index.
    public let from: Int
    /// The new index.
    public let to: Int
    /// The object's id.
    public let id: M.ID
  }

  /// A result with changed values, its own or those read through its links, whether it moved or not.
  public struct Modification: Identifiable, Sendable {
    /// The old index.
    public let from: Int
    /// The new index.
    public let to: Int
    /// The changed properties.
    public let object: ModelChanges<M>.Modification

    /// The object's id.
    public var id: M.ID { object.id }
    /// The names in the schema of the fields that changed; empty if only values read through its links changed.
    public var fields: [String] { object.fields }
  }

  /// The results in the new version.
  public let results: Rows<M>
  /// The new version, for reading related data.
  public let snapshot: Snapshot
  /// Whether this is the initial state; nothing counts as changed then.
  public let isInitial: Bool
  /// The tag of the write that made the change, or of all such writes; nil if they have none or different tags.
  public let tag: WriteTag?
  /// Objects that left the results, ascending by their old index.
  public let deletions: [Entry]
  /// Objects that entered the results, ascending by their new index.
  public let insertions: [Entry]
  /// Objects that moved, ascending by their new index.
  public let moves: [Move]
  /// Objects with changed values, their own or those read through links, ascending by their new index.
  public let modifications: [Modification]
  /// The number of results before the change.
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

  /// Updates a list that has an element for each result.
  ///
  /// An element is made for each result that was added or modified, and for no other. A list whose count differs from the
  /// old number of results, such as a new observer's empty list, is made from scratch. If making an element throws,
  /// the list stays unchanged.
  /// - Parameters:
  ///   - list: A list made of the results before the change.
  ///   - element: Makes the element of a result.
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

  /// Updates a list that has a property of each result: `try change.apply(to: &names, \.name)`.
  @_alwaysEmitIntoClient
  public func apply<Value: Storable>(
    to list: inout [Value], _ property: KeyPath<M, Value>
  ) throws(StoreError) {
    try apply(to: &list) { (row) throws(StoreError) in try row[dynamicMember: property] }
  }
}

extension Array {
  /// The elements without those taken out, and with others inserted at their new indices.
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
