/// One step in answering a query.
package enum PlanStep: Equatable, Sendable {
  /// No object can match, so none was searched.
  case nothing
  /// All objects of a range of keys match: the tree's counts give their positions.
  case positions(Int)
  /// This many objects were looked up by their keys.
  case keys(Int)
  /// The leaves that may have matches were scanned, column by column.
  case scan
  /// This many entries of a field's index gave the candidates.
  case index(FieldID, entries: UInt64)
  /// This many entries of a table index gave the candidates.
  case tableIndex(TableIndex, entries: UInt64)
  /// The candidates from any of this many indexes were taken.
  case union(Int)
  /// The candidates in all of this many indexes were taken.
  case intersection(Int)
  /// A field's index, or a table index if there is no field, was traversed in order.
  case inOrder(FieldID?, TableIndex?)
  /// The same index was traversed in order, and given up after this many entries, because too few of them matched.
  case gaveUp(FieldID?, TableIndex?, entries: Int)
  /// The first results, this many, were kept in a heap.
  case top(Int)
  /// All matches, this many, were sorted.
  case sort(Int)
}

extension PlanStep {
  /// The step in words.
  func words(_ table: TableDefinition) -> String {
    func name(_ field: FieldID?, _ index: TableIndex?) -> String {
      if let field { return table.field(field)?.name ?? "field \(field)" }
      let fields = index?.fields.map { table.field($0)?.name ?? "field \($0)" } ?? []
      return "(" + fields.joined(separator: ", ") + ")"
    }
    return switch self {
    case .nothing: "no \(table.name) can match"
    case .positions(let count): "\(count) objects of \(table.name) that follow one another"
    case .keys(let count): "\(count) objects of \(table.name) by their keys"
    case .scan: "scan of \(table.name), column by column"
    case .index(let field, let entries): "\(entries) entries of the index of \(name(field, nil))"
    case .tableIndex(let index, let entries):
      "\(entries) entries of the index of \(name(nil, index))"
    case .union(let count): "union of \(count) indexes"
    case .intersection(let count): "intersection of \(count) indexes"
    case .inOrder(let field, let index): "in the order of the index of \(name(field, index))"
    case .gaveUp(let field, let index, let entries):
      "the index of \(name(field, index)) was tried in its order and given up after \(entries) entries"
    case .top(let count): "the first \(count), kept in a heap"
    case .sort(let count): "\(count) results sorted"
    }
  }
}
