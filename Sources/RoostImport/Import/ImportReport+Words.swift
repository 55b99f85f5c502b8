extension ImportReport: CustomStringConvertible {
  /// What became of the source's objects in words, a line for each class, then what was not taken as it is.
  public var description: String {
    var lines = classes.map { one in
      var words = one.className == one.model ? one.model : "\(one.className) as \(one.model)"
      words += ": \(one.written) of \(one.inSource) written"
      for (reason, count) in one.leftOut.sorted(by: { $0.key < $1.key }) {
        words += ", \(count) left out: \(reason)"
      }
      return words
    }
    lines += unnamed.map {
      "\($0.className): not named, \($0.count) objects are in the source alone"
    }
    lines += ignored.map { "\($0.className): ignored, with \($0.count) objects" }
    lines += roundings.map { "\($0.className).\($0.property): \($0.count) values rounded" }
    lines += omissions.map { "\($0.className).\($0.property): \($0.count) values left out" }
    lines += definitions.map(\.words)
    return lines.joined(separator: "\n")
  }
}

extension ImportReport.Definition {
  fileprivate var words: String {
    let place = table.map { "\(name) of \($0)" } ?? name
    return switch kind {
    case .view: "view \(place): not read"
    case .trigger: "trigger \(place): it does not run any more"
    case .virtualTable: "virtual table \(place): not read"
    case .shadowTable: "table \(place): not read, it is a virtual table's"
    case .generatedColumn: "generated column \(place): its values were read"
    case .index: "index \(place): a field says `.indexed`, or a model has an `Index`"
    case .uniqueIndex: "unique index \(place): a field says `.unique`"
    }
  }
}

extension ImportChanges: CustomStringConvertible {
  /// The changes in words, a line for each model.
  public var description: String {
    models.map {
      "\($0.name): \($0.inserted) inserted, \($0.updated) updated, \($0.deleted) deleted"
    }
    .joined(separator: "\n")
  }
}
