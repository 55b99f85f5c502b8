internal import RoostEngine

/// From a query over key paths to the engine's predicate over field numbers.
///
/// A comparison behind links becomes a condition on the target. The engine's `link` is false where the
/// link is nil; conditions that hold for nil there (`owner?.name != "Ann"`, `owner?.nickname == nil`) are
/// the negation of one that does not.
extension StoreBinding {
  /// The engine's form of a filter of objects of a model.
  func lower(_ filter: Filter, _ home: ModelBinding) throws(StoreError) -> Predicate {
    try lower(filter, QueryObjects(home))
  }

  fileprivate func lower(
    _ filter: Filter, _ objects: QueryObjects
  ) throws(StoreError) -> Predicate {
    let home = objects.home
    switch filter {
    case .always(let holds): return .always(holds)
    case .compare(.path(let path), let comparison, let value) where isInside(path, objects):
      if path.links.isEmpty { return .compare(try field(path.field, home), comparison, value) }
      return try lower(path, home) { .compare($0, comparison, value) }
    case .isNull(.path(let path)) where isInside(path, objects):
      guard !path.links.isEmpty else { return .isNull(try field(path.field, home)) }
      return .not(try lower(path, home) { .not(.isNull($0)) })
    case .oneOf(.path(let path), let values) where isInside(path, objects):
      return try lower(path, home) { .oneOf($0, values) }
    case .text(.path(let path), let match, let text) where isInside(path, objects):
      let bytes = Array(text.utf8)
      return try lower(path, home) { .text($0, match, bytes) }
    case .matches(.path(let path), let pattern) where isInside(path, objects):
      return try lower(path, home) { .matches(.field($0), pattern) }
    case .beginning(.path(let path), let bytes) where isInside(path, objects):
      return try lower(path, home) { .text($0, .prefix, bytes) }
    case .compare(let term, let comparison, let value):
      return .comparison(try lower(term, objects), comparison, .constant(value))
    case .isNull(let term): return .comparison(try lower(term, objects), .equal, .constant(.null))
    case .oneOf(let term, let values): return .membership(try lower(term, objects), values)
    case .text(let term, let match, let text):
      return .textMatch(try lower(term, objects), match, Array(text.utf8))
    case .matches(let term, let pattern): return .matches(try lower(term, objects), pattern)
    case .beginning(let term, let bytes):
      guard term.path != nil else { return .always(false) }
      return .textMatch(try lower(term, objects), .prefix, bytes)
    case .comparison(let first, let comparison, let second):
      return .comparison(try lower(first, objects), comparison, try lower(second, objects))
    case .related(let path, let model, let condition):
      let distance = try distance(of: path.root, nil, objects, path.name)
      guard distance == 0 else {
        // A predicate is about the object inside, but a number of that outside can be compared.
        let count = ExpressionTerm.related(
          path, model, .count, .path(path.key(of: model)), condition)
        return .comparison(try lower(count, objects), .greater, .constant(.integer(0)))
      }
      let inner = objects.inside(path, try self.model(model))
      let predicate = try lower(condition, inner)
      let innermost: Predicate =
        switch try relation(path.end, home) {
        case .links(let field): .links(field, predicate)
        case .inverse(let table, let field): .inverse(table: table, field: field, predicate)
        }
      return try behind(path.links, home, innermost)
    case .and(let parts): return .and(merged(try lower(parts, objects), by: Predicate.and))
    case .or(let parts): return .or(merged(try lower(parts, objects), by: Predicate.or))
    case .not(let part): return .not(try lower(part, objects))
    }
  }

  private func lower(
    _ parts: [Filter], _ objects: QueryObjects
  ) throws(StoreError) -> [Predicate] {
    var predicates: [Predicate] = []
    for part in parts { predicates.append(try lower(part, objects)) }
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
    return try behind(links, home, condition(try field(last, home)))
  }

  /// The condition on the object that some links lead to.
  private func behind(
    _ links: [FieldStep], _ home: ModelBinding, _ innermost: Predicate
  ) throws(StoreError) -> Predicate {
    var predicate = innermost
    for link in links.reversed() { predicate = .link(try field(link, home), predicate) }
    return predicate
  }

  private func relation(
    _ end: RelationPath.End, _ home: ModelBinding
  ) throws(StoreError) -> RoostEngine.Relation {
    switch end {
    case .links(let step): return .links(try field(step, home))
    case .inverse(let step):
      return .inverse(table: try model(step.model).tableID, field: try field(step, home))
    }
  }

