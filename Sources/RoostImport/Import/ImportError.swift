public import Roost

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error in making a store of another library's file, besides those of the file (such as ``RealmError``) and of the store
/// (``/Roost/StoreError``).
@nonexhaustive
public enum ImportError: Error, Equatable, Sendable {
  /// The volume has too little free space for the new store.
  case notEnoughSpace(path: String, needed: UInt64, available: UInt64)
  /// The file that is to be imported does not exist.
  case noSource(path: String)
  /// The store already begins with a seed.
  case seeded(path: String)
  /// A class is mapped from another kind of file than the source is: `objects` is for Realm, `rows` for SQLite,
  /// `rows(of:)` for Core Data, and `records` for JSON and CSV.
  case otherKindOfSource(className: String)
  /// What makes the objects of a class threw an error: the object key, and the error in words.
  case mapping(className: String, object: Int64, reason: String)
  /// The store refused an object: the class and object key in the source, and the store's error.
  case notStored(className: String, object: Int64, StoreError)
  /// The new store does not have as many objects of a model as were written to it.
  case countMismatch(model: String, written: Int, found: Int)
  /// The store was not made of this source.
  case notImported(path: String)
  /// The source has objects that are nowhere else: the classes that the mapping did not name.
  case incomplete(path: String, unnamed: [String])
  /// The source was changed since it was imported.
  case changedSince(path: String)
  /// A file of the source could not be removed; the system's reason.
  case cannotRemove(path: String, reason: String)
}

extension ImportError: CustomStringConvertible, LocalizedError {
  /// The same as ``message``.
  public var description: String { message }

  /// The same as ``message``, for code that shows errors through Foundation.
  public var errorDescription: String? { message }

  /// What happened, and what to do next.
  public var message: String { words.withoutControlCharacters }

  private var words: String {
    switch self {
    case .notEnoughSpace(let path, let needed, let available):
      "The store at \"\(path)\" needs about \(needed) bytes, and \(available) are free. "
        + "Nothing was imported; free some space, and open the store again."
    case .noSource(let path): "There is no file \"\(path)\" to import."
    case .seeded(let path):
      "The store at \"\(path)\" begins with a seed, so nothing can be imported into it. Name its location without the seed."
    case .otherKindOfSource(let className):
      "The mapping of \"\(className)\" is for another kind of file. Use `objects` for a Realm file, "
        + "`rows` for an SQLite file, `rows(of:)` for a Core Data store, and `records` for JSON and CSV."
    case .mapping(let className, let object, let reason):
      "Making an object of \(className) \(object) failed: \(reason). Nothing was imported."
    case .notStored(let className, let object, let error):
      "\(className) \(object) could not be stored. \(error.message)"
    case .countMismatch(let model, let written, let found):
      "\(written) objects of \(model) were written, and the store has \(found). It was discarded."
    case .notImported(let path):
      "\"\(path)\" is not the file that this store was imported from, and is left as it is."
    case .incomplete(let path, let unnamed):
      "\"\(path)\" has objects that were not imported: \(unnamed.joined(separator: ", ")). "
        + "Name these classes in the mapping, with `objects` or `ignore`, and refresh the store."
    case .changedSince(let path):
      "\"\(path)\" was changed after it was imported. Refresh the store from it, and remove it then."
    case .cannotRemove(let path, let reason): "\"\(path)\" could not be removed: \(reason)."
    }
  }
}
