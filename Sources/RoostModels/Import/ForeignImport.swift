internal import Roost
internal import RoostDynamic
internal import RoostImport
internal import RoostImportSQLite

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Makes a store of a Realm file or an SQLite file, with the tables that the printed models of the file declare.
package struct ForeignImport {
  /// What became of the objects of a class or a table.
  package struct Counts: Equatable, Sendable {
    /// The class or the table.
    package let source: String
    /// The model.
    package let model: String
    /// The number of objects.
    package let objects: Int
  }

  /// What each class, or table, became.
  package let counts: [Counts]
  /// What is not in the store, or is there otherwise, and why.
  package let remarks: [String]

  /// Makes the store in a new file.
  ///
  /// Everything is written in one transaction. All values are read twice: first, they decide which types hold them.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - key: The key of an encrypted Realm file.
  ///   - path: Where the store is to lie; there must be no file.
  ///   - progress: Called now and then, with a class, and how many objects of how many are done, of all classes.
  /// - Throws: ``ModelsError``; the errors of the store.
  package init(
    of source: String, key: Data? = nil, to path: String,
    progress: (_ source: String, _ done: Int, _ total: Int) -> Void
  ) throws {
    let counts: [Counts]
    let set: ModelSet
    do {
      switch key == nil ? FileKind(source) : .realm {
      case .realm:
        let opened = try RealmSource(URL(fileURLWithPath: source), key: key)
        var models = try RealmModels(opened, enums: [])
        set = try models.read()
        let reader = RealmObjectReader(tables: ModelTables(set))
        counts = try Self.fill(path) { store, defersIndexes in
          try Self.write(reader.tables, opened, to: store, progress, defersIndexes) {
            object, model, _ in
            try reader.values(of: object, model)
          }
        }
      case .sqlite:
        let file = try CopiedFile(source)
        set = try SQLiteModels.read(file, enums: [])
        let tables = ModelTables(set)
        if set.mapping?.source == ".coreData" {
          let reader = CoreDataRowReader(tables: tables)
          let opened = try CoreDataSource(file)
          counts = try Self.fill(path) { store, defersIndexes in
            try Self.write(tables, opened, to: store, progress, defersIndexes, reader.values)
          }
        } else {
          let opened = try RowImport(tables, SQLiteSource(file))
          counts = try Self.fill(path) { store, defersIndexes in
            try opened.write(to: store, progress, defersIndexes: defersIndexes).map {
              Counts(source: $0.table, model: $0.model, objects: $0.objects)
            }
          }
        }
      case .store: throw ModelsError("it is neither a Realm file nor an SQLite file.")
      }
    } catch let error as StoreError { throw error } catch { throw ModelsError(error) }
    self.counts = counts
    remarks = set.remarks
  }

  /// Makes the store, and fills it.
  ///
  /// - Parameter write: Makes the tables, and an object of each of the source, in one transaction.
  private static func fill(
    _ path: String, _ write: (DynamicStore, _ defersIndexes: Bool) throws -> [Counts]
  ) throws -> [Counts] {
    let store = try DynamicStore(path, access: .create)
    defer { store.close() }
    let counts: [Counts]
    do { counts = try write(store, true) } catch is IndexRefused {
      // Which object it is, is found where each index grows with each object.
      counts = try write(store, false)
    }
    let snapshot = try store.snapshot()
    for model in Set(counts.map(\.model)) {
      let written = counts.filter { $0.model == model }.map(\.objects).reduce(0, +)
      let found = try snapshot.count(of: model)
      guard found == written else {
        throw ModelsError(
          "\(written) objects of \(model) were written, and the store has \(found).")
      }
    }
    return counts
  }

  /// Makes the tables, and an object of each of the source, one by one.
  ///
  /// - Parameter values: The values of an object, of which a class has some properties.
  private static func write<Source: OpenedSource>(
    _ tables: ModelTables, _ source: Source, to store: DynamicStore,
    _ progress: (String, Int, Int) -> Void, _ defersIndexes: Bool,
    _ values: (Source.Object, _ model: Int, _ properties: Set<Int>) throws -> [String: DynamicValue]
  ) throws -> [Counts] {
    try store.write { transaction in
      try transaction.add(tables.tables)
      if defersIndexes { try transaction.deferIndexes() }
      var counts: [Counts] = []
      let variants = tables.models.flatMap { tables.set.declarations[$0].sources }
      let total = try variants.map { try source.count(of: $0.source) }.reduce(0, +)
      var doneBefore = 0
      for model in tables.models {
        for variant in tables.set.declarations[model].sources {
          let className = variant.source
          let name = tables.name(of: model)
          var done = 0
          try source.forEachObject(of: className) { object in
            do {
              try transaction.insert(values(object, model, variant.properties), into: name)
            } catch { throw error is ModelsError ? error : Source.placed(error, at: object) }
            done += 1
            if done.isMultiple(of: 256) { progress(className, doneBefore + done, total) }
          }
          doneBefore += done
          progress(className, doneBefore, total)
          counts.append(Counts(source: className, model: name, objects: done))
        }
      }
      try transaction.buildImportedIndexes()
      try source.checkUnchanged()
      return counts
    }
  }
}
