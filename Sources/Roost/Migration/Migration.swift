internal import RoostEngine

/// The changes that a ``MigrationStep`` makes to a file: names, fields, models and objects.
///
/// Models and fields have the names that they have in the file when the step runs. A field that `.was` renames is found by each
/// of its names. Names that a file lacks are ignored without an error, because the file comes from an older release. So a
/// mistyped name has no effect. ``MigrationPlan/validate(models:)`` finds those of fields and models that a step leaves behind; a
/// dry run on a file of the older release names all that the file lacks, also the mistyped old name of a rename:
/// ``MigrationReport/Part/ignored``.
///
/// An operation that throws has changed nothing, and a step may catch its error and continue. Operations that change objects
/// one by one are the exception: if ``rewrite(_:_:)``, ``convert(_:of:from:to:_:)``, ``copy(_:of:to:)``,
/// ``makeRequired(_:of:default:)``, ``changeKey(of:to:settle:)``, or ``makeUnique(_:of:settle:)`` with a closure throws, the
/// step fails with that error, even if it catches it.
///
/// It is valid only in the step that it was passed to.
public final class Migration {
  /// The migration's context; nil while a plan is only validated.
  let work: MigrationContext?
  /// The names that the step uses, recorded only while a plan is validated: a running step may insert millions of objects.
  private(set) var uses: [MigrationUse] = []
  /// The number of running operations that call closures.
  var nesting = 0

  init(_ work: MigrationContext?) {
    self.work = work
    work?.reportBeginning()
  }

  // MARK: Names

  /// Renames a field, and the parts of an embedded struct with it.
  ///
  /// Takes constant time: a field is identified by a number, which stays. A field that has the new name already is replaced if no
  /// object has a value of it, which is looked up: a program that opened the file without the step has added it. The same with an
  /// optional struct that a field becomes a part of: an object has it then where it has the parts that the struct needs.
  /// - Throws: ``StoreError/migrationFailed(_:)`` where objects have values of a field with the new name, and where some objects
  ///   have the struct, and others only a value that would not be seen without it; the error says how to give them one before.
  public func rename(_ field: String, of model: String, to name: String) throws(StoreError) {
    use(.renamed(field, of: model, to: name))
    guard let work, let table = try work.table(model) else { return }
    // Afterwards, no field of the file is what was called so.
    defer { work.renamed.note(field, of: table.id, to: name) }
    // A file that has the new name needs no older one.
    let isRenamed = !table.parts(of: name).isEmpty
    let known = isRenamed ? table : try work.following(field, in: table)
    let parts = known.parts(of: field).map { ($0.id, name + $0.name.dropFirst(field.count)) }
    var replaced = parts.compactMap { known.field(named: $0.1) }
    for other in replaced {
      let isItself = parts.contains { $0.0 == other.id }
      if !isItself, try work.isUnused(other, of: known) { continue }
      throw work.failure(
        model, field: field,
        "The file has a field \"\(other.name)\" already. Remove or rename it before.")
    }
    // Where the file lacks the field, nothing comes into the struct.
    let presences = parts.isEmpty ? [] : known.presences(around: name)
    for presence in presences where !parts.contains(where: { $0.0 == presence.id }) {
      if try work.isUnused(presence, of: known) {
        replaced.append(presence)
      } else {
        try work.checkIsSeen(field, known.parts(of: field), behind: presence, of: known)
      }
    }
    try work.workingWhole { transaction throws(EngineError) in
      for other in replaced { try transaction.removeField(other.id, from: table.id) }
      for (id, changed) in parts { try transaction.renameField(id, of: table.id, to: changed) }
    }
  }

  /// Renames a model. Links to it stay.
  ///
  /// A model with the new name is replaced if it has no objects: a program that opened the file without the step has added it.
  /// - Throws: ``StoreError/migrationFailed(_:)`` where a model with the new name has objects, or another model links to it.
  public func renameModel(_ model: String, to name: String) throws(StoreError) {
    use(.renamedModel(model, to: name))
    guard let work, let table = try work.table(model) else { return }
    let other = work.catalog.table(named: name)
    if let other, try !work.isUnused(other) {
      throw work.failure(
        model, "The file has a model \"\(name)\" already. Remove or rename it before.")
    }
    try work.workingWhole { transaction throws(EngineError) in
      if let other { try transaction.removeTable(other.id) }
      try transaction.renameTable(table.id, to: name)
    }
  }

