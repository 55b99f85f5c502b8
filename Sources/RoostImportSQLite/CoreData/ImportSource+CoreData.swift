public import Roost
public import RoostImport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ImportSource {
  /// A store of Core Data or SwiftData in its SQLite form, the one that apps have.
  ///
  /// The file is copied, with what is in its log, and treated as one of ``sqlite(_:valueBytesMax:)``: its own folder stays as it
  /// is, and nothing in it is trusted. The history of changes (`NSPersistentHistoryTracking`) is left out.
  ///
  /// The names of entities and properties are those of the model that is in the file; it is read as plain data, and no object in it
  /// is instantiated. If it is missing, as in files from before about 2018, or damaged, names are those of tables and columns, and
  /// the mapping says where relationships lead: ``CoreDataRow/links(_:in:inverse:by:skippingDangling:)``.
  ///
  /// Values of attributes that allow external storage are read from the folder `.NAME_SUPPORT` beside the file. The check of free
  /// space counts them, and `removeSource` removes the folder with the file. Core Data gives stores whose names differ only in
  /// their endings, as `app.sqlite` and `app.store`, one folder: `removeSource` leaves it while there is another such file.
  ///
  /// - Parameters:
  ///   - url: The file. Nobody may write to it meanwhile, and this program must have closed it.
  ///   - valueBytesMax: The most bytes of a row, and of a value in a file of its own.
  public static func coreData(_ url: URL, valueBytesMax: Int = 256 << 20) -> ImportSource {
    let url = url.resolvingSymlinksInPath()
    return ImportSource(
      url, content: ["-wal", "-journal"], files: ["", "-wal", "-shm", "-journal"],
      folder: ExternalDataFolder.support(besides: url.path),
      sharesFolder: { ExternalDataFolder.isShared(besides: url.path) },
      contentFolder: ExternalDataFolder(besides: url.path, bytesMax: valueBytesMax).path
    ) {
      let file = try CopiedFile(url.path, valueBytesMax: valueBytesMax)
      return try file.check.whileReading { try CoreDataSource(file) }
    }
  }
}

extension Importer {
  /// Makes an object of a model of each object of an entity in a Core Data or SwiftData store.
  ///
  /// ```swift
  /// let store = try await Store.open("app.roost", models: Person.self, importing: .coreData(url)) {
  ///   $0.rows(of: "Person") { row in
  ///     Person(
  ///       id: try row.id(), firstName: try row["firstName"], born: try row["born"],
  ///       employer: try row.link("employer"), friends: try row.links("friends"))
  ///   }
  /// }
  /// ```
  ///
  /// Objects of subentities are not among those of an entity: name each subentity too. Several may become one model, as objects of
  /// an entity, its parents and its subentities have different numbers.
  ///
  /// - Parameters:
  ///   - entity: The entity, under its name in the model.
  ///   - mayBeMissing: Whether files are imported too that have no such entity, as of an older release of the app.
  ///   - make: Makes the object. A row for which it returns nil, or throws ``/RoostImport/LeftOut``, is left out, and counted;
  ///     any other error ends the import. It may be called several times for a row.
  public mutating func rows<M: Model>(
    of entity: String, mayBeMissing: Bool = false,
    _ make: @escaping @Sendable (CoreDataRow) throws -> M?
  ) {
    add(entity, of: CoreDataSource.self, mayBeMissing: mayBeMissing, make)
  }
}
