/// The objects of a table that a transaction inserted, changed or deleted, where they are few.
///
/// Observers need to compare only these objects. Objects that were written without a change may be among them.
final class WriteSet: Sendable {
  let table: UInt32
  /// Their keys, ascending, each once.
  let keys: [Int64]

  init(table: UInt32, keys: [Int64]) {
    self.table = table
    self.keys = keys.ascending().withoutRepetitions
  }

  /// Of more objects than this the leaves that changed tell as soon.
  static let countMax = 16
}

extension TableChanges {
  /// Appends the keys of all objects that are changed; they may repeat. Nil where there are too many.
  func appendKeys(to touched: inout [Int64]?) {
    var count = insertCount + deletes.count
    for update in updates { count += update.keys.count }
    guard var keys = touched, keys.count + count <= WriteSet.countMax else {
      touched = nil
      return
    }
    touched = nil
    for place in 0..<insertCount { keys.append(insertKey(place)) }
    keys += deletes
    for update in updates { keys += update.keys }
    touched = keys
  }
}
