import Foundation
import Roost
import RoostEngine
import Synchronization

/// A clock that tests set.
final class TestClock: Sendable {
  private let seconds: Mutex<Double>

  init(_ seconds: Double = 1000) { self.seconds = Mutex(seconds) }

  var now: Double { seconds.withLock { $0 } }

  func advance(_ by: Double) { seconds.withLock { $0 += by } }

  /// A cache whose age this clock counts.
  func cache(
    maxBytes: Int64 = 1 << 30, expiresAfter: Double? = 100, keeping: [any Model.Type] = [],
    on fileSystem: (any FileSystem)? = nil
  ) -> Configuration {
    var configuration = Configuration.cache(
      maxBytes: maxBytes, expiresAfter: expiresAfter.map { .seconds($0) }, keeping: keeping)
    configuration.clock = { self.now }
    if let fileSystem { configuration.fileSystem = fileSystem }
    return configuration
  }
}

/// What a cache holds: pages with what belongs to them.
enum Cached {
  /// As old as its last write.
  struct Page: Model {
    let id: String
    var text: String
    var count: Int
    static let schema = Schema(
      Page.init, Key("id", \.id), Field("text", \.text, .indexed), Field("count", \.count))
  }

  /// As old as its date; its link becomes nil.
  struct Visit: Model {
    let id: Int
    var date: Date
    var page: Link<Page>?
    static let schema = Schema(
      Visit.init, Key("id", \.id), Field("date", \.date, .cacheDate),
      Field("page", \.page, .onTargetDelete(.nullify)))
  }

  /// Denies that its page goes.
  struct Note: Model {
    let id: Int
    var text: String
    var page: Link<Page>?
    static let schema = Schema(
      Note.init, Key("id", \.id), Field("text", \.text), Field("page", \.page))
  }

  /// Would go with its note.
  struct Part: Model {
    let id: Int
    var note: Link<Note>?
    static let schema = Schema(
      Part.init, Key("id", \.id), Field("note", \.note, .onTargetDelete(.cascade)))
  }

  /// Never removed, and would go with its page.
  struct Draft: Model {
    let id: Int
    var page: Link<Page>?
    static let schema = Schema(
      Draft.init, Key("id", \.id), Field("page", \.page, .onTargetDelete(.cascade)))
  }

  static func store(_ location: Location, _ configuration: Configuration) throws -> Store {
    try Store(
      location, models: Page.self, Visit.self, Note.self, Part.self, Draft.self,
      configuration: configuration)
  }
}
