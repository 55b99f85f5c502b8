public import Roost
public import RoostImport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ImportSource {
  /// An SQLite file, as GRDB and others write it.
  ///
  /// The file is copied to the system's temporary folder with the transactions that are in its log (`-wal`) or that a crash has
  /// interrupted (`-journal`), and the copy is opened; the file's own folder stays as it is. The copy is removed
  /// afterwards; a process that is killed meanwhile leaves it there, in a folder `roost-sqlite-…` that only its user can read.
  ///
  /// Nothing in the file is trusted: its triggers and views do not run, its schema can call no function that has effects, and
  /// pages that do not fit together are an error.
  ///
  /// Close the file in this program before: reading a file releases the locks that a process has on it.
  ///
  /// - Parameters:
  ///   - url: The file. Nobody may write to it meanwhile; if somebody does, the import fails with ``SQLiteError/changed(path:)``.
  ///   - valueBytesMax: The most bytes of a row.
  public static func sqlite(_ url: URL, valueBytesMax: Int = 256 << 20) -> ImportSource {
    // SQLite has the other files beside the file that a symbolic link leads to.
    let url = url.resolvingSymlinksInPath()
    // The file itself first: without its log it would be an older state.
    return ImportSource(
      url, content: ["-wal", "-journal"], files: ["", "-wal", "-shm", "-journal"]
    ) {
      try SQLiteSource(CopiedFile(url.path, valueBytesMax: valueBytesMax))
    }
  }
}

extension Importer {
  /// Makes an object of a model of each row of a table.
  ///
  /// ```swift
  /// let store = try await Store.open("app.roost", models: Person.self, importing: .sqlite(url)) {
  ///   $0.rows("person") { row in
  ///     Person(
  ///       id: try row.id(), name: try row["name"], employer: try row.link("employer_id"),
  ///       born: try row.date("born", as: .grdbText))
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - table: The table, under its name in the file.
  ///   - mayBeMissing: Whether files are imported too that have no such table, as of an older release of the app.
  ///   - make: Makes the object. A row for which it returns nil, or throws ``/RoostImport/LeftOut``, is left out, and counted;
  ///     any other error ends the import. It may be called several times for a row.
  public mutating func rows<M: Model>(
    _ table: String, mayBeMissing: Bool = false,
    _ make: @escaping @Sendable (SQLiteRow) throws -> M?
  ) {
    add(table, of: SQLiteSource.self, mayBeMissing: mayBeMissing, make)
  }
}
