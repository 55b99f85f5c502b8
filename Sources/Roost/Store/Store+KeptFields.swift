internal import RoostEngine

/// A field in a store's file that its models lack, or a part of the elements of a collection: another version of the
/// program uses it, or did.
public struct KeptField: Hashable, Sendable {
  /// The model's name.
  public let model: String
  /// The field's name; with points for a part of an embedded struct, or of a collection's elements.
  public let field: String
  /// The type in Swift syntax.
  public let type: String
  /// The size in bytes of its values, as they are packed in the file, and of its own index. Nil for a part of elements,
  /// which is stored within the values of the collection's field.
  public let bytes: UInt64?
}

extension Store {
  /// The fields in the newest version of the file that the models of this store lack, in the order of the file's models and
  /// fields; all fields of a model that is not listed, except values under names.
  ///
  /// No data is lost because this program lacks the fields. The values stay with their objects through all
  /// changes; indexes, uniqueness and delete rules hold. An object added by this store has the field's default in the file.
  /// If there is no default, or the values must be unique, it has null, and a model that requires the field opens once no
  /// object has null.
  ///
  /// Cost: if there are none, reading the file's list of fields. Otherwise, reading the head of each leaf of the
  /// models that have kept fields, and the nodes of these fields' indexes.
  /// - Throws: ``StoreError/closed``; ``StoreError/corrupt(path:damage:)`` where the file is damaged.
  public var keptFields: [KeptField] {
    get throws(StoreError) {
      let context = try version()
      let catalog = context.snapshot.catalog
      var kept: [KeptField] = []
      for table in catalog.tables where !table.holdsNamedValue {
        let model = context.binding.model(ofTable: table.id)
        // The write time of objects belongs to the store.
        for field in table.fields where !field.isWriteTime {
          if let position = model?.fieldNames.firstIndex(of: field.name) {
            // The parts of a compound key are the program's.
            let declared = model?.elements[position].map(\.column) ?? []
            guard !declared.isEmpty else { continue }
            for part in ElementColumn.kept(field.parts, without: declared) {
              kept.append(
                KeptField(
                  model: table.name, field: "\(field.name).\(part.name)",
                  type: _FieldType.describe(
                    part.type, isOptional: part.isOptional, target: nil, part.parts),
                  bytes: nil))
            }
            continue
          }
          let bytes = try working(on: context.file) { () throws(EngineError) in
            try context.snapshot.view.byteCount(of: field, in: table.id)
          }
          kept.append(
            KeptField(
              model: table.name, field: field.name,
              type: _FieldType.describe(
                field.type, isOptional: field.isOptional,
                target: catalog.table(field.target)?.name, field.parts),
              bytes: bytes))
        }
      }
      return kept
    }
  }
}

extension ElementColumn {
  /// The columns of elements that a program does not declare, including those of nested collections, by their names
  /// without the element's name.
  fileprivate static func kept(
    _ stored: [ElementColumn], without declared: [ElementColumn]
  ) -> [ElementColumn] {
    stored.flatMap { column in
      var named = column
      named.name = column.name.split(separator: ".").dropFirst().joined(separator: ".")
      guard let known = declared.first(where: { $0.name == column.name }) else { return [named] }
      return kept(column.parts, without: known.parts).map { part in
        var part = part
        if !named.name.isEmpty { part.name = "\(named.name).\(part.name)" }
        return part
      }
    }
  }
}