  /// Removes a field with its values and its index; for an embedded struct, all its parts.
  ///
  /// Without a step nothing is ever removed: a field that the models lack is kept.
  public func remove(_ field: String, of model: String) throws(StoreError) {
    use(.removed(field, of: model))
    guard let work, let table = try work.table(model) else { return }
    let parts = table.parts(of: field)
    guard !parts.contains(where: \.isIdentifier) else {
      throw work.failure(model, field: field, "It is the key.")
    }
    try work.workingWhole { transaction throws(EngineError) in
      for part in parts { try transaction.removeField(part.id, from: table.id) }
    }
  }

  /// Removes a model with all of its objects.
  ///
  /// - Throws: ``StoreError/migrationFailed(_:)`` where links of another model lead to it: remove these before.
  public func removeModel(_ model: String) throws(StoreError) {
    use(.removedModel(model))
    guard let work, let table = try work.table(model) else { return }
    if let link = work.catalog.links(into: table.id).first(where: { $0.table.id != table.id }) {
      throw work.failure(
        model, "\(link.table.name).\(link.field.name) links to it. Remove that before.")
    }
    try work.working { transaction throws(EngineError) in try transaction.removeTable(table.id) }
  }

  // MARK: Fields

  /// Adds a field that has the same value in all objects.
  ///
  /// Optional or defaulted fields are added when the store is opened. A step adds only fields that it fills itself. A field of
  /// the same type that the file has already is left as it is, unless no object has a value of it: a program that opened the file
  /// without the step has added it.
  /// Takes constant time, regardless of the number of objects; where the file has the field, goes through them up to the first with
  /// a value.
  /// - Throws: ``StoreError/migrationFailed(_:)`` where the file has the field with another type.
  public func add<Value: Storable>(
    _ field: String, to model: String, default value: Value
  ) throws(StoreError) {
    use(.made(field, of: model))
    guard let work, let table = try work.table(model, naming: field) else { return }
    let type = Value._fieldType
    if let known = table.field(named: field) {
      guard known.type == type.kind else {
        throw work.failure(model, field: field, "The file has it already, with another type.")
      }
      // A program that opened the file without the step has added it.
      guard !type.isOptional, try work.isUnused(known, of: table) else { return }
      try work.working { transaction throws(EngineError) in
        try transaction.removeField(known.id, from: table.id)
      }
    }
    guard !type.kind.isLink else {
      throw work.failure(model, field: field, "A link is added by `addLink`.")
    }
    var definitions = [try work.definition(field, default: value)]
    if let named = Value._Unwrapped.self as? any CaseNamed.Type {
      definitions.append(try work.definition(ofKindOf: field, named, default: value))
    }
    do {
      try work.workingWhole { transaction throws(EngineError) in
        for definition in definitions { try transaction.addField(definition, to: table.id) }
      }
    } catch { throw work.mapped(error, table, definitions.first) }
  }

  /// Stores the kinds of the values of a field whose type is ``CaseNamed``, in a field such as `payment.kind`.
  ///
  /// ```swift
  /// try $0.addKind(of: "payment", in: "Order", as: Payment.self)
  /// ```
  ///
  /// Needed where a file has the values from a release in which their type was only ``Opaque``, and where kinds have other
  /// raw values than before: kinds that are there are replaced. A new field, or one that is converted, has its kinds.
  /// - Complexity: One pass over the field, which decodes its values.
  /// - Throws: ``StoreError/migrationFailed(_:)``, which names an object whose value the type does not know.
  public func addKind<Value: CaseNamed>(
    of field: String, in model: String, as type: Value.Type
  ) throws {
    use(.touched(field, of: model))
    guard let work, let table = try work.table(model, naming: field),
      let known = table.field(named: field)
    else {
      return
    }
    try work.changingObjects { try work.storeKinds(of: known, in: table, type) }
  }

