internal import Roost

/// A file of another library, opened for an import.
package protocol OpenedSource: AnyObject {
  /// What a mapping makes an object of: an object of a class, or a row of a table.
  associatedtype Object
  /// The classes, or tables, whose objects a mapping may name.
  var importableClasses: [String] { get }
  /// Those of them that the report counts where no mapping names them.
  var countedClasses: [String] { get }
  /// How many objects a class has, as the file states it.
  func count(of className: String) throws -> Int
  /// Hands on the objects of a class, one after another.
  func forEachObject(of className: String, _ body: (Object) throws -> Void) throws
  /// The bytes of the values that were read of the class that is gone through; nil for a source that does not count them, whose
  /// objects are inserted one by one.
  var bytesRead: Int? { get }
  /// The error for a class that the file does not have.
  func unknown(_ className: String) -> any Error
  /// An error of an object's mapping, or of the store, with the object where it happened.
  static func placed(_ error: any Error, at object: Object) -> any Error
  /// Keeps an error of an object's mapping, so that those of other objects are found too; false for one that ends the import.
  func gathers(_ error: any Error) -> Bool
  /// The error for all that was kept; nil if nothing was.
  func gathered() -> (any Error)?
  /// How often values of each property were rounded.
  var countedRoundings: [ImportReport.Rounding] { get }
  /// How many values of each property were left out because the mapping says so.
  var countedOmissions: [ImportReport.Omission] { get }
  /// What else the file defines.
  var definitions: [ImportReport.Definition] { get }
  /// Throws if the file was written to since it was opened.
  func checkUnchanged() throws
}

extension OpenedSource {
  /// Not counted.
  package var bytesRead: Int? { nil }
}

extension RealmSource: OpenedSource {
  package var importableClasses: [String] { classes.map(\.name) }

  package var countedClasses: [String] {
    classes.filter { $0.kind != .embedded }.map(\.name)
  }

  package func forEachObject(of className: String, _ body: (Object) throws -> Void) throws {
    var objects = try objects(className)
    while let object = try objects.next() { try body(object) }
  }

  package func unknown(_ className: String) -> any Error { RealmError.unknownClass(className) }

  package static func placed(_ error: any Error, at object: Object) -> any Error {
    switch error {
    case is RealmError: error
    case let error as StoreError:
      ImportError.notStored(className: object.class.name, object: object.key, error)
    default:
      ImportError.mapping(className: object.class.name, object: object.key, reason: "\(error)")
    }
  }

  package func gathers(_ error: any Error) -> Bool { false }

  package func gathered() -> (any Error)? { nil }

  package var countedRoundings: [ImportReport.Rounding] {
    roundings.map {
      ImportReport.Rounding(className: $0.className, property: $0.property, count: $0.count)
    }
  }

  package var countedOmissions: [ImportReport.Omission] { [] }

  package var definitions: [ImportReport.Definition] { [] }
}
