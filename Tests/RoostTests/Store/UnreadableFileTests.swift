import Roost
import RoostEngine
import RoostTestSupport
import Testing

/// What becomes of a file that cannot be opened.
@Suite struct UnreadableFileTests {
  /// What is done to a sound file.
  enum Damage: CaseIterable, Sendable {
    case header, slots, cut, otherFile, newerFormat, olderFormat

    /// The file, and the error that opening it throws.
    func hit(_ sound: [UInt8], _ path: String) -> (bytes: [UInt8], error: StoreError) {
      var bytes = sound
      switch self {
      case .header:
        bytes[30] ^= 1
        return (
          bytes, .corrupt(path: path, damage: StoreDamage("header", unit: 0))
        )
      case .slots:
        for place in 16_384..<65_536 { bytes[place] = 0 }
        return (
          bytes, .corrupt(path: path, damage: StoreDamage("no valid slot"))
        )
      case .cut: return (Array(bytes.prefix(30_000)), .fileTruncated(path: path))
      case .otherFile:
        return (Array("Somebody else's notes".utf8), .notARoostFile(path: path))
      case .newerFormat:
        return (
          Self.withFormat(7, bytes), .fileIsNewer(path: path, features: ["file format 7"])
        )
      case .olderFormat:
        return (Self.withFormat(0, bytes), .fileIsOlder(path: path, format: 0))
      }
    }

    private static func withFormat(_ number: UInt8, _ sound: [UInt8]) -> [UInt8] {
      var bytes = sound
      bytes[16] = number
      let hash = unsafe bytes[0..<4088].withUnsafeBytes { unsafe XXH3.hash($0) }
      for place in 0..<8 {
        bytes[4088 + place] = UInt8(truncatingIfNeeded: hash >> UInt64(8 * place))
      }
      return bytes
    }
  }

  private let path = "groups.roost"

  private func open(
    _ disk: SimulatedDisk, _ policy: UnreadableFilePolicy, isReadOnly: Bool = false
  ) throws(StoreError) -> Store {
    var configuration = Configuration()
    configuration.fileSystem = disk
    configuration.onUnreadable = policy
    configuration.isReadOnly = isReadOnly
    return try Store(.file(path), models: Group.self, configuration: configuration)
  }

  private func soundBytes() throws -> [UInt8] {
    let disk = SimulatedDisk()
    try open(disk, .throw).write { try $0.insert(Group(id: 1, name: "a", size: nil)) }
    return try #require(disk.contents(of: path))
  }

  @Test(arguments: Damage.allCases)
  func isThrownAndLeftAloneByDefaultAndWhereItIsOnlyRead(damage: Damage) throws {
    let (bytes, error) = damage.hit(try soundBytes(), path)
    let disk = SimulatedDisk()
    disk.install(bytes, at: path)
    #expect(throws: error) { try open(disk, .throw) }
    #expect(throws: error) { try open(disk, .recreate, isReadOnly: true) }
    #expect(disk.contents(of: path) == bytes)
  }

  @Test(arguments: Damage.allCases)
  func isSetAsideUnderANameThatNoOtherHas(damage: Damage) throws {
    let (bytes, error) = damage.hit(try soundBytes(), path)
    let disk = SimulatedDisk()
    disk.install([1], at: path + ".unreadable")
    disk.install(bytes, at: path)
    do {
      let store = try open(disk, .setAside)
      #expect(store.unreadableFile?.reason == error)
      #expect(store.unreadableFile?.movedTo == path + ".unreadable-2")
      try store.write { try $0.insert(Group(id: 2, name: "b", size: nil)) }
    }
    #expect(disk.contents(of: path + ".unreadable") == [1])
    #expect(disk.contents(of: path + ".unreadable-2") == bytes)
    // The next opening finds the new file, also after a crash.
    let again = try open(disk.crashImage(seed: 1), .setAside)
    #expect(again.unreadableFile == nil)
    #expect(try again.read { try $0.fetch(Group.all) }.map(\.id) == [2])
  }

  @Test(arguments: Damage.allCases)
  func isRemovedWhereTheStoreIsACacheUnlessItIsSomebodyElses(damage: Damage) throws {
    let (bytes, error) = damage.hit(try soundBytes(), path)
    let disk = SimulatedDisk()
    disk.install(bytes, at: path)
    let store = try open(disk, .recreate)
    #expect(store.unreadableFile?.reason == error)
    let aside = damage == .otherFile ? path + ".unreadable" : nil
    #expect(store.unreadableFile?.movedTo == aside)
    #expect(disk.contents(of: path + ".unreadable") == (aside == nil ? nil : bytes))
    #expect(try store.read { try $0.fetch(Group.all) }.isEmpty)
  }

  @Test func aFileThatIsOpenElsewhereOrRefusedByTheSystemIsLeftAlone() throws {
    let disk = SimulatedDisk()
    let other = try open(disk, .throw)
    let bytes = disk.contents(of: path)
    #expect(throws: StoreError.locked(path: path)) { try open(disk, .recreate) }
    other.close()
    disk.inject(.init(.only(.read), call: 1, .failForGood(5)))
    #expect(throws: StoreError.io(operation: .read, path: path, errno: 5)) {
      try open(disk, .recreate)
    }
    #expect(disk.contents(of: path) == bytes)
  }
}