  /// Adds a field with a link to a model, or with a list of links; at first no object has a target.
  public func addLink(
    _ field: String, to model: String, target: String, isList: Bool = false
  ) throws(StoreError) {
    use(.made(field, of: model))
    guard let work, let table = try work.table(model, naming: field) else { return }
    if let known = table.field(named: field) {
      guard !known.type.isLink else { return }
      throw work.failure(
        model, field: field, "It is there, and is no link: rename it before, or remove it.")
    }
    guard let linked = work.catalog.table(named: target) else {
      throw work.failure(model, field: field, "The file has no model \"\(target)\" to link to.")
    }
    let definition = FieldDefinition(
      name: field, type: isList ? .links : .link, isOptional: !isList, deleteRule: .nullify,
      target: linked.id, defaultValue: isList ? .bytes([]) : .null)
    try work.working { transaction throws(EngineError) in
      try transaction.addField(definition, to: table.id, linkingTo: target)
    }
  }

  /// Adds a model without objects, for objects that the step inserts.
  ///
  /// Its other fields are added by ``add(_:to:default:)``; fields that the step does not fill need not be added.
  public func addModel<ID: Storable>(
    _ model: String, key: String, _ type: ID.Type
  ) throws(StoreError) {
    use(.madeModel(model))
    guard let work, try work.table(model) == nil else { return }
    let type = ID._fieldType
    let definition = FieldDefinition(
      name: key, type: type.kind, isUnique: true, isIdentifier: true, parts: type.parts)
    try work.working { transaction throws(EngineError) in
      try transaction.addTables([TableDraft(name: model, fields: [definition])])
    }
  }

  /// Adds a field with the values of another field.
  public func copy(_ field: String, of model: String, to name: String) throws {
    use(.copied(field, of: model, to: name))
    guard let work, let table = try work.table(model, naming: field),
      let source = table.field(named: field),
      try work.table(model, naming: name)?.field(named: name) == nil
    else { return }
    guard source.type != .blob else {
      throw work.failure(model, field: field, "It is a blob, which no step copies.")
    }
    try work.changingObjects {
      try work.copy(source, of: table, to: name)
      if let kinds = table.kind(of: source) {
        try work.copy(kinds, of: table, to: FieldDefinition.kindName(of: name))
      }
    }
  }

  /// Makes a field optional.
  public func makeOptional(_ field: String, of model: String) throws(StoreError) {
    use(.touched(field, of: model))
    guard let work, let table = try work.table(model, naming: field),
      let known = table.field(named: field)
    else {
      return
    }
    guard !known.isIdentifier else { throw work.failure(model, field: field, "It is the key.") }
    let fields = [known.id] + (table.kind(of: known).map { [$0.id] } ?? [])
    try work.working { transaction throws(EngineError) in
      try transaction.setOptional(true, fields, of: table.id)
    }
  }

  /// Makes a field required; objects with nil get a value.
  public func makeRequired<Value: Storable>(
    _ field: String, of model: String, default value: Value
  ) throws {
    use(.touched(field, of: model))
    guard let work, let table = try work.table(model, naming: field),
      let known = table.field(named: field)
    else {
      return
    }
    try work.changingObjects {
      try work.forEachRows(of: table) { rows, places in
        let changes = MigrationChanges(table, rows, in: work)
        for row in places where try rows.isNull(known, row) {
          try changes.set(field, row: row, to: value)
        }
        try changes.apply()
      }
      try work.working { transaction throws(EngineError) in
        try transaction.setOptional(false, [known.id], of: table.id)
      }
    }
  }

