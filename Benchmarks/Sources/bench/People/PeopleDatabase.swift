/// A database of people and groups: each method does the work as someone who knows that database well would write it.
///
/// What a workload needs beyond this stands beside the workload, as a protocol; a database that does not conform to it
/// does not take part.
protocol PeopleDatabase: AnyObject {
  /// Its version and settings.
  static var description: String { get }

  /// Creates an empty database at a path where there is none, without indexes. Its commits survive a power cut.
  init(creating path: String) throws
  /// Opens the database at a path, with its indexes.
  init(opening path: String) throws

  /// Readies the insertion of all of it, in one transaction; what it returns does it, and is what is timed.
  func insertion(of groups: [Group], _ people: [Person]) throws -> () throws -> Void
  /// Adds an index of people's names, and one of their groups.
  func addIndexes() throws
  /// Does what the database wants done after a large load; not timed.
  func settle() throws
  func close() throws

  /// The files of the database at a path.
  static func files(at path: String) -> [String]
}
