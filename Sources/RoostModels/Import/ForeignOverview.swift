internal import RoostImport
internal import RoostImportSQLite

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What a file of another library holds: its classes, tables or entities, with the numbers of their objects.
package struct ForeignOverview: Equatable, Sendable {
  /// A class, a table or an entity.
  package struct Table: Equatable, Sendable {
    package let name: String
    /// What its objects are, where they are not of their own: embedded ones, for example.
    package let kind: String
    package let objects: Int
  }

  /// What the file is, in words.
  package let kind: String
  package let tables: [Table]

  /// Looks at a file.
  ///
  /// - Parameter key: The key of an encrypted Realm file.
  /// - Throws: ``ModelsError``; for a file of no other library too.
  package init(of path: String, key: Data? = nil) throws(ModelsError) {
    do {
      switch key == nil ? FileKind(path) : .realm {
      case .realm: self = try Self.realm(path, key)
      case .sqlite: self = try Self.sqlite(path)
      case .store: throw ModelsError("it is neither a Realm file nor an SQLite file.")
      }
    } catch { throw ModelsError(error) }
  }

  private init(kind: String, tables: [Table]) {
    self.kind = kind
    self.tables = tables
  }

  private static func realm(_ path: String, _ key: Data?) throws -> ForeignOverview {
    let source = try RealmSource(URL(fileURLWithPath: path), key: key)
    var kind = "a Realm file"
    if let format = source.format { kind += " of format \(format)" }
    if let version = try source.schemaVersion { kind += ", schema version \(version)" }
    let tables = try source.classes.map { one in
      Table(
        name: one.name, kind: one.kind == .object ? "" : "\(one.kind)",
        objects: try source.count(of: one.name))
    }
    return ForeignOverview(kind: kind, tables: tables)
  }

  private static func sqlite(_ path: String) throws -> ForeignOverview {
    let file = try CopiedFile(path)
    let overview: ForeignOverview
    do {
      overview = ForeignOverview(
        kind: "a Core Data or SwiftData store",
        tables: try tables(of: CoreDataSource(file), others: "a table of the program's own"))
    } catch SQLiteError.notCoreData {
      overview = ForeignOverview(
        kind: "an SQLite file", tables: try tables(of: SQLiteSource(file), others: ""))
    }
    try file.waitForCheck()
    return overview
  }

  /// The classes of a source, and what else it counts.
  private static func tables(
    of source: some OpenedSource, others: String
  ) throws -> [Table] {
    let known = Set(source.importableClasses)
    return try source.countedClasses.map { name in
      Table(
        name: name, kind: known.contains(name) ? "" : others, objects: try source.count(of: name))
    }
  }
}
