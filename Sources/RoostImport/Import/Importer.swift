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
    add(className, of: RealmSource.self, mayBeMissing: mayBeMissing, make)
  }

  /// Makes an object of a model of each object of a class, in a source of a kind.
  package mutating func add<Source: OpenedSource, M: Model>(
    _ className: String, of source: Source.Type, mayBeMissing: Bool,
    _ make: @escaping @Sendable (Source.Object) throws -> M?
  ) {
    mappings.append(ObjectMapping<Source, M>(className: className, make: make))
    if mayBeMissing { optional.insert(className) }
  }

  /// Says that the objects of a class are not wanted. A class that is neither imported nor ignored is reported.
  public mutating func ignore(_ className: String) { ignored.insert(className) }

  /// The classes that become models.
  var named: Set<String> { Set(mappings.map(\.className)) }

  /// The mappings of classes that a source has.
  ///
  /// - Throws: ``ImportError/otherKindOfSource(className:)``; an error of the source for a class that it must have.
  func mappings(in source: any OpenedSource) throws -> [any ClassMapping] {
    let importable = Set(source.importableClasses)
    var present: [any ClassMapping] = []
    for mapping in mappings {
      guard mapping.reads(source) else {
        throw ImportError.otherKindOfSource(className: mapping.className)
      }
      if importable.contains(mapping.className) {
        present.append(mapping)
      } else if !optional.contains(mapping.className) {
        throw source.unknown(mapping.className)
      }
    }
    return present
  }
}

/// The mapping of a class, without its model's type.
protocol ClassMapping: Sendable {
  var className: String { get }
  var modelName: String { get }
  /// Whether it is for sources of this kind.
  func reads(_ source: any OpenedSource) -> Bool
  /// Adds the class's objects to an empty table, one by one.
  func insert(into transaction: WriteTransaction, _ pass: ImportPass) throws
  /// Hands the class's objects to the thread that adds them, many at a time.
  ///
  /// - Parameter place: The place of the mapping among all.
  /// - Throws: ``HandoverEnded`` if it takes no more.
  func send(to steps: Handover<ImportStep>, as place: Int, _ pass: ImportPass) throws
  /// Throws the error for an object that the store refuses, with its place in the source; nothing if it is not found again.
  func throwError(of refused: InsertionRefused, in source: any OpenedSource) throws
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

struct ObjectMapping<Source: OpenedSource, M: Model>: ClassMapping {
  let className: String
  let make: @Sendable (Source.Object) throws -> M?

  var modelName: String { DetachedRows<M>.modelName }

  func insert(into transaction: WriteTransaction, _ pass: ImportPass) throws {
    try walk(pass) { try transaction.insert($0) }
  }

  func send(to steps: Handover<ImportStep>, as place: Int, _ pass: ImportPass) throws {
    var batch = BatchSender(steps) { (first: Int, objects: [M]) in
      ImportStep.insert(ModelBatch(mapping: place, first: first, objects: objects))
    }
    try walk(pass) { try batch.add($0, bytesRead: pass.source.bytesRead ?? 0) }
    // Where the import fails already, what the store would refuse does not matter.
    if !pass.hasGathered { try batch.send() }
  }

  func throwError(of refused: InsertionRefused, in source: any OpenedSource) throws {
    var place = 0
    try walk(ImportPass(source, [className], progress: nil)) { _ in
      if place == refused.place { throw refused.error }
      place += 1
    }
  }

  /// Makes an object of each of the class, and hands it on.
  func walk(_ pass: ImportPass, _ take: (M) throws -> Void) throws {
    guard let source = pass.source as? Source else {
      throw ImportError.otherKindOfSource(className: className)
    }
    try pass.walk(className, of: source, modelName, make, take)
  }

  func reads(_ source: any OpenedSource) -> Bool { source is Source }

  func count(in snapshot: Snapshot) throws -> Int { try snapshot.count(M.all) }
}
