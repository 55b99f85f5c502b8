/// A database under test: each method does the workload as someone who knows that database well would write it.
///
/// Every method returns what it found, so that the harness can compare the databases' answers.
protocol Subject: AnyObject {
  static var name: String { get }

  /// Creates an empty database in place of whatever is at the path, with commits that survive a power cut.
  init(path: String) throws

  /// Stores all of it in one transaction.
  func insert(_ groups: [Group], _ people: [Person]) throws
  /// Does what the database wants done after a large load; not timed.
  func settle() throws
  /// The bytes of its file.
  func fileBytes() throws -> Int
  func close() throws

  /// The sum of id and age over the people with these ids, looked up one by one in one transaction.
  func sumOfIDAndAge(ids: [Int]) throws -> Int
  /// How many people are that old.
  func count(age: Int) throws -> Int
  /// sum(score), avg(age) and max(createdAt) of all people.
  func aggregate() throws -> (scoreSum: Double, averageAge: Double, latest: Int)

  /// One person in a transaction of its own, durable when this returns.
  func insertDurably(_ person: Person) throws
  /// One field of one person in a transaction of its own, durable when this returns.
  func updateDurably(id: Int, age: Int) throws
}
