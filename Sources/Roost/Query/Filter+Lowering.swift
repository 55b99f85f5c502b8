internal import RoostEngine

/// From a query over key paths to the engine's predicate over field numbers.
///
/// A comparison behind links becomes a condition on the target. The engine's `link` is false where the
/// link is nil; conditions that hold for nil there (`owner?.name != "Ann"`, `owner?.nickname == nil`) are
/// the negation of one that does not.
extension StoreBinding {
  /// The engine's form of a filter of objects of a model.
  func lower(_ filter: Filter, _ home: ModelBinding) throws(StoreError) -> Predicate {
    switch filter {
    case .always(let holds): return .always(holds)
    case .compare(let path, let comparison, let value):
      if path.links.isEmpty { return .compare(try field(path.field, home), comparison, value) }
      return try lower(path, home) { .compare($0, comparison, value) }
    case .isNull(let path):
      guard !path.links.isEmpty else { return .isNull(try field(path.field, home)) }
      return .not(try lower(path, home) { .not(.isNull($0)) })
    case .oneOf(let path, let values): return try lower(path, home) { .oneOf($0, values) }
    case .text(let path, let match, let text):
      let bytes = Array(text.utf8)
      return try lower(path, home) { .text($0, match, bytes) }
    case .links(let path, let target, let condition):
      let predicate = try lower(condition, try model(target))
      return try lower(path, home) { .links($0, predicate) }
    case .beginning(let path, let bytes):
      return try lower(path, home) { .text($0, .prefix, bytes) }
    case .and(let parts): return .and(merged(try lower(parts, home), by: Predicate.and))
    case .or(let parts): return .or(merged(try lower(parts, home), by: Predicate.or))
    case .not(let part): return .not(try lower(part, home))
    }
  }

  private func lower(_ parts: [Filter], _ home: ModelBinding) throws(StoreError) -> [Predicate] {
    var predicates: [Predicate] = []
    for part in parts { predicates.append(try lower(part, home)) }
    return predicates
  }

  /// Wraps the condition on a path's last field into its links, the last one innermost.
  ///
  /// The key of a target with integer keys is the link's own value, so that needs no look at the target.
  private func lower(
    _ path: FieldPath, _ home: ModelBinding, _ condition: (FieldID) -> Predicate
  ) throws(StoreError) -> Predicate {
    guard !path.links.isEmpty else { return condition(try field(path.field, home)) }
    var links = path.links
    var last = path.field
    let target = try model(last.model)
    if let link = links.last, target.hasIntegerKey, last.position == target.keyPosition {
      last = link
      links.removeLast()
    }
    var predicate = condition(try field(last, home))
    for link in links.reversed() { predicate = .link(try field(link, home), predicate) }
    return predicate
  }

  /// Joins conditions behind the same link: they are about one target, which is then looked at once.
  private func merged(
    _ parts: [Predicate], by join: ([Predicate]) -> Predicate
  ) -> [Predicate] {
    var result: [Predicate] = []
    var behind: [FieldID: (place: Int, parts: [Predicate])] = [:]
    for part in parts {
      guard case .link(let field, let condition) = part else {
        result.append(part)
        continue
      }
      if let known = behind[field] {
        behind[field] = (known.place, known.parts + [condition])
        result[known.place] = .link(field, join(known.parts + [condition]))
      } else {
        behind[field] = (result.count, [condition])
        result.append(part)
      }
    }
    return result
  }

  /// The engine's form of a query.
  func lower(_ query: QueryContent, _ home: ModelBinding) throws(StoreError) -> ObjectQuery {
    var order: [SortKey] = []
    for key in query.order {
      order.append(SortKey(field: try field(key.field, home), descending: key.isDescending))
    }
    return ObjectQuery(
      table: home.tableID, predicate: try lower(query.filter, home), order: order,
      limit: query.countMax, offset: query.offset)
  }
}

extension StoreBinding {
  /// The number of a field, most often one of the model that the query is about.
  func field(_ step: FieldStep, _ home: ModelBinding) throws(StoreError) -> FieldID {
    let binding = step.model.type == home.name.type ? home : try model(step.model)
    guard let position = step.position, position < binding.fields.count else {
      throw .unknownField(model: step.model.name, property: step.name)
    }
    return binding.fields[position]
  }
}
