internal import Roost
internal import RoostEngine

/// A branch without the type of its objects.
protocol BranchBody<Owner>: Sendable {
  associatedtype Owner: Model
  /// A branch to read.
  func reading(in session: NestedSession) throws(StoreError) -> any BranchReading<Owner>
  /// A branch to write.
  func writing(
    from reader: _Reader, _ format: TextFormat
  ) throws(StoreError) -> any BranchWriting<Owner>
}

/// A branch whose objects are read from a text.
///
/// A class: its levels gather the objects of a part of the text, and write them together.
protocol BranchReading<Owner>: AnyObject {
  associatedtype Owner: Model
  /// The name of the member, in UTF-8.
  var member: [UInt8] { get }
  /// The column of the owner's links; nil where the others link to the owner.
  var column: Int? { get }
  /// Reads the member's value: the objects, and into the owner's rows the links to them.
  func read(
    _ json: inout JSONReader, _ form: JSONReader.Form, in rows: GivenRows, row: Int
  ) throws(TextError)
  /// Writes the objects that the owners link to; does nothing where the others link to the owners.
  func writeTargets() throws(StoreError)
  /// Writes the objects that link to the owners.
  ///
  /// - Parameter owners: The owner's id of each row; nil for one with a mistake.
  func writeSources(of owners: [Owner.ID?]) throws(StoreError)
  /// The number of objects read, those within them included.
  var objectCount: Int { get }
  /// Notes that another of the outermost objects is to be read.
  func mark()
  /// Forgets what was read since then.
  func removeUnmarked()
  /// Forgets the objects.
  func removeAll()
}

/// A branch whose objects are written as text.
protocol BranchWriting<Owner>: AnyObject {
  associatedtype Owner: Model
  /// The name of the member.
  var member: String { get }
  /// The column of the owner's links, which the member is written instead of; nil where the others link to the owner.
  var column: Int? { get }
  /// The value of the member for each owner; nil where the links are to be written as they are.
  func texts(of owners: [Owner]) throws -> [[UInt8]?]
}

/// Checks that the members of an object have different names.
func checkNames(
  _ branches: [String], of model: String, besides fields: [String]
) throws(StoreError) {
  var known = Set(fields)
  for branch in branches where !known.insert(branch).inserted {
    throw .branchInvalid(
      model: model, branch: branch,
      reason: "a field or another branch has this name. "
        + "Give the inverse another one, and name each branch once.")
  }
}
