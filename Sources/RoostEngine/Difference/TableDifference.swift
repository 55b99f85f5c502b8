/// The difference of a table between two versions, by object key.
///
/// An object whose fields are all as they were, bit for bit, has not changed, however often it was written; when that was
/// is no field of its own.
package struct TableDifference: Sendable {
  /// The objects that only the later version has, ascending.
  package internal(set) var insertions: [Int64] = []
  /// The objects that only the earlier version has, ascending.
  package internal(set) var deletions: [Int64] = []
  /// The objects that both versions have, with other values, ascending.
  package private(set) var modifications: [Int64] = []
  /// The objects that were deleted and inserted again under the same identifier, and have another key since;
  /// found where an identifier is no object key. Ascending by the later key.
  package private(set) var replacements: [Replacement] = []
  /// The changed fields of each of ``modifications``.
  private var changedFields: [FieldSets.Place] = []
  /// The sets of fields that ``modifications`` refer to.
  var sets = FieldSets()

  /// An object that was deleted and inserted again under the same identifier.
  package struct Replacement: Equatable, Sendable {
    /// The earlier key.
    package var earlierKey: Int64
    /// The later key.
    package var laterKey: Int64
    /// The fields that changed, ascending; often none.
    package var fields: [FieldID]
  }

  /// No changes.
  package init() {}

  /// Whether nothing changed.
  package var isEmpty: Bool {
    insertions.isEmpty && deletions.isEmpty && modifications.isEmpty && replacements.isEmpty
  }

  /// The fields that changed of the object at a place of ``modifications``, ascending.
  package func fields(ofModification place: Int) -> [FieldID] {
    sets[changedFields[place]]
  }

  /// Adds an object that both versions have.
  mutating func append(modified key: Int64, _ fields: FieldSets.Place) {
    modifications.append(key)
    changedFields.append(fields)
  }

  /// Adds an object whose key changed.
  mutating func append(_ replacement: Replacement) { replacements.append(replacement) }
}

/// The numbers of objects of a table inserted, deleted and changed between two versions.
package struct TableDifferenceCounts: Equatable, Sendable {
  /// The number of objects that only the later version has.
  package var insertions = 0
  /// The number of objects that only the earlier version has.
  package var deletions = 0
  /// The number of objects in both, with other values.
  package var modifications = 0

  /// No changes.
  package init() {}

  /// Adds the counts of further changes.
  mutating func add(_ changes: TableDifference) {
    insertions += changes.insertions.count
    deletions += changes.deletions.count
    modifications += changes.modifications.count
  }
}

/// The sets of fields that changed together: there are few, and many objects have the same.
struct FieldSets: Sendable {
  /// The number of a set; 0 is the empty set.
  typealias Place = UInt32

  private var sets: [[FieldID]] = [[]]
  /// For each set those that have one field more.
  private var larger: [[Place]] = [[]]

  subscript(place: Place) -> [FieldID] { sets[Int(place)] }

  /// A set with one more field, behind all that it has.
  mutating func adding(_ field: FieldID, to set: Place) -> Place {
    for known in larger[Int(set)] where sets[Int(known)].last == field { return known }
    let place = Place(sets.count)
    sets.append(sets[Int(set)] + [field])
    larger.append([])
    larger[Int(set)].append(place)
    return place
  }
}
