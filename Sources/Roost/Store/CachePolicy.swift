/// Which objects a cache keeps: see ``Configuration/cache(maxBytes:expiresAfter:keeping:)``.
public struct CachePolicy: Sendable {
  /// How many bytes the file may have, about.
  public var maxBytes: Int64
  /// How old an object may become; nil for any age.
  public var expiresAfter: Duration?
  /// The models whose objects are never removed.
  public var keptModels: [any Model.Type]

  /// A policy.
  public init(
    maxBytes: Int64, expiresAfter: Duration? = nil, keeping keptModels: [any Model.Type] = []
  ) {
    self.maxBytes = maxBytes
    self.expiresAfter = expiresAfter
    self.keptModels = keptModels
  }
}

extension Configuration {
  /// A store that is a cache: objects that are too old are removed, and where room is short those that were written first.
  ///
  /// ```swift
  /// struct Page: Model {
  ///   let id: String
  ///   var text: String
  ///   static let schema = Schema(Page.init, Key("id", \.id), Field("text", \.text))
  /// }
  /// let store = try Store(
  ///   "pages.roost", models: Page.self,
  ///   configuration: .cache(maxBytes: 100 << 20, expiresAfter: .seconds(7 * 24 * 3600)))
  /// ```
  ///
  /// An object's age counts from when it was last inserted, replaced or changed, also where it was replaced by the same
  /// values; or from a date of its own, where the model has one with ``FieldOption/cacheDate``. Nothing is hidden: an
  /// object that expires is there until it is removed, and a ``Snapshot`` goes on to have it. Reading writes nothing.
  ///
  /// Objects are removed in a commit of its own when the store is opened, behind a write, and by ``Store/trim()``:
  /// - those of `expiresAfter` and older; behind writes, they are looked for once in a sixty-fourth of that time;
  /// - where more than seven tenths of `maxBytes` are in use, the oldest of all models, until it is six tenths. So the file,
  ///   with what it holds free for the next commits, stays below 1.2 of `maxBytes`, if that is at least 8 MiB, no transaction
  ///   writes more than a tenth of it, no snapshot is held for long, and there is something that may be removed;
  ///   ``Durability/relaxed`` may take 4 MiB more. A file that has become larger is compacted when it is opened.
  ///
  /// Never removed are objects of kept models, values under names, and models that the program does not list. An object stays,
  /// too, while one that stays links to it, if the link's rule denies the deletion or spreads it; it goes with a later
  /// removal, when that one is gone. Links that a rule says to remove are removed.
  ///
  /// Cost: the file notes with each object when it was written, some bytes an object. A write looks at the clock; where a
  /// model has a date of its own and changes, also at the dates in the heads of its leaves. Making room looks at the dates of
  /// all objects, each time that a tenth of `maxBytes` was written.
  ///
  /// A store may become a cache, and stop being one: objects that are there when it becomes one count as written then, and so
  /// do those that a program adds which opens the file otherwise. For what is to outlast, open another store beside it.
  ///
  /// - Parameters:
  ///   - maxBytes: How many bytes the file may have, about.
  ///   - expiresAfter: How old an object may become; nil for any age. As told by the wall clock.
  ///   - keptModels: The models whose objects are never removed.
  public static func cache(
    maxBytes: Int64, expiresAfter: Duration? = nil, keeping keptModels: [any Model.Type] = []
  ) -> Configuration {
    var configuration = Configuration()
    configuration.cache = CachePolicy(
      maxBytes: maxBytes, expiresAfter: expiresAfter, keeping: keptModels)
    return configuration
  }

  /// The current time, in whole milliseconds.
  var time: Double { (clock() * 1000).rounded() / 1000 }
}

extension CachePolicy {
  func keeps(_ model: ModelDescription) -> Bool {
    keptModels.contains { ObjectIdentifier($0) == model.name.type }
  }

  /// Room is made when more bytes than this are in use.
  var usedBytesMax: UInt64 { bytes(tenths: 7) }
  /// Until so many are.
  var usedBytesAim: UInt64 { bytes(tenths: 6) }

  /// Whether a file has become larger than it may, and most of what is too much is not used.
  func isTooLarge(fileBytes: UInt64, usedBytes: UInt64) -> Bool {
    fileBytes > bytes(tenths: 12) && usedBytes < bytes(tenths: 8)
  }

  private func bytes(tenths: UInt64) -> UInt64 {
    let (product, isOver) = UInt64(max(maxBytes, 0)).multipliedReportingOverflow(by: tenths)
    return isOver ? .max : product / 10
  }
}