  /// Makes a field unique.
  ///
  /// ```swift
  /// try $0.makeUnique("email", of: "Person") { first, other in
  ///   let isSame = try first.value("name", as: String.self) == other.old.value("name")
  ///   if isSame { other.delete() } else { try other.set("email", to: nil as String?) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - model: The name of the model.
  ///   - settle: What becomes of an object whose value another one has that comes before it in the order of the keys:
  ///     it may get another value, or be deleted. Its values are those of ``MigrationEditor/old``. Nil makes equal values an error.
  /// - Throws: ``StoreError/migrationFailed(_:)`` where two objects have the same value, or one's has more than 1,023 bytes,
  ///   which no unique value may.
  public func makeUnique(
    _ field: String, of model: String,
    settle: ((_ first: MigrationObject, _ other: MigrationEditor) throws -> Void)? = nil
  ) throws {
    use(.touched(field, of: model))
    nesting += 1
    defer { nesting -= 1 }
    guard let work, let table = try work.table(model, naming: field),
      let known = table.field(named: field)
    else {
      return
    }
    try work.makeUnique(known, of: table, settle)
  }

  /// Makes another field the key of a model. All links to its objects stay valid, in all models.
  ///
  /// ```swift
  /// try $0.changeKey(of: "Person", to: "email")
  /// ```
  ///
  /// The field must be an integer, a text, a UUID or another type that a key may have, and every object must have a value. The
  /// old key becomes an ordinary field, to be removed or kept. To make a new kind of key, add a field and fill it with
  /// ``rewrite(_:_:)`` before; to change the key's type, use ``convert(_:of:from:to:_:)``. Objects that a closure received
  /// earlier are invalid afterwards.
  /// - Parameters:
  ///   - model: The name of the model.
  ///   - field: The name of the field that becomes the key.
  ///   - settle: What becomes of an object whose value another one has, as in ``makeUnique(_:of:settle:)``. Nil makes
  ///     equal values an error.
  /// - Complexity: That of an index, and where the old key is an integer, of a field. Where the new key is an integer, all
  ///   objects of the model are written anew, and all links to them.
  /// - Throws: ``StoreError/migrationFailed(_:)``, which names an object that lacks a value, or the value that two have.
  public func changeKey(
    of model: String, to field: String,
    settle: ((_ first: MigrationObject, _ other: MigrationEditor) throws -> Void)? = nil
  ) throws {
    use(.touched(field, of: model))
    nesting += 1
    defer { nesting -= 1 }
    guard let work, let table = try work.table(model, naming: field),
      let known = table.field(named: field),
      !known.isIdentifier
    else { return }
    try work.changeKey(of: table, to: known, settle)
  }

  /// Changes the type of a field: a closure converts the value of each object.
  ///
  /// ```swift
  /// try $0.convert("age", of: "Person", from: Int.self, to: String.self) { "\($0)" }
  /// ```
  ///
  /// Use optional types for a field that may be nil. Its index is rebuilt; it stays unique. The key is converted like
  /// any other field, and links follow as in ``changeKey(of:to:settle:)``.
  /// - Throws: What the closure throws, in a ``StoreError/migrationFailed(_:)`` that names the object.
  public func convert<Old: Storable, New: Storable>(
    _ field: String, of model: String, from old: Old.Type, to new: New.Type,
    _ convert: (Old) throws -> New
  ) throws {
    use(.touched(field, of: model))
    nesting += 1
    defer { nesting -= 1 }
    guard let work, let table = try work.table(model, naming: field),
      let known = table.field(named: field)
    else {
      return
    }
    let type = New._fieldType
    let definition = FieldDefinition(
      name: field, type: type.kind, isOptional: type.isOptional, parts: type.parts)
    try work.changingObjects {
      let made = try work.addFilled(definition, to: table, insteadOf: known) { rows, target in
        let sink = RowSink(columns: [target], links: NoLinks.shared)
        for row in 0..<rows.count {
          try work.checkCancellation()
          let value = try rows.value(field, row: row, as: Old.self)
          do { try convert(value)._write(to: sink.cell(0)) } catch {
            throw rows.failure(field, row, "\(error)")
          }
        }
      }
      if !known.isIdentifier {
        try work.finish(
          made, of: table.id, like: known, isOptional: type.isOptional, isUnique: known.isUnique)
      }
      try work.convertKinds(of: known, in: table, New._Unwrapped.self)
    }
  }

  // MARK: Objects

