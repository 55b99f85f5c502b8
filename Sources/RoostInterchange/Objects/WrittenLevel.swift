internal import Roost
internal import RoostEngine

/// The objects of one branch, or the outermost ones, as text.
final class WrittenLevel<M: Model> {
  let reader: _Reader
  private let rows: DetachedRows<M>
  private let shape: RecordShape
  private let times: TimeForm
  private let branches: [any BranchWriting<M>]
  /// The column that is not written.
  private let omitted: Int?

  init(
    _ branches: [Branch<M>], from reader: _Reader, _ format: TextFormat,
    without omitted: Int? = nil
  ) throws(StoreError) {
    self.reader = reader
    self.omitted = omitted
    rows = try DetachedRows(blobs: reader)
    shape = try format.shape(rows.shape, of: DetachedRows<M>.modelName)
    times = format.dates.engine
    var made: [any BranchWriting<M>] = []
    for branch in branches { made.append(try branch.body.writing(from: reader, format)) }
    self.branches = made
    let linking = made.compactMap(\.column)
    try checkNames(
      made.map(\.member), of: DetachedRows<M>.modelName,
      besides: shape.members.filter { member in
        !member.content.columns.contains(where: linking.contains)
      }.map { String(decoding: $0.key, as: UTF8.self) })
  }

  /// The text of each object, with the objects within it: one pass for each branch over its model.
  func texts(of objects: [M]) throws -> [[UInt8]] {
    var members: [(branch: any BranchWriting<M>, texts: [[UInt8]?])] = []
    for branch in branches { members.append((branch, try branch.texts(of: objects))) }
    var texts: [[UInt8]] = []
    texts.reserveCapacity(objects.count)
    for (place, object) in objects.enumerated() {
      rows.columns.removeAll()
      try rows.append(object)
      var text: [UInt8] = []
      text.addRecord(
        shape, rows.columns, row: 0, times: times, without: omitted
      ) { column in
        members.first { $0.branch.column == column }?.texts[place]
      }
      // The last byte closes the object, which has a key.
      text.removeLast()
      for member in members where member.branch.column == nil {
        text.add(",")
        text.addString(member.branch.member)
        text.add(":")
        text += member.texts[place] ?? []
      }
      text.add("}")
      texts.append(text)
    }
    return texts
  }
}

extension [UInt8] {
  /// An array of values.
  init(elements: ArraySlice<[UInt8]>) {
    self = [UInt8(ascii: "[")] + elements.joined(separator: [UInt8(ascii: ",")])
    append(UInt8(ascii: "]"))
  }
}
