public import Roost

/// Says which classes of a source become which models.
///
/// ```swift
/// importer.objects("Person") { Person(id: try $0.id(), name: try $0["name"], age: try $0["age"]) }
/// importer.objects("Dog") {
///   guard try $0["name"] != "" else { throw LeftOut("no name") }
///   return Dog(id: try $0.id(), name: try $0["name"], owner: try $0.link("owner"))
/// }
/// importer.ignore("Thumbnail")
/// ```
///
/// The order of the classes does not matter: links may lead to objects that come later.
public struct Importer: Sendable {
  private(set) var mappings: [any ClassMapping] = []
  private(set) var ignored: Set<String> = []
  private(set) var optional: Set<String> = []

  init(_ mapping: (inout Importer) -> Void) { mapping(&self) }

  /// Makes an object of a model of each object of a class.
  ///
  /// - Parameters:
  ///   - className: The class, under its name in the file.
  ///   - mayBeMissing: Whether files are imported too that have no such class, as of an older release of the app.
  ///   - make: Makes the object. An object for which it returns nil, or throws ``LeftOut``, is left out, and counted; any
  ///     other error ends the import. It may be called several times for an object.
  public mutating func objects<M: Model>(
    _ className: String, mayBeMissing: Bool = false,
    _ make: @escaping @Sendable (RealmSource.Object) throws -> M?
  ) {
    mappings.append(ObjectMapping(className: className, make: make))
    if mayBeMissing { optional.insert(className) }
  }

  /// Says that the objects of a class are not wanted. A class that is neither imported nor ignored is reported.
  public mutating func ignore(_ className: String) { ignored.insert(className) }

  /// The classes that become models.
  var named: Set<String> { Set(mappings.map(\.className)) }

  /// The mappings of classes that a source has.
  ///
  /// - Throws: ``RealmError/unknownClass(_:)`` for one that it must have.
  func mappings(in source: RealmSource) throws(RealmError) -> [any ClassMapping] {
    var present: [any ClassMapping] = []
    for mapping in mappings {
      if source.class(mapping.className) != nil {
        present.append(mapping)
      } else if !optional.contains(mapping.className) {
        throw .unknownClass(mapping.className)
      }
    }
    return present
  }
}

/// The mapping of a class, without its model's type.
protocol ClassMapping: Sendable {
  var className: String { get }
  var modelName: String { get }
  /// Adds the class's objects to an empty table.
  func insert(into transaction: WriteTransaction, _ pass: ImportPass) throws
  /// The number of the model's objects in a store.
  func count(in snapshot: Snapshot) throws -> Int
  /// Adds the objects that a store does not have, updates the others, and gathers the ids of all.
  ///
  /// - Returns: The number of objects that were left as they are, because another one has a unique value of theirs.
  func refresh(
    _ transaction: WriteTransaction, _ pass: ImportPass, _ ids: inout IDsOfSource
  ) throws -> Int
  /// The same, without gathering ids, or throwing the error of the first that would be left as it is.
  func refreshAgain(
    _ transaction: WriteTransaction, _ pass: ImportPass, throwsConflicts: Bool
  ) throws -> Int
  /// Compares the objects with those of a store, and gathers their ids.
  func compare(
    with snapshot: Snapshot, _ pass: ImportPass, _ ids: inout IDsOfSource,
    _ comparison: inout ImportComparison
  ) throws
}

struct ObjectMapping<M: Model>: ClassMapping {
  let className: String
  let make: @Sendable (RealmSource.Object) throws -> M?

  var modelName: String { DetachedRows<M>.modelName }

  func insert(into transaction: WriteTransaction, _ pass: ImportPass) throws {
    try walk(pass) { try transaction.insert($0) }
  }

  /// Makes an object of each of the class, and hands it on.
  func walk(_ pass: ImportPass, _ take: (M) throws -> Void) throws {
    try pass.walk(className, modelName, make, take)
  }

  func count(in snapshot: Snapshot) throws -> Int { try snapshot.count(M.all) }
}
