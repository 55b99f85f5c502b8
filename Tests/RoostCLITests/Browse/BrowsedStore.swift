#if Tool
import Foundation
import Roost
import RoostBrowse
import RoostDynamic
import RoostTestSupport
import Synchronization

struct Owner: Model {
  let id: Int
  var code: String
  var name: String
  var pets: Links<Pet>
  static let schema = Schema(
    Owner.init, Key("id", \.id), Field("code", \.code), Field("name", \.name),
    Field("pets", \.pets, .onTargetDelete(.nullify)))
}

struct Pet: Model {
  let id: String
  var age: Int?
  var nickname: String?
  var mass: Double
  var born: Date
  var photo: Data
  var film: Blob
  var tags: [String]
  var owner: Link<Owner>?
  static let schema = Schema(
    Pet.init, Key("id", \.id), Field("age", \.age, .indexed), Field("nickname", \.nickname),
    Field("mass", \.mass), Field("born", \.born), Field("photo", \.photo), Field("film", \.film),
    Field("tags", \.tags), Field("owner", \.owner, .onTargetDelete(.cascade)))
}

/// A time that tests move.
final class TestClock: Sendable {
  private let time = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { time.withLock { $0 } }
  func advance(_ duration: Duration) { time.withLock { $0 += duration } }
}

/// A store with owners and pets, and the session that a page would have.
struct BrowsedStore {
  let models: Store
  let session: BrowseSession
  let clock = TestClock()
  private let directory: TemporaryStore

  /// Removes the folder when nobody has it any more.
  private final class TemporaryStore: Sendable {
    let path: String

    init() throws {
      path = NSTemporaryDirectory() + "roost-browse-" + UUID().uuidString
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  static let film = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }

  /// - Parameter pets: How many; the first one has no age and an empty nickname.
  init(pets count: Int = 10, isWritable: Bool = false) throws {
    directory = try TemporaryStore()
    models = try Store(.file(directory.path + "/pets.roost"), models: Owner.self, Pet.self)
    try models.write { transaction in
      try transaction.insert(
        Owner(id: 1, code: "", name: "Ann <script>alert(1)</script>", pets: ["p0", "p1"]))
      try transaction.insert(Owner(id: 2, code: "B", name: "Ben", pets: []))
      try transaction.insert(contentsOf: (0..<count).map { Self.pet($0) })
    }
    let clock = clock
    session = BrowseSession(
      DynamicStore(models), name: "pets.roost", isWritable: isWritable, now: { clock.now })
  }

  static func pet(_ number: Int) -> Pet {
    Pet(
      id: "p\(number)", age: number == 0 ? nil : number,
      nickname: number == 0 ? "" : number == 1 ? nil : "nick \(number % 3)",
      mass: Double(number) / 4, born: Date(timeIntervalSinceReferenceDate: Double(number)),
      photo: Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, UInt8(number % 256)]),
      film: Blob(number == 3 ? film : []), tags: ["a", "b\(number)"],
      owner: number % 2 == 0 ? Link(id: 1) : nil)
  }

  /// What an operation of the page answers.
  func answer(_ operation: String, _ arguments: [String: Any] = [:]) async throws -> BrowseResponse
  {
    let body = try JSONSerialization.data(withJSONObject: arguments)
    return await session.answer(operation, Array(body))
  }

  /// The members of an answer.
  func ask(_ operation: String, _ arguments: [String: Any] = [:]) async throws -> [String: Any] {
    let answer = try await answer(operation, arguments)
    let value = try JSONSerialization.jsonObject(with: Data(answer.body))
    return value as? [String: Any] ?? [:]
  }

  /// The keys of the rows of a query.
  func keys(_ arguments: [String: Any]) async throws -> [String] {
    let found = try await ask("rows", arguments)
    return (found["rows"] as? [[String: Any]] ?? []).compactMap { $0["k"] as? String }
  }
}

/// The text of a JSON value, for comparing.
func text(_ value: Any?) -> String {
  guard let value else { return "" }
  let data = try? JSONSerialization.data(
    withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
  return String(decoding: data ?? Data(), as: UTF8.self)
}
#endif