  /// Changes the objects of a model one by one.
  ///
  /// ```swift
  /// try $0.add("first", to: "Person", default: "")
  /// try $0.add("last", to: "Person", default: "")
  /// try $0.rewrite("Person") { old, new in
  ///   let name = try old.value("name", as: String.self).split(separator: " ", maxSplits: 1)
  ///   try new.set("first", to: String(name.first ?? ""))
  ///   try new.set("last", to: String(name.count > 1 ? name[1] : ""))
  /// }
  /// try $0.remove("name", of: "Person")
  /// ```
  ///
  /// `old` shows the values from before. Another object of the model, which a link or an inverse leads to, may show what the
  /// closure has set in it already: where its old values are needed, write the result to a field of its own in a pass before.
  /// - Complexity: One pass over the columns that are read and set; memory for a leaf of objects and what waits to be written.
  /// - Throws: What the closure throws, in a ``StoreError/migrationFailed(_:)`` that names the object.
  public func rewrite(
    _ model: String, _ body: (_ old: MigrationObject, _ new: MigrationEditor) throws -> Void
  ) throws {
    use(.touchedModel(model))
    nesting += 1
    defer { nesting -= 1 }
    guard let work, let table = try work.table(model) else { return }
    let deleted = ColumnBuffer(type: .integer)
    try work.changingObjects {
      try work.forEachRows(of: table) { rows, places in
        let changes = MigrationChanges(table, rows, in: work)
        for row in places {
          try work.checkCancellation()
          do {
            try body(
              MigrationObject(rows: rows, row: row), MigrationEditor(changes: changes, row: row))
          } catch { throw work.named(error, table, key: rows.key(row)) }
        }
        try changes.apply()
        for key in changes.deleted { deleted.append(key) }
      }
      try work.delete(deleted, of: table)
    }
  }

  /// Calls a closure with each object of a model, in key order.
  public func forEach(_ model: String, _ body: (MigrationObject) throws -> Void) throws {
    use(.touchedModel(model))
    nesting += 1
    defer { nesting -= 1 }
    guard let work, let table = try work.table(model) else { return }
    try work.forEachRows(of: table) { rows, places in
      for row in places {
        try work.checkCancellation()
        do { try body(MigrationObject(rows: rows, row: row)) } catch {
          throw work.named(error, table, key: rows.key(row))
        }
      }
    }
  }

  /// The object of a model with an id; nil if there is none, or the file has no such model.
  ///
  /// - Complexity: That of finding an object by its id in a transaction.
  /// - Throws: ``StoreError/migrationFailed(_:)`` where the model's key has another type.
  public func object<ID: Storable>(
    of model: String, id: ID
  ) throws(StoreError) -> MigrationObject? {
    use(.touchedModel(model))
    guard let work, let table = try work.table(model) else { return nil }
    return try work.object(of: table, id: id)
  }

  /// Inserts an object; the closure sets its key and the values of its other fields.
  ///
  /// - Returns: The object, for links to it; nil where the file has no such model.
  @discardableResult
  public func insert(
    into model: String, _ body: (MigrationEditor) throws -> Void
  ) throws -> MigrationObject? {
    use(.touchedModel(model))
    nesting += 1
    defer { nesting -= 1 }
    guard let work, let table = try work.table(model) else { return nil }
    try work.checkCancellation()
    let changes = MigrationChanges(table, nil, in: work)
    try body(MigrationEditor(changes: changes, row: 0))
    let key = try work.insert(changes, into: table)
    return MigrationObject(rows: MigrationRows(key: key, of: table, in: work), row: 0)
  }

  /// Notes a name that the step uses. What a closure of an operation uses counts as that operation's.
  @inline(never)
  private func use(_ use: MigrationUse) {
    guard let work else { return uses.append(use) }
    if nesting == 0 { work.begin(use) }
  }
}

extension TableDefinition {
  /// The field with a name, or the parts of the embedded struct with that name.
  func parts(of name: String) -> [FieldDefinition] {
    fields.filter { $0.name == name || $0.name.hasPrefix(name + ".") }
  }
}