  /// The engine's form of a value that is calculated of objects of a model.
  func lower(_ term: ExpressionTerm, _ home: ModelBinding) throws(StoreError) -> ColumnExpression {
    try lower(term, QueryObjects(home))
  }

  private func lower(
    _ term: ExpressionTerm, _ objects: QueryObjects
  ) throws(StoreError) -> ColumnExpression {
    try lower(term, objects) { (value) throws(StoreError) in value._constant.value }
  }

  /// The engine's form of a value that is calculated of objects of a model, with constants in a form of their own.
  func lower(
    _ term: ExpressionTerm, _ home: ModelBinding,
    constant: (any Storable) throws(StoreError) -> Value
  ) throws(StoreError) -> ColumnExpression {
    try lower(term, QueryObjects(home), constant: constant)
  }

  private func lower(
    _ term: ExpressionTerm, _ objects: QueryObjects,
    constant: (any Storable) throws(StoreError) -> Value
  ) throws(StoreError) -> ColumnExpression {
    func lower(_ term: ExpressionTerm) throws(StoreError) -> ColumnExpression {
      try self.lower(term, objects, constant: constant)
    }
    switch term {
    case .path(let path):
      let distance = try distance(of: path, objects)
      let home = objects.outside(distance).home
      return try behind(path.links, home, .field(try field(path.field, home))).read(from: distance)
    case .constant(let value): return .constant(try constant(value.value))
    case .arithmetic(let operation, let numbers, let a, let b):
      return .arithmetic(operation, numbers, try lower(a), try lower(b))
    case .conversion(let source, let target, let number):
      return .conversion(source, target, try lower(number))
    case .concatenation(let a, let b): return .concatenation(try lower(a), try lower(b))
    case .coalescing(let a, let b): return .coalescing(try lower(a), try lower(b))
    case .folded(let folding, let text): return .folded(folding, try lower(text))
    case .elements(let collection, let function, let part, let filter):
      // Of elements within a question about elements, none knows whose they are.
      guard let path = collection.path, !objects.isAroundElements else {
        throw .unknownField(model: objects.home.name.name, property: collection.name)
      }
      let distance = try distance(of: path, objects)
      let owner = objects.outside(distance)
      let elements = ElementLowering(model: owner.home.name.name)
      let condition = try elements.lower(filter) { (term) throws(StoreError) in
        try self.lower(term, owner.aroundElements(behind: path.links), constant: constant)
      }
      return try behind(
        path.links, owner.home,
        .elements(
          try field(path.field, owner.home), function, of: try part.map(elements.field) ?? 0,
          where: condition)
      ).read(from: distance)
    // Of a single object, no group gives anything, and there is no element.
    case .grouped, .element:
      throw .unknownField(model: objects.home.name.name, property: term.name)
    case .related(let path, let target, let function, let value, let filter):
      let distance = try distance(of: path.root, nil, objects, path.name)
      let owner = objects.outside(distance)
      let inner = owner.inside(path, try model(target))
      // The key of every object is there, whatever it is stored as.
      let counted: ColumnExpression =
        function == .count ? .field(0) : try self.lower(value, inner, constant: constant)
      let innermost = ColumnExpression.related(
        try relation(path.end, owner.home), function, counted, where: try self.lower(filter, inner))
      return try behind(path.links, owner.home, innermost).read(from: distance)
    }
  }

  private func behind(
    _ links: [FieldStep], _ home: ModelBinding, _ innermost: ColumnExpression
  ) throws(StoreError) -> ColumnExpression {
    var expression = innermost
    for link in links.reversed() { expression = .target(try field(link, home), expression) }
    return expression
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
    var lowered =
      if let origin = query.origin { try origin.query(of: home.name.name, in: catalog) } else {
        ObjectQuery(table: home.tableID)
      }
    let condition = try lower(query.filter, home)
    switch lowered.predicate {
    case .always(true): lowered.predicate = condition
    case let first:
      lowered.predicate = condition == .always(true) ? first : .and([first, condition])
    }
    for key in query.order {
      lowered.order.append(
        SortKey(
          try lower(key.value, home), descending: key.isDescending, collation: key.collation))
    }
    lowered.limit = query.countMax
    lowered.offset = query.offset
    return lowered
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
