import RoostEngine
import RoostMaintenance
import RoostTestSupport

/// Notes that several processes add to one store.
enum SharedNotes {
  static let table = "Note"

  /// Adds a note with this number, and the table where it is missing.
  static func add(_ number: Int64, to engine: Engine) throws(EngineError) {
    try engine.write { (transaction) throws(EngineError) in
      if transaction.catalog.table(named: table) == nil {
        let fields = [
          FieldDefinition(name: "id", type: .int, isIdentifier: true),
          FieldDefinition(name: "text", type: .string),
        ]
        try transaction.addTables([TableDraft(name: table, fields: fields)])
      }
      guard let id = transaction.catalog.table(named: table)?.id else { return }
      try transaction.batch(for: id).columns[0].append("note \(number)")
      try transaction.insertRow(into: id, key: number)
    }
  }

  /// The numbers of all notes of a store, which must be sound.
  static func numbers(in engine: Engine) throws -> Set<Int64> {
    let snapshot = engine.snapshot()
    if let finding = try snapshot.verify().first { throw Wrong("verify finds \(finding)") }
    guard let id = snapshot.catalog.table(named: table)?.id else { return [] }
    var numbers: Set<Int64> = []
    var leaves = try snapshot.view.objects(id).leaves()
    while let leaf = try leaves.next() {
      for row in 0..<leaf.rowCount { numbers.insert(leaf.key(row)) }
    }
    return numbers
  }
}

/// What processes do that share one path: they make, seed, open, compact and salvage what is there.
struct SharedPath {
  /// Something that outlasts the process which did it.
  enum Event {
    /// The notes may be there from now on.
    case attempts(Set<Int64>)
    /// The notes must be there from now on.
    case acknowledged(Set<Int64>)
  }

  let fileSystem: any FileSystem
  /// The path that is shared.
  let path: String
  /// A store that is salvaged to the path.
  var source: String { path + "-source" }
  private static let sourceNotes: Set<Int64> = [-1, -2, -3]

  static var options: EngineOptions {
    var options = EngineOptions(cacheBytes: 1 << 20)
    options.compactsOnOpen = nil
    return options
  }

  /// Makes the store that is salvaged.
  func makeSource() throws {
    let engine = try Engine.open(source, in: fileSystem, options: Self.options)
    for number in Self.sourceNotes.sorted() { try SharedNotes.add(number, to: engine) }
  }

  /// Does something at the path.
  ///
  /// - Parameters:
  ///   - number: The first of ten numbers that no other step has.
  ///   - whileOpen: Called once while a store is open there.
  func step(
    _ number: Int64, _ random: inout SeededGenerator, tell: (Event) -> Void,
    whileOpen: (Engine) throws -> Void = { _ in }
  ) throws {
    switch Int.random(in: 0..<7, using: &random) {
    case 0: _ = try Engine.compact(path, in: fileSystem, options: Self.options)
    case 1:
      tell(.attempts(Self.sourceNotes))
      _ = try Engine.salvage(source, to: path, in: fileSystem)
      tell(.acknowledged(Self.sourceNotes))
    case 2: _ = try Engine.salvage(path, to: path + "-copy", in: fileSystem)
    case 3:
      tell(.attempts(Self.sourceNotes))
      let isMade = try Engine.create(path, fromSeed: source, in: fileSystem, permissions: 0o600)
      let engine = try Engine.open(path, in: fileSystem, options: Self.options)
      tell(.attempts([number]))
      try SharedNotes.add(number, to: engine)
      // The name of the file is durable with the first commit.
      tell(.acknowledged(isMade ? Self.sourceNotes.union([number]) : [number]))
      try whileOpen(engine)
    default:
      var options = Self.options
      if random.chance(1, in: 3) { options.compactsOnOpen = { _, _ in true } }
      let engine = try Engine.open(path, in: fileSystem, options: options)
      for note in number..<number + Int64.random(in: 1...3, using: &random) {
        tell(.attempts([note]))
        try SharedNotes.add(note, to: engine)
        tell(.acknowledged([note]))
      }
      try whileOpen(engine)
    }
  }

  /// Whether an error is what a process is told where another one has the file, or there is none.
  static func isExpected(_ error: any Error) -> Bool {
    switch error as? EngineError {
    case .locked: true
    case .file(let error):
      error.operation == .open
        && (error.meaning == .missingFile || error.meaning == .existingFile)
        || error.operation == .lock && error.meaning == .stale
    default: false
    }
  }

  /// Looks at what is there, and says what is wrong.
  ///
  /// - Returns: What was found, as one number.
  func check(
    acknowledged: Set<Int64>, attempted: Set<Int64>, _ report: (Trial.Failure, String) -> Void
  ) -> UInt64 {
    do {
      guard try !acknowledged.isEmpty || fileSystem.kind(of: path) != nil else { return 1 }
      var options = Self.options
      options.createsFile = false
      let engine = try Engine.open(path, in: fileSystem, options: options)
      let found = try SharedNotes.numbers(in: engine)
      let lost = acknowledged.subtracting(found)
      if !lost.isEmpty { report(.lost, "notes \(lost.sorted()) are not there") }
      let strange = found.subtracting(attempted)
      if !strange.isEmpty { report(.wrong, "notes \(strange.sorted()) were never written") }
      for suffix in [".new", ".compacting"] where try fileSystem.kind(of: path + suffix) != nil {
        report(.wrong, "\(suffix) was left")
      }
      return found.sorted().reduce(7) { ContentHash.mix($0, UInt64(bitPattern: $1)) }
    } catch {
      report(.lost, "\(error)")
      return 0
    }
  }
}
