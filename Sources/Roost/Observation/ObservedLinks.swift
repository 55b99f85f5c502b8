internal import RoostEngine

/// The targets of a list of links, observed.
final class ObservedLinks {
  private let owner: ModelName
  /// The id of the object that has the list.
  private let id: Value
  /// The position of the list in the schema.
  private let position: Int
  private let target: ModelName
  /// The list in the version seen last.
  private var seen: (version: VersionContext, place: RowPlace?, keys: [Int64])?

  init<M: Model, Target: Model>(
    _ owner: M.Type, _ id: M.ID, _ position: Int, to target: Target.Type
  ) {
    self.owner = ModelName(owner)
    self.id = id._constant.value
    self.position = position
    self.target = ModelName(target)
  }

  /// Advances to another version; nil if the list and its objects are unchanged.
  func step(_ differences: Differences) throws(StoreError) -> ObservedResults.Step? {
    let later = differences.version
    let (owner, target) = (try later.binding.model(owner), try later.binding.model(target))
    // In its trees two places can be compared.
    let view = try later.view()
    var place: RowPlace?
    if let key = try later.objectKey(of: owner, id: id) {
      place = try later.place(in: owner, key: key)
    }
    let field = owner.fields[position]
    let earlier = seen
    return try working(on: later.file) { () throws(EngineError) in
      var keys: [Int64] = []
      if let place {
        if let earlier, let old = earlier.place,
          try !place.changedFields(since: old).contains(field)
        {
          keys = earlier.keys
        } else if case .bytes(let list) = try place.value(of: field) {
          keys = LinkList.targets(list)
        }
      }
      let results = try view.objects(keys, in: target.tableID)
      guard let earlier else {
        seen = (later, place, keys)
        return ObservedResults.Step(to: later, of: target, results)
      }
      let changes = ResultsDifference(
        ofList: earlier.keys, to: keys,
        try differences.since(earlier.version).changes(of: target.tableID))
      seen = (later, place, keys)
      guard !changes.isEmpty else { return nil }
      return ObservedResults.Step(
        changes, from: (earlier.version, earlier.keys.count),
        tag: differences.tag(since: earlier.version), to: later, of: target, results)
    }
  }
}
