import RoostEngine
import RoostTestSupport
import Synchronization

/// Short sequences of simple operations: a crash at every call that changes something, and of the writes that are
/// not synced then any set.
struct ExhaustiveClass: FaultClass {
  let name = "exhaustive"
  let unit = "images"

  /// How many images a case makes that does not run everything.
  private static let images = 200

  /// 105 times 200 images that the seed draws; or one case for each sequence and durability, with all images of its
  /// last operation: those of the ones before are the last ones of shorter sequences.
  func caseCount(isFull: Bool) -> Int {
    let count = Operation.all.count
    let sequences = count + count * count + count * count * count
    return isFull ? sequences * SyncPolicy.choices.count : 105
  }

  func run(_ trial: Trial) throws {
    var start = Operation.start
    start.durability = SyncPolicy.choices[trial.number % SyncPolicy.choices.count]
    if trial.isFull {
      let sequence = sequence(trial.number / SyncPolicy.choices.count)
      return try run(sequence, from: start, trial, most: .max)
    }
    while trial.result.checks < Self.images, trial.result.failures.isEmpty {
      let length = [1, 2, 3, 3, 3][Int.random(in: 0..<5, using: &trial.random)]
      let sequence = (0..<length).compactMap { _ in
        Operation.all.randomElement(using: &trial.random)
      }
      try run(sequence, from: start, trial, most: 40)
    }
  }

  /// The sequence with this number: the short ones first.
  private func sequence(_ number: Int) -> [Operation] {
    let all = Operation.all
    var number = number
    var length = 1
    var count = all.count
    while number >= count {
      number -= count
      length += 1
      count *= all.count
    }
    return (0..<length).map { _ in
      defer { number /= all.count }
      return all[number % all.count]
    }
  }

  private func run(
    _ sequence: [Operation], from start: Workload, _ trial: Trial, most: Int
  ) throws {
    let disk = SimulatedDisk(seed: trial.random.next())
    var random = SeededGenerator(seed: trial.random.next())
    let session = try Session(start, on: disk)
    for _ in 0..<3 { try session.transact(&random) }
    let text = sequence.map(\.name).joined(separator: ", ")
    for (place, operation) in sequence.enumerated() {
      let before = session.possible
      let taken = Mutex<[(SimulatedDisk.Call, UInt64, SimulatedDisk)]>([])
      let salt = trial.random.next()
      let most = trial.isFull && place < sequence.count - 1 ? 0 : most / sequence.count
      disk.observeCalls { [unowned disk] call in
        guard call.isChanging, most > 0 else { return }
        let images = Self.images(of: disk, salt: salt, most: most)
        taken.withLock { $0 += images.map { (call, $0, $1) } }
      }
      try operation.run(session, &random)
      disk.observeCalls(nil)
      var images = taken.withLock { $0 }
      // Of what the calls left, as many as were asked for.
      if images.count > most {
        images.shuffle(using: &trial.random)
        images.removeLast(images.count - most)
      }
      for (call, subset, image) in images {
        ImageCheck(
          workload: operation.workload, allowed: before + [session.model],
          place: "\(text): operation \(place), crash before \(call), of the writes "
            + String(subset, radix: 2)
        ).check(image, trial)
      }
    }
    let image = disk.crashImage(seed: 0, survival: .nothing)
    ImageCheck(
      workload: start, allowed: session.possible, place: "\(text): crash at the end"
    ).check(image, trial)
  }

  /// What a crash can leave now: every set of the pending changes while they are at most 10.
  private static func images(
    of disk: SimulatedDisk, salt: UInt64, most: Int
  ) -> [(UInt64, SimulatedDisk)] {
    let pending = disk.pendingChangeCount
    let count: UInt64 = pending <= 10 ? 1 << UInt64(pending) : 1 << 10
    var random = SeededGenerator(seed: salt &+ UInt64(disk.counters.total))
    let isEvery = count <= UInt64(most)
    return (0..<min(count, UInt64(most))).map { number in
      let subset =
        isEvery && pending <= 10 ? number : random.next() & ((1 << UInt64(min(pending, 63))) - 1)
      return (subset, disk.crashImage(seed: subset, survival: .subset(subset)))
    }
  }
}

/// One of the operations of which sequences are made.
private struct Operation: Sendable {
  enum Kind: Sendable {
    case transaction
    case pause(Workload.Break)
  }

  let kind: Kind
  let workload: Workload
  var name: String { workload.name }

  func run(_ session: Session, _ random: inout SeededGenerator) throws {
    switch kind {
    case .transaction: try session.transact(&random, as: workload)
    case .pause(let pause): try session.perform(pause)
    }
  }

  private init(_ name: String, _ changes: [Workload.Change], _ count: Int) {
    kind = .transaction
    workload = Workload(
      name: name, tables: Self.tables, changes: changes.map { ($0, 1) },
      changeCount: count...count, manyChanges: count, keys: 60, rollbacks: 0)
  }

  private init(_ name: String, _ pause: Workload.Break) {
    kind = .pause(pause)
    workload = Workload(name: name, tables: Self.tables, changes: [])
  }

  private static let tables = [
    ModelTable(
      "Note",
      fields: [
        ModelField("title", .string, sizes: 0...1500),
        ModelField("rank", .int, indexed: true, variety: 9),
      ]),
    ModelTable(
      "Link", fields: [ModelField("note", .link, optional: true, to: "Note")]),
  ]

  /// What every sequence begins from.
  static let start = Workload(
    name: "the start", tables: tables, changes: [(.insert, 1)], changeCount: 20...20,
    manyChanges: 20, keys: 60, rollbacks: 0)

  static let all: [Operation] = [
    Operation("insert", [.insert], 1),
    Operation("insert many", [.insertMany], 2),
    Operation("update", [.update], 1),
    Operation("update many", [.updateMany], 2),
    Operation("delete", [.delete], 1),
    Operation("delete many", [.deleteMany], 2),
    Operation("replace", [.replace], 3),
    Operation("add a field", [.addField], 1),
    Operation("remove a field", [.removeField, .addTable], 2),
    Operation("change an index", [.changeIndex], 2),
    Operation("reopen", .reopen),
    Operation("compact", .compact),
  ]
}
