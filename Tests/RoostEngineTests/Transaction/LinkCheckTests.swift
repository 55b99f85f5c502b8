import RoostEngine
import Testing

/// Links are checked at the commit, whatever else the transaction did in the meantime.
@Suite struct LinkCheckTests {
  @Test func aDeletedTargetIsNoticedAlsoWhenFieldsChangeAfterwards() throws {
    let engine = try Self.makeEngine()
    let (tags, notes) = try Self.tables(engine)
    #expect(throws: EngineError.linkedTarget(table: "Tag", key: "a", from: "Note", field: "tag")) {
      try engine.write { (transaction) throws(EngineError) in
        try transaction.delete(from: tags, key: 1)
        try transaction.addField(
          FieldDefinition(name: "rank", type: .int, isOptional: true), to: notes)
      }
    }
    #expect(try engine.snapshot().verify() == [])
  }

  @Test func aMissingTargetIsNoticedAlsoWhenFieldsChangeAfterwards() throws {
    let engine = try Self.makeEngine()
    let (tags, notes) = try Self.tables(engine)
    // No identifier was ever set aside for the key.
    let error = EngineError.danglingLink(
      table: "Note", key: "5", field: "tag", target: "Tag", value: nil)
    #expect(throws: error) {
      try engine.write { (transaction) throws(EngineError) in
        try transaction.update(notes, key: 5, field: 1, to: .integer(77))
        try transaction.addField(
          FieldDefinition(name: "rank", type: .int, isOptional: true), to: tags)
      }
    }
    #expect(try engine.snapshot().verify() == [])
  }

  @Test func aKeyThatWasSetAsideStaysSoWhenFieldsChange() throws {
    let engine = try Self.makeEngine()
    let (tags, notes) = try Self.tables(engine)
    let name = Value.bytes(Array("late".utf8))
    try engine.write { (transaction) throws(EngineError) in
      let key = try transaction.objectKey(in: tags, identifier: name, reserving: true) ?? 0
      try transaction.update(notes, key: 5, field: 1, to: .integer(key))
      try transaction.addField(
        FieldDefinition(name: "rank", type: .int, isOptional: true), to: tags)
      try transaction.batch(for: tags).columns[0].append("other")
      try transaction.batch(for: tags).columns[1].appendNull()
      let other = try transaction.insertRow(into: tags, key: nil)
      try transaction.batch(for: tags).columns[0].append("late")
      try transaction.batch(for: tags).columns[1].appendNull()
      let late = try transaction.insertRow(into: tags, key: nil)
      guard late == key, other != key else { throw .unknownTable(name: "key \(late)") }
    }
    #expect(try engine.snapshot().verify() == [])
  }

  /// A store with a tag `a`, whose key is 1, and a note 5 that links to it.
  private static func makeEngine() throws -> Engine {
    let engine = try Engine.open("links.roost", in: MemoryFileSystem())
    try engine.write { (transaction) throws(EngineError) in
      try transaction.addTables([
        TableDraft(
          name: "Tag", fields: [FieldDefinition(name: "name", type: .string, isIdentifier: true)]),
        TableDraft(
          name: "Note",
          fields: [
            FieldDefinition(name: "id", type: .int, isIdentifier: true),
            FieldDefinition(name: "tag", type: .link),
          ],
          linkTargets: ["tag": "Tag"]),
      ])
    }
    let (tags, notes) = try tables(engine)
    try engine.write { (transaction) throws(EngineError) in
      try transaction.batch(for: tags).columns[0].append("a")
      let key = try transaction.insertRow(into: tags, key: nil)
      try transaction.batch(for: notes).columns[0].append(key)
      try transaction.insertRow(into: notes, key: 5)
    }
    return engine
  }

  private static func tables(_ engine: Engine) throws -> (tags: UInt32, notes: UInt32) {
    let view = try engine.snapshot().view
    return (try view.table(named: "Tag").id, try view.table(named: "Note").id)
  }
}
