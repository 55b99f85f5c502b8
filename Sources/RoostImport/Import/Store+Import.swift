public import Roost
internal import RoostEngine

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Store {
  /// Opens the store at a location; if there is none, makes it of another library's file first.
  ///
  /// ```swift
  /// let store = try await Store.open(
  ///   "people.roost", models: Person.self, Dog.self, importing: .realm(url)
  /// ) { importer in
  ///   importer.objects("Person") { Person(id: try $0.id(), name: try $0["name"], age: try $0["age"]) }
  ///   importer.objects("Dog") { Dog(id: try $0.id(), name: try $0["name"], owner: try $0.link("owner")) }
  /// }
  /// ```
  ///
  /// The objects are written in one transaction to a file beside the path that ends in `.importing`. When the counts are
  /// right and everything is durable, the file gets the store's name. If the app is killed before, there is no store, and the
  /// next opening begins again. The source is only read, and stays until ``removeSource(_:)``. A store that exists is
  /// opened as it is; the source need not exist any more. ``importReport`` says what was read and written.
  ///
  /// - Parameters:
  ///   - location: Where the store is. In memory, it is made each time.
  ///   - models: The models, as in ``/Roost/Store/init(_:models:configuration:migrations:fileID:line:)``.
  ///   - configuration: As there.
  ///   - migrations: As there.
  ///   - source: The file to import.
  ///   - progress: Called before the first object, after every 256 objects, and at the end of each class.
  ///   - mapping: Says which classes become which models.
  ///   - fileID: With `line`, what ``/Roost/StoreError/inUse(path:by:)`` names if the store is still open.
  ///   - line: See `fileID`.
  /// - Complexity: Reads the source once; of SQLite files, another thread writes meanwhile. Memory is bounded as that of a
  ///   transaction is.
  /// - Throws: ``ImportError/notEnoughSpace(path:needed:available:)`` where less space is free than the source takes with
  ///   what belongs to it, which is an estimate; other ``ImportError``s; the source's, such as ``RealmError``; ``/Roost/StoreError``, such as for a link whose target was left out
  ///   (``/Roost/StoreError/danglingLink(model:id:field:target:targetID:)``); `CancellationError`. There is no store then, or a
  ///   whole one whose name the system could not make durable.
  public static func open<each M: Model>(
    _ location: Location, models: repeat (each M).Type,
    configuration: Configuration = Configuration(),
    @MigrationPlanBuilder migrations: @Sendable () -> [MigrationStep] = { [] },
    importing source: ImportSource, progress: (@Sendable (ImportProgress) -> Void)? = nil,
    _ mapping: @Sendable (inout Importer) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> Store {
    let plan = MigrationPlan(migrations)
    let work = StoreImport(
      source: source, importer: Importer(mapping), configuration: configuration,
      progress: progress
    ) { location, configuration in
      try Store(
        location, models: repeat (each M).self, configuration: configuration, migrations: { plan },
        fileID: fileID, line: line)
    }
    return try await withTaskExecutorPreference(QueueExecutor("roost.import")) {
      try Task.checkCancellation()
      return try await work.run(location)
    }
  }

  /// Opens the store in the file at a path; if there is none, makes it of another library's file first: like opening it at
  /// ``/Roost/Location/file(_:)-enum.case``.
  public static func open<each M: Model>(
    _ path: String, models: repeat (each M).Type,
    configuration: Configuration = Configuration(),
    @MigrationPlanBuilder migrations: @Sendable () -> [MigrationStep] = { [] },
    importing source: ImportSource, progress: (@Sendable (ImportProgress) -> Void)? = nil,
    _ mapping: @Sendable (inout Importer) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> Store {
    try await open(
      .file(path), models: repeat each models, configuration: configuration,
      migrations: migrations, importing: source, progress: progress, mapping,
      fileID: fileID, line: line)
  }

  /// What was imported when the store was made, or refreshed last; nil for a store that was not imported.
  ///
  /// - Throws: The errors of the file.
  public var importReport: ImportReport? {
    get throws {
      try snapshot().ownValue(ImportReport.valueName, as: String.self).map(ImportReport.init(json:))
    }
  }

  /// Removes the file that the store was imported from, with the files that its library keeps beside it.
  ///
  /// Only after an import that is complete, and of which nothing has changed since.
  /// - Throws: ``ImportError/notImported(path:)`` for another file; ``ImportError/incomplete(path:unnamed:)`` where the mapping
  ///   did not name all classes that have objects; ``ImportError/changedSince(path:)`` where the file was written to after the
  ///   import; ``ImportError/cannotRemove(path:reason:)``. A file that is gone already is no error.
  public func removeSource(_ source: ImportSource) throws {
    let path = source.url.path
    guard let report = try importReport, report.source.name == source.url.lastPathComponent else {
      throw ImportError.notImported(path: path)
    }
    guard report.isComplete else {
      throw ImportError.incomplete(path: path, unnamed: report.notNamed)
    }
    if let state = source.state, state != report.source {
      throw ImportError.changedSince(path: path)
    }
    if let folder = source.folder, FileManager.default.fileExists(atPath: folder),
      !source.sharesFolder()
    {
      do { try FileManager.default.removeItem(atPath: folder) } catch {
        throw ImportError.cannotRemove(path: folder, reason: "\(error)")
      }
    }
    for file in source.paths {
      do throws(FileError) { try PosixFileSystem().remove(file) } catch {
        guard error.meaning == .missingFile else {
          throw ImportError.cannotRemove(path: file, reason: error.words)
        }
      }
    }
  }
}
