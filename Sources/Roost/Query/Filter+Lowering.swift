internal import RoostEngine

/// Translates a query over key paths to the engine's predicate over field numbers.
///
/// A comparison through links becomes a condition on the target. The engine's `link` is false if the
/// link is nil; conditions that hold for nil there (`owner?.name != "Ann"`, `owner?.nickname == nil`) become
/// the negation of a condition that does not.
extension QueryLowering {
  /// The engine's form of a filter.
  func lower(_ filter: Filter) throws(StoreError) -> Predicate {
    switch filter {
    case .always(let holds): return .always(holds)
    case .compare(let term, let comparison, let value):
      if let own = try ownField(term) {
        return try behind(own.links, .compare(own.field, comparison, stored(value, as: term)))
      }
      return .comparison(try lower(term), comparison, .constant(value))
    case .isNull(let term):
      if let own = try ownField(term) {
        guard !own.links.isEmpty else { return .isNull(own.field) }
        return .not(try behind(own.links, .not(.isNull(own.field))))
      }
      return .comparison(try lower(term), .equal, .constant(.null))
    case .oneOf(let term, let values):
      if let own = try ownField(term) {
        return try behind(own.links, .oneOf(own.field, try stored(values, as: term)))
      }
      return .membership(try lower(term), values)
    case .text(let term, let match, let text):
      return try lower(term, match, Array(text.utf8))
    case .beginning(let term, let bytes):
      guard let path = term.path else { return .always(false) }
      guard let bytes else {
        throw .queryInvalid(
          model: path.field.model.name,
          reason: "begins(with:) takes the first parts of the key, with their types")
      }
      return try lower(term, .prefix, bytes)
    case .matches(let term, let pattern):
      if let own = try ownField(term) {
        return try behind(own.links, .matches(.field(own.field), pattern))
      }
      return .matches(try lower(term), pattern)
    case .comparison(let first, let comparison, let second):
      return .comparison(try lower(first), comparison, try lower(second))
    case .related(let path, let model, let condition):
      guard try distance(of: path) == 0 else {
        // A predicate concerns the inner object, but a number of the outer object can be compared.
        let count = try related(path, model, .count, nil, condition)
        return .comparison(count, .greater, .constant(.integer(0)))
      }
      let predicate = try inside(path, try binding.model(model)).lower(condition)
      let innermost: Predicate =
        switch try relation(path.end) {
        case .links(let field): .links(field, predicate)
        case .inverse(let table, let field): .inverse(table: table, field: field, predicate)
        }
      return try behind(path.links, innermost)
    case .and(let parts): return .and(try lower(parts, areAllAsked: true))
    case .or(let parts): return .or(try lower(parts, areAllAsked: false))
    case .not(let part): return .not(try lower(part))
    case .tooDeep: throw .tooDeep(home)
    }
  }

  private func lower(
    _ term: ExpressionTerm, _ match: TextMatch, _ bytes: [UInt8]
  ) throws(StoreError) -> Predicate {
    if let own = try ownField(term) { return try behind(own.links, .text(own.field, match, bytes)) }
    return .textMatch(try lower(term), match, bytes)
  }

  /// The parts of a condition. Those through the same link are joined: they concern the same target, which is then read
  /// once.
  private func lower(
    _ parts: [Filter], areAllAsked: Bool
  ) throws(StoreError) -> [Predicate] {
    var result: [Predicate] = []
    var links: [FieldID] = []
    var places: [Int] = []
    for part in parts {
      let predicate = try lower(part)
      guard case .link(let field, let condition) = predicate else {
        result.append(predicate)
        continue
      }
      guard let known = links.firstIndex(of: field),
        case .link(_, let others) = result[places[known]]
      else {
        links.append(field)
        places.append(result.count)
        result.append(predicate)
        continue
      }
      let joined: Predicate
      switch others {
      case .and(let inner) where areAllAsked: joined = .and(inner + [condition])
      case .or(let inner) where !areAllAsked: joined = .or(inner + [condition])
      default: joined = areAllAsked ? .and([others, condition]) : .or([others, condition])
      }
      result[places[known]] = .link(field, joined)
    }
    return result
  }

  /// A constant in the form of the field that it is compared with: a collection may have more parts in the file, which are nil
  /// in the constant.
  private func stored(
    _ constant: Value, as term: ExpressionTerm
  ) throws(StoreError) -> Value {
    guard let step = term.path?.field, let position = step.position,
      case .bytes(let bytes) = constant
    else { return constant }
    let model = try binding.model(step.model)
    guard let merge = model.merge(position, in: model.table) else { return constant }
    let column = ColumnBuffer(type: .bytes)
    column.append(.bytes(bytes))
    // A constant that cannot be stored equals no stored value, and stays unchanged.
    return (try? merge.stored(column.bytes(0), insteadOf: nil)).map { .bytes($0) } ?? constant
  }

  private func stored(
    _ constants: [Value], as term: ExpressionTerm
  ) throws(StoreError) -> [Value] {
    var stored: [Value] = []
    stored.reserveCapacity(constants.count)
    for constant in constants { stored.append(try self.stored(constant, as: term)) }
    return stored
  }

  /// A field of the object itself, or of an object read through links.
  private struct OwnField {
    let links: [FieldStep]
    let field: FieldID
  }

  /// The object's own field that a term reads; nil if it reads none.
  ///
  /// The key of a target with integer keys is the link's own value, so the target is not read.
  private func ownField(_ term: ExpressionTerm) throws(StoreError) -> OwnField? {
    guard let path = term.path, isOwn(path) else { return nil }
    if let link = path.links.last {
      let target = try binding.model(path.field.model)
      if target.hasIntegerKey, path.field.position == target.keyPosition {
        var links = path.links
        links.removeLast()
        return OwnField(links: links, field: try field(link))
      }
    }
    return OwnField(links: path.links, field: try field(path.field))
  }

  /// The condition on the object that some links lead to.
  private func behind(
    _ links: [FieldStep], _ innermost: Predicate
  ) throws(StoreError) -> Predicate {
    var predicate = innermost
    for link in links.reversed() { predicate = .link(try field(link), predicate) }
    return predicate
  }
}
