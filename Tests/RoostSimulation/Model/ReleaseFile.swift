import Releases
import Roost
import RoostEngine
import RoostTestSupport

/// A file that releases of an app have written, and a later release that is to open it.
struct ReleaseFile {
  static let path = "app.roost"

  /// The release that opens the file.
  let release: any Release.Type
  /// Which releases have opened the file, in words.
  let name: String
  /// The steps that the file lacks.
  let pending: [String]
  private let world: World
  private let start: SimulatedDisk
  private let cacheBytes: Int

  /// Writes a file with an older release, which may have found it migrated by earlier ones.
  init(
    from older: Int, to newer: any Release.Type, people: Int, cacheBytes: Int,
    _ random: inout SeededGenerator
  ) throws {
    var writers: [any Release.Type] = []
    for release in releases where release.number <= older {
      if release.number == older || random.chance(1, in: 3) { writers.append(release) }
    }
    let disk = SimulatedDisk(seed: random.next())
    release = newer
    name = (writers + [newer]).map { "\($0.number)" }.joined(separator: " to ")
    world = World(count: people, addedBy: writers.map { $0.number })
    self.cacheBytes = cacheBytes
    let configuration = Self.configuration(disk, cacheBytes)
    for (place, writer) in writers.enumerated() {
      let store = try writer.open(.file(Self.path), configuration)
      if place == 0 { try writer.add(0..<people, to: store) }
      try writer.add([World.idAdded(by: writer.number)], to: store)
      store.close()
    }
    start = disk.crashImage(seed: random.next(), survival: .everything)
    pending = try Store.pendingSteps(
      at: .file(Self.path), of: newer.plan, configuration: configuration)
  }

  private static func configuration(_ disk: SimulatedDisk, _ cacheBytes: Int) -> Configuration {
    var configuration = Configuration()
    configuration.fileSystem = disk
    configuration.cacheBytesMax = cacheBytes
    configuration.compaction = .never
    return configuration
  }

  /// The file as the older release has left it, on a disk of its own.
  func copy(seed: UInt64) -> SimulatedDisk {
    start.crashImage(seed: seed, survival: .everything)
  }

  /// How long the file on a disk is.
  static func bytes(on disk: SimulatedDisk) -> UInt64 {
    UInt64(disk.contents(of: path)?.count ?? 0)
  }

  /// Opens the file with the newer release, which migrates it.
  func open(on disk: SimulatedDisk) throws(StoreError) -> Store {
    try release.open(.file(Self.path), Self.configuration(disk, cacheBytes))
  }

  /// Throws where a migrated store does not hold what it must.
  func check(_ store: Store) throws {
    let history = try store.history.map(\.name)
    guard history == release.plan.steps.map(\.name) else {
      throw Wrong("the history is \(history)")
    }
    guard try release.people(in: store) == world.people else {
      throw Wrong("the people are not those that were there")
    }
    if let damage = try store.verify().first { throw Wrong("verify finds \(damage)") }
  }

  /// What the file on a disk holds, as the engine alone sees it: the number of its content and of its history.
  func version(on disk: SimulatedDisk) throws -> UInt64 {
    var configuration = Self.configuration(disk, cacheBytes)
    configuration.isReadOnly = true
    let snapshot = try Engine.open(
      Self.path, in: disk, options: EngineOptions(isReadOnly: true, cacheBytes: cacheBytes)
    ).snapshot()
    let findings = try snapshot.verify()
    if let finding = findings.first {
      throw Wrong("verify finds \(findings.count) before the migration goes on, first \(finding)")
    }
    // When each step was run is another time in each run.
    let content = try snapshot.modelDigest { !$0.name.hasSuffix(":roost.history") }
    let steps = try Store(.file(Self.path), configuration: configuration).history.map(\.name)
    return ContentHash.mix(content, ContentHash.of(steps.joined(separator: "\n")))
  }
}
