/// The policy of a cache for keeping objects: see ``Configuration/cache(maxBytes:expiresAfter:keeping:)``.
public struct CachePolicy: Sendable {
  /// The approximate maximum size of the file, in bytes.
  public var maxBytes: Int64
  /// The maximum age of an object; nil for any age.
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
  /// A store that is a cache: it removes expired objects, and the oldest objects if space is short.
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
  /// An object's age counts from its last insertion, replacement or change, even if the values stayed the same;
  /// or from its own date, if the model has one with ``FieldOption/cacheDate``. Nothing is hidden: an expired
  /// object exists until it is removed, and a ``Snapshot`` still has it afterwards. Reads write nothing.
  ///
  /// Objects are removed in separate commits when the store is opened, after writes, and by ``Store/trim()``:
  /// - objects of age `expiresAfter` and older; after writes, at most one search in a sixty-fourth of that time;
  /// - if more than seven tenths of `maxBytes` are in use, the oldest objects of all models, until six tenths are. So the file,
  ///   with its free space for the next commits, stays below 1.2 of `maxBytes`, if that is at least 8 MiB, no transaction
  ///   writes more than a tenth of it, no snapshot is retained for long, and there are objects that may be removed;
  ///   ``Durability/relaxed`` may take 4 MiB more. A file that has become larger is compacted when it is opened.
  ///
  /// Objects of kept models, values under names, and models that the program does not list are never removed. An object also
  /// stays while an object that stays links to it, if the link's rule denies or cascades the deletion; a later removal takes
  /// it once the linking object is gone. Links whose rule nullifies them are removed.
  ///
  /// Cost: the file stores the time of the last write with each object, some bytes per object. A write reads the clock; if a
  /// model with its own date changes, also the dates in the heads of its leaves. Freeing space reads the dates of
  /// all objects, each time that a tenth of `maxBytes` was written.
  ///
  /// A store may become a cache, and stop being one: objects that exist when it becomes a cache count as written then, and so
  /// do objects added by a program that opens the file differently. Keep permanent data in a separate store.
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

  /// Space is freed when more bytes than this are in use.
  var usedBytesMax: UInt64 { bytes(tenths: 7) }
  /// Space is freed until no more bytes than this are in use.
  var usedBytesAim: UInt64 { bytes(tenths: 6) }

  /// Whether a file is larger than allowed, and most of the excess is unused.
  func isTooLarge(fileBytes: UInt64, usedBytes: UInt64) -> Bool {
    fileBytes > bytes(tenths: 12) && usedBytes < bytes(tenths: 8)
  }

  private func bytes(tenths: UInt64) -> UInt64 {
    let (product, isOver) = UInt64(max(maxBytes, 0)).multipliedReportingOverflow(by: tenths)
    return isOver ? .max : product / 10
  }
}
