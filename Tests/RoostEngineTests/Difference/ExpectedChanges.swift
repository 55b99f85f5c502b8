import RoostEngine
import Testing

/// What changed between two states of a table, by comparing every value.
struct ExpectedChanges: Equatable {
  var insertions: [Int64] = []
  var deletions: [Int64] = []
  var modifications: [Int64] = []
  var fields: [[FieldID]] = []

  /// The difference of two dictionaries.
  init(from earlier: [Int64: [Value]], to later: [Int64: [Value]], _ shape: TableShape) {
    insertions = later.keys.filter { earlier[$0] == nil }.sorted()
    deletions = earlier.keys.filter { later[$0] == nil }.sorted()
    for (key, values) in later.sorted(by: { $0.key < $1.key }) {
      guard let old = earlier[key] else { continue }
      let changed = shape.fields.indices.filter { !values[$0].isIdentical(to: old[$0]) }
      guard !changed.isEmpty else { continue }
      modifications.append(key)
      fields.append(changed.map { shape.fields[$0].id })
    }
  }

  /// What the engine says.
  init(_ changes: TableDifference) {
    insertions = changes.insertions
    deletions = changes.deletions
    modifications = changes.modifications
    fields = changes.modifications.indices.map { changes.fields(ofModification: $0) }
  }
}
