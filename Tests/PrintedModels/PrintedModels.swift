import Foundation
import Roost
import RoostDynamic
import RoostImport

/// The models that `roost models` printed for a file; `samples.py` writes the conformances.
protocol PrintedModels: SendableMetatype {
  /// The printed function; it makes the store of the file, unless there is one at the path.
  static func open(_ path: String, importing url: URL, key: Data?) async throws -> Store
  /// A new store with all of the models.
  static func make(_ path: String) throws -> Store
  /// Copies the objects of all of the models.
  static func copy(_ copying: inout Copying) throws
}

/// Copies objects from a store to another one.
struct Copying {
  let snapshot: Snapshot
  let transaction: WriteTransaction
  var count = 0

  mutating func copy<M: Model>(_ model: M.Type) throws {
    let objects = try snapshot.fetch(M.all)
    try transaction.insert(contentsOf: objects)
    count += objects.count
  }
}

/// What is wrong with a sample.
struct Failure: Error { var message: String }

/// Whether a sample is as it should be; if not, prints what is wrong.
func passes(
  _ models: (some PrintedModels).Type, _ name: String, _ file: String, key: Data?
) async -> Bool {
  do { try await check(models, name, file, key: key) } catch {
    print("error: \(name): \(error)")
    return false
  }
  return true
}

/// The models printed for a sample open the store that the tool made of it, and write nothing; what they read they write
/// again, and what the printed mapping reads is the same. The caller compares the contents of the three stores.
private func check(_ models: (some PrintedModels).Type, _ name: String, _ file: String, key: Data?)
  async throws
{
  let folder = CommandLine.arguments[1]
  let url = URL(fileURLWithPath: file)
  let path = "\(folder)/\(name).roost"
  let before = try version(path)
  let store = try await models.open(path, importing: url, key: key)
  guard try DynamicStore(store).snapshot().version == before else {
    throw Failure(message: "opening the store with the models changed it")
  }
  let count = try copy(models, store, to: "\(folder)/\(name).copy.roost")
  store.close()
  let mapped = try await models.open("\(folder)/\(name).mapped.roost", importing: url, key: key)
  guard let report = try mapped.importReport, report.roundings.isEmpty, report.omissions.isEmpty,
    report.classes.allSatisfy({ $0.read == $0.inSource && $0.written == $0.read })
  else { throw Failure(message: "the printed mapping left something out") }
  mapped.close()
  print("\(name): \(count) objects")
}

/// Copies all objects with the models; returns how many there are.
private func copy(
  _ models: (some PrintedModels).Type, _ store: Store, to path: String
) throws -> Int {
  let snapshot = store.snapshot()
  let copy = try models.make(path)
  defer { copy.close() }
  return try copy.write { transaction in
    var copying = Copying(snapshot: snapshot, transaction: transaction)
    try models.copy(&copying)
    return copying.count
  }
}

private func version(_ path: String) throws -> UInt64 {
  let store = try DynamicStore(path)
  defer { store.close() }
  return try store.snapshot().version
}
