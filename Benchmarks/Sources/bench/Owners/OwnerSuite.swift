/// Owners whose items go with them: what a delete rule does when nearly everything belongs to one.
final class OwnerSuite: Suite {
  private let objects: Int
  private let setting: SuiteSetting

  /// Another owner has so many items, which stay.
  static let kept = 1000

  init(objects: Int, _ setting: SuiteSetting) {
    self.objects = objects
    self.setting = setting
  }

  var workloads: [Workload] {
    [
      Workload(
        name: "cascade-delete", title: "delete an owner, and \(grouped(objects)) items with it",
        unit: .milliseconds, objects: objects, warmsUp: false
      ) { [self] subject, _ in
        let path = setting.path(subject, "owners")
        try DatabaseFiles.remove(subject.files(at: path))
        guard let database = try subject.ownerDatabase?.init(creating: path) else { return nil }
        try database.fill(items: objects, ofFirst: objects - Self.kept)
        let time = try ContinuousClock().measure { try database.deleteFirstOwner() }
        let left = try database.itemCount()
        try database.close()
        return Sample(value: Unit.milliseconds.value(time), answer: Answer(left))
      }
    ]
  }

  func close() throws {}
}

/// A database of two owners and their items.
protocol OwnerDatabase: FileDatabase {
  /// Adds two owners and items with ascending ids, the first of which belong to the first owner.
  func fill(items count: Int, ofFirst countOfFirst: Int) throws
  /// Deletes the first owner in one durable transaction; what belongs to it goes by the database's own rule.
  func deleteFirstOwner() throws
  /// How many items there are.
  func itemCount() throws -> Int
}

extension Subject {
  /// Nil for those that do not take part: LMDB knows no links.
  var ownerDatabase: (any OwnerDatabase.Type)? {
    switch self {
    case .roost: RoostOwners.self
    case .sqlite: SQLiteOwners.self
    default: nil
    }
  }
}
