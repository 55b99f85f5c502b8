import RoostEngine
import RoostMaintenance

/// One changed file, opened, read and verified; and whether that went as it must.
package struct MutationTrial {
  /// What came of it.
  package enum Verdict: Equatable, Sendable {
    /// The file was not opened.
    case refused
    /// Some of the file could not be read, or verifying found something.
    case reported
    /// Nothing was found, and nothing that counts was changed.
    case sound
    /// What must never be.
    case failed(String)
  }

  /// What was done to the file.
  package private(set) var change = ""
  /// Whether that hit an extent, the slot or the roots of the newest version.
  package private(set) var hitsLiveUnit = false
  /// Whether the checksums were made right again.
  package let isSealed: Bool
  /// What came of it.
  package private(set) var verdict = Verdict.sound

  private let sample: SampleStore
  private var image: StoreImage
  private var random: SeededGenerator
  /// Whether verifying or opening must complain.
  private var mustBeFound = false
  /// Whether opening must.
  private var mustBeRefused = false
  /// What of the older slots may be opened instead, because the newest one was hit together with its mark.
  private var hitsSlot = false

  /// Runs the trial with this number.
  package init(seed: UInt64, number: Int, samples: [SampleStore]) {
    random = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ UInt64(number))
    sample = samples[Int(random.next() % UInt64(samples.count))]
    image = sample.image
    isSealed = number % 2 == 1
    if isSealed { lie() } else { damage() }
    verdict = judge()
  }

  /// The bytes of the file.
  package var byteCount: Int { image.bytes.count }

  // MARK: Changing the file

  private mutating func damage() {
    for _ in 0..<(random.chance(1, in: 4) ? Int.random(in: 2...4, using: &random) : 1) {
      let kind = FileChange.allCases.randomElement(using: &random) ?? .flippedBit
      let ranges = kind.apply(to: &image, stale: sample.stale, &random)
      change += "\(kind.rawValue) \(ranges) "
    }
    let old = sample.image
    let end = min(old.bytes.count, image.bytes.count)
    var place = 0
    // Sector by sector: what was changed twice may be as it was.
    while place < old.bytes.count {
      let next = min(place + 512, old.bytes.count)
      if next > end || old.bytes[place..<next] != image.bytes[place..<next] {
        if old.isLive(place) { hitsLiveUnit = true }
        if place < 65_536 { hitsSlot = true }
      }
      place = next
    }
    mustBeFound = hitsLiveUnit
    if hitsSlot, end > old.slot + Unit.bytes,
      old.bytes[old.slot..<old.slot + Unit.bytes] != image.bytes[old.slot..<old.slot + Unit.bytes]
    {
      hitsLiveUnit = true
    }
  }

  private mutating func lie() {
    hitsLiveUnit = true
    let draw = random.next() % 8
    for _ in 0..<20 where draw < 6 {
      switch draw {
      case 4:
        let lie = CatalogLie.allCases.randomElement(using: &random) ?? .tableCounter
        guard lie.apply(to: &image, &random) else { continue }
        change = lie.rawValue
        mustBeFound = image.bytes != sample.image.bytes
      case 5:
        let extreme = CounterExtreme.allCases.randomElement(using: &random) ?? .tables
        guard extreme.apply(to: &image, &random) else { continue }
        change = "counter of \(extreme.rawValue)"
      default:
        let lie = StructuralLie.allCases.randomElement(using: &random) ?? .rootCount
        guard lie.apply(to: &image, &random) else { continue }
        change = lie.rawValue
        mustBeFound = image.bytes != sample.image.bytes
        mustBeRefused = lie.mustBeRefused
      }
      return
    }
    // Long values are few among the extents, and have rules of their own.
    let values = image.extents.indices.filter {
      [.valueBytes, .valueLZ4, .valueList, .valueNode].contains(image.extents[$0].kind)
    }
    let drawn = draw == 6 && !values.isEmpty ? values : Array(image.extents.indices)
    guard let index = drawn.randomElement(using: &random) else { return }
    let extent = image.extents[index]
    let near = random.chance(1, in: 2) ? min(300, extent.range.count) : extent.range.count
    change = "bytes of \(extent.kind) at unit \(extent.range.lowerBound / Unit.bytes)"
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let offset = extent.range.lowerBound + Int.random(in: 0..<near, using: &random)
      switch random.next() % 6 {
      case 0: image.bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: image.bytes[offset] = UInt8(truncatingIfNeeded: random.next())
      case 2: image.bytes[offset] = [0, 1, 127, 128, 255][Int(random.next() % 5)]
      case 3: image.bytes[offset] &+= 1
      case 4:
        for place in offset..<min(offset + 8, extent.range.upperBound) {
          image.bytes[place] = UInt8(truncatingIfNeeded: random.next())
        }
      default:
        let source = extent.range.lowerBound + Int.random(in: 0..<near, using: &random)
        let count = min(24, extent.range.upperBound - max(offset, source))
        for place in 0..<count { image.bytes[offset + place] = image.bytes[source + place] }
      }
    }
    image.seal([index])
  }

  // MARK: Judging

  private mutating func judge() -> Verdict {
    let disk = MemoryFileSystem()
    let engine: Engine
    do throws(EngineError) {
      engine = try Self.open(image.bytes, on: disk, isReadOnly: true)
    } catch { return .refused }
    let snapshot = engine.snapshot()
    let reading = StoreReading(snapshot)
    let findings: [Corruption]
    do throws(EngineError) { findings = try snapshot.verify() } catch {
      return .failed("verifying threw \(error)")
    }
    if isSealed {
      if mustBeRefused { return .failed("it was opened") }
      write(on: disk)
      if !findings.isEmpty { return .reported }
      if mustBeFound { return .failed("nothing was reported") }
      if let difference = Consistency(snapshot, reading).firstDifference() {
        return .failed("not reported: \(difference)")
      }
      return .sound
    }
    let verdict = judge(reading, snapshot.version.transaction, findings)
    if case .failed = verdict { return verdict }
    if random.chance(1, in: 4) { write(on: disk) }
    return verdict
  }

  /// Of a file whose checksums say what was damaged, everything that is read is right.
  private func judge(
    _ reading: StoreReading, _ transaction: UInt64, _ findings: [Corruption]
  ) -> Verdict {
    guard let right = sample.versions[transaction] else {
      return .failed("there is no version \(transaction)")
    }
    if transaction != image.transactionOfSample(sample), !hitsSlot {
      return .failed("an older version was opened")
    }
    if let wrong = reading.firstWrong(comparedWith: right) { return .failed(wrong) }
    if reading.errors == 0, reading != right { return .failed("something is missing") }
    if findings.isEmpty {
      if reading.errors > 0 { return .failed("verifying found nothing, reading did") }
      if mustBeFound, transaction == image.transactionOfSample(sample) {
        return .failed("nothing was reported")
      }
      return .sound
    }
    return .reported
  }

  private static func open(
    _ bytes: [UInt8], on disk: MemoryFileSystem, isReadOnly: Bool
  ) throws(EngineError) -> Engine {
    do {
      let file = try disk.open(SampleStore.path, .create)
      defer { file.close() }
      try file.truncate(to: 0)
      try file.write(bytes, at: 0)
    } catch { throw .file(error) }
    var options = EngineOptions(isReadOnly: isReadOnly, createsFile: false, cacheBytes: 4 << 20)
    options.compactsOnOpen = nil
    return try Engine.open(SampleStore.path, in: disk, options: options)
  }

  /// Changes, saves and compacts the file, whatever comes of it.
  private mutating func write(on disk: MemoryFileSystem) {
    change(on: disk)
    _ = try? Engine.salvage(SampleStore.path, to: "saved.roost", in: disk)
    _ = try? Engine.compact(SampleStore.path, in: disk)
  }

  /// Adds a model, a field and an index, and changes objects.
  private mutating func change(on disk: MemoryFileSystem) {
    guard let engine = try? Self.open(image.bytes, on: disk, isReadOnly: false) else { return }
    let catalog = engine.snapshot().catalog
    try? engine.write { (transaction) throws(EngineError) in
      try transaction.addTables([
        TableDraft(
          name: "Added",
          fields: [
            FieldDefinition(name: "name", type: .string, isIdentifier: true),
            FieldDefinition(name: "owner", type: .link, isOptional: true),
            FieldDefinition(name: "next", type: .link, isOptional: true),
          ], linkTargets: ["owner": "Owner", "next": "Added"],
          indexes: [TableIndexDraft(of: ["owner", "name"])])
      ])
    }
    try? engine.write { (transaction) throws(EngineError) in
      guard let table = catalog.table(named: "Thing") else { return }
      try transaction.addField(
        FieldDefinition(name: "added", type: .int, isIndexed: true, defaultValue: .integer(7)),
        to: table.id)
      try transaction.addIndex(TableIndexDraft(of: ["price", "rank"]), to: table.id)
    }
    for table in catalog.tables.prefix(3) {
      let first = try? engine.snapshot().view.objects(table.id).first()?.key
      let key = first ?? 1
      try? engine.write { (transaction) throws(EngineError) in
        _ = try transaction.delete(from: table.id, key: key)
        let columns = try transaction.batch(for: table.id).columns
        for column in columns { column.append(Self.value(column.type, &random)) }
        _ = try transaction.insertRow(into: table.id, key: table.hasIntegerKey ? key : nil)
      }
    }
    _ = try? engine.snapshot().verify()
  }

  private static func value(_ type: PhysicalType, _ random: inout SeededGenerator) -> Value {
    switch type {
    case .integer: .integer(1)
    case .double: .double(1)
    case .float: .float(1)
    case .bytes: .bytes(random.bytes(30))
    case .uuid: .uuid(random.next(), random.next())
    }
  }
}

extension StoreImage {
  /// The newest transaction of the sample that the image was made from.
  fileprivate func transactionOfSample(_ sample: SampleStore) -> UInt64 { sample.image.transaction }
}
