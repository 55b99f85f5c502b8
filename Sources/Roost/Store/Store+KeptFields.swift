internal import RoostEngine

/// A field that a store's file has and its models do not, or a part of the elements of a collection: another version of the
/// program knows it, or once did.
public struct KeptField: Hashable, Sendable {
  /// The model's name.
  public let model: String
  /// The field's name; with points where it is a part of an embedded struct, or of a collection's elements.
  public let field: String
  /// The type as a program would write it.
  public let type: String
  /// How many bytes it takes: its values, as they are packed in the file, and its own index. Nil for a part of elements,
  /// which lies within the values of the collection's field.
  public let bytes: UInt64?
}

extension Store {
  /// What the file has in its newest version and the models of this store lack, in the order of the file's models and
  /// fields; all fields of a model that is not listed, but for values that are kept under names.
  ///
  /// Nothing of it is lost because this program does not name it. The values stay with their objects, whatever is done to
  /// these; indexes, uniqueness and delete rules hold. An object that this store adds has the field's default in the file.
  /// Where there is none, or the values must be unique, it has null, and a model that requires the field opens when no
  /// object has null any more.
  ///
  /// Cost: where nothing is kept, a look at the file's list of fields. Otherwise it reads the beginning of each leaf of the
  /// models that have kept fields, and the nodes of these fields' indexes.
  /// - Throws: ``StoreError/closed``; ``StoreError/corrupt(path:damage:)`` where the file is damaged.
  public var keptFields: [KeptField] {
    get throws(StoreError) {
      let context = try version()
      let catalog = context.snapshot.catalog
      var kept: [KeptField] = []
      for table in catalog.tables where !table.holdsNamedValue {
        let model = context.binding.model(ofTable: table.id)
        // When an object was written is the store's own.
        for field in table.fields where !field.isWriteTime {
          if let position = model?.fieldNames.firstIndex(of: field.name) {
            let declared = model?.elements[position].map(\.column) ?? []
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
  /// The columns that elements have and a program does not declare, also those of collections within them, by their names
  /// without that of the element.
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
