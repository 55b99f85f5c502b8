/// A database of people and groups: each method does the work as someone who knows that database well would write it.
///
/// What a workload needs beyond this stands beside the workload, as a protocol; a database that does not conform to it
/// does not take part. A new database has no indexes, one that is opened has both.
protocol PeopleDatabase: FileDatabase {
  /// Readies the insertion of all of it, in one transaction; what it returns does it, and is what is timed.
  func insertion(of groups: [Group], _ people: [Person]) throws -> () throws -> Void
  /// Adds an index of people's names, and one of their groups.
  func addIndexes() throws
  /// Does what the database wants done after a large load; not timed.
  func settle() throws
}

extension PeopleDatabase {
  func settle() throws {}
}

extension Subject {
  var peopleDatabase: any PeopleDatabase.Type {
    switch self {
    case .roost: RoostPeople.self
    case .sqlite: SQLitePeople.self
    case .lmdb: LMDBPeople.self
    #if GRDB
    case .grdb: GRDBRecordPeople.self
    case .grdbRows: GRDBRowPeople.self
    #endif
    }
  }
}
