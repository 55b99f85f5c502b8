import Foundation
import RoostDynamic
import RoostModels
import RoostTestSupport
import Testing

/// Stores that `roost import` makes of the samples, compared with tables that are computed from the samples' texts.
@Suite struct ImportedSampleTests {
  @Test(arguments: RealmSamples.names)
  func aStoreOfASampleHasTheTablesOfItsText(name: String) throws {
    let file = try TemporaryFile(RealmSamples.bytes(name + ".realm"))
    let folder = try TemporaryFolder()
    let path = folder.file("sample.roost")
    let result = try ForeignImport(of: file.url.path, to: path) { _, _, _ in }
    let text = try SampleText(RealmSamples.bytes(RealmSamples.textName(of: name)))
    let snapshot = try DynamicStore(path).snapshot()
    // Embedded objects are within others, but for those that no struct can be.
    let expected = text.tables.values.filter { $0.isClass && $0.kind == "object" }.map(\.className)
    let found = Set(result.counts.map(\.source))
    #expect(found.isSuperset(of: expected))
    #expect(snapshot.tables.map(\.name) == result.counts.map(\.model))
    for counts in result.counts {
      let table = try #require(text.tables["class_" + counts.source])
      #expect(counts.objects == table.objects.count, "\(counts.source)")
      let comparison = SampleComparison(text: text, table: table)
      let differences = try comparison.differences(from: snapshot, counts.model)
      #expect(differences == [], "\(counts.source)")
    }
  }
}

/// The differences between the objects of a table and those that a text has.
private struct SampleComparison {
  let text: SampleText
  let table: SampleText.Table

  /// The first few differences.
  func differences(from snapshot: DynamicSnapshot, _ model: String) throws -> [String] {
    let fields = try #require(snapshot.table(model)).fields
    var keys: [DynamicValue: Int64] = [:]
    for key in table.objects.keys { keys[text.key(of: key, in: table)] = key }
    var differences: [String] = []
    var count = 0
    for object in try snapshot.objects(DynamicQuery(model)) {
      count += 1
      guard let key = keys[try object.key], let cells = table.objects[key] else {
        differences.append("\(model) \(try object.key.json) is not in the text")
        continue
      }
      var values = Array(zip(fields, try object.values))[...]
      if fields.first?.isKey == true { values.removeFirst() }
      for (column, cell) in zip(table.columns, cells) where !isKey(column) {
        let name = values.first?.0.name ?? "nothing"
        if !isEqual(column, cell, &values) {
          differences.append("\(model) \(key).\(name) is not \(cell)".prefix(600).description)
        }
      }
      #expect(values.isEmpty)
      guard differences.count < 3 else { break }
    }
    if count != table.objects.count { differences.append("\(count) objects of \(model)") }
    return differences
  }

  private func isKey(_ column: SampleText.Column) -> Bool {
    column.name == table.primaryKey && !table.hasNullKey
  }

  /// Whether the first of some values, or the first values, are those of a column; removes them.
  ///
  /// - Parameter cell: The text's value; nil where the struct that the column is in is missing.
  private func isEqual(
    _ column: SampleText.Column, _ cell: SampleValue?,
    _ values: inout ArraySlice<(DynamicField, DynamicValue)>
  ) -> Bool {
    guard let (field, value) = values.popFirst() else { return false }
    let target = column.target.flatMap { text.tables[$0] }
    if let target, target.kind == "embedded", column.collection == nil, field.type == .bool {
      let row = cell?.link.flatMap { text.tables[$0.table]?.objects[$0.key] }
      var isSame = cell == nil ? value == .null : value == .bool(row != nil)
      for (place, column) in target.columns.enumerated() {
        isSame = isEqual(column, row?[place], &values) && isSame
      }
      return isSame
    }
    guard let cell else { return value == .null || value == .list([]) }
    if column.collection == "set", case .links(let target) = field.type,
      case .list(let cells) = cell, case .list(let keys) = value
    {
      return Set(cells.compactMap { key($0, to: target) }) == Set(keys)
        && keys.count == cells.count
    }
    return isEqual(cell, value, field.type)
  }

  private func isEqual(
    _ cell: SampleValue, _ value: DynamicValue, _ type: DynamicType, _ isElement: Bool = false
  ) -> Bool {
    switch (cell, value, type) {
    case (_, .json(let json), _):
      guard let any = try? SampleValue(Array(json.utf8)) else { return false }
      return cell.isAny(any)
    case (.null, .null, _): return true
    case (.list(let cells), .list(let values), .links(let target)):
      return cells.compactMap { key($0, to: target) } == values
    case (.list(let cells), .list(let values), .list(let element)):
      return cells.count == values.count
        && zip(cells, values).allSatisfy { isEqual($0, $1, element.type, true) }
    case (.list(let cells), .list(let values), .set(let element)):
      // Sets have no order.
      return cells.count == values.count
        && cells.allSatisfy { cell in values.contains { isEqual(cell, $0, element.type, true) } }
    case (.dictionary(let cells), .dictionary(let entries), .dictionary(let key, let element)):
      return cells.count == entries.count
        && cells.allSatisfy { cell in
          entries.contains {
            isEqual(cell.key, $0.key, key.type)
              && isEqual(cell.value, $0.value, element.type, true)
          }
        }
    case (.link(let table, let key), .record(let parts), .record(let types)):
      guard let embedded = text.tables[table], let row = embedded.objects[key] else { return false }
      var values = types.map { type in
        (
          DynamicField(type.name, type.type),
          parts.first { $0.name == type.name }?.value ?? .null
        )
      }[...]
      return zip(embedded.columns, row).allSatisfy { isEqual($0, $1, &values) } && values.isEmpty
    case (.link(_, let key), .int(let number), .int): return key == number
    case (.link, _, .link(let target)): return key(cell, to: target) == value
    default: return cell.isEqual(value, isElement: isElement)
    }
  }

  private func key(_ cell: SampleValue, to model: String) -> DynamicValue? {
    guard let link = cell.link, let table = text.tables[link.table],
      table.objects[link.key] != nil
    else { return nil }
    return text.key(of: link.key, in: table)
  }
}
