internal import RoostDynamic
internal import RoostImport
internal import RoostImportSQLite

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Swift models for the data of a file, ready to compile.
package struct ModelsText {
  /// The text.
  package let text: String

  /// What the caller asks for.
  package struct Options: Sendable {
    /// The fields that become enums, each as `Model.field`.
    package var enums: [String] = []
    /// The enum that all declarations are put in; nil for none.
    package var namespace: String?

    /// Nothing but the models.
    package init() {}
  }

  /// The models of a file: of a store, of a Realm file or of an SQLite file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - key: The key of an encrypted Realm file, which it then is.
  /// - Throws: ``ModelsError``, or the errors of what reads the file.
  package init(of path: String, key: Data? = nil, _ options: Options) throws {
    switch key == nil ? FileKind(path) : .realm {
    case .store: try self.init(ofStore: path, options)
    case .realm:
      do { try self.init(ofRealm: path, key: key, options) } catch {
        throw ModelsError(error)
      }
    case .sqlite:
      do { try self.init(ofSQLite: path, options) } catch { throw ModelsError(error) }
    }
  }

  /// The models of a Realm file, with the mapping that makes a store of it.
  ///
  /// Reads all objects: times, decimal numbers and texts decide which types hold them.
  private init(ofRealm path: String, key: Data?, _ options: Options) throws {
    let source = try RealmSource(URL(fileURLWithPath: path), key: key)
    var reader = try RealmModels(source, enums: EnumChoice.list(options.enums))
    var set = try reader.read()
    set.mapping?.takesKey = key != nil
    self.init(set, named: path, options, keepsIdentifiers: false)
  }

  /// The models of an SQLite file, or of a Core Data store, with the mapping that makes a store of it.
  ///
  /// Reads all rows: values decide which types hold them, for columns may have any.
  private init(ofSQLite path: String, _ options: Options) throws {
    let file = try CopiedFile(path)
    let set = try SQLiteModels.read(file, enums: EnumChoice.list(options.enums))
    self.init(set, named: path, options, keepsIdentifiers: false)
  }

  /// The models of a store, which can open it.
  ///
  /// Reads the fields that become enums, and whether parts of optional structs are missing; nothing else of the objects.
  ///
  private init(ofStore path: String, _ options: Options) throws {
    let store = try DynamicStore(path)
    var reader = StoreModels(try store.snapshot())
    var set = try reader.read(enums: EnumChoice.list(options.enums))
    set.steps = try store.history.filter { !$0.isCompatible }.map(\.name)
    self.init(set, named: path, options, keepsIdentifiers: true)
  }

  /// Whether a text can be the name of the enum that the models are put in.
  package static func isName(_ text: String) -> Bool {
    text == SwiftName.type(text, keepsIdentifiers: true)
  }

  init(_ set: ModelSet, named path: String, _ options: Options, keepsIdentifiers: Bool) {
    let names = Names(set, keepsIdentifiers: keepsIdentifiers)
    let fileName = String(path.split(separator: "/").last ?? "")
    text =
      ModelWriter(set: set, names: names, namespace: options.namespace, fileName: fileName).text()
  }
}
