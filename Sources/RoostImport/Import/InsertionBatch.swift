internal import Roost

/// Inserts objects many at a time, which takes less for each.
struct InsertionBatch<M: Model> {
  private let transaction: WriteTransaction
  private var objects: [M] = []
  /// The bytes that the source had read when the batch was empty.
  private var bytesBefore = 0
  /// How many objects were inserted.
  private(set) var inserted = 0

  /// The most objects of a batch, and the bytes with which it is full.
  private static var countMax: Int { 512 }
  private static var bytesMax: Int { 1 << 20 }

  init(_ transaction: WriteTransaction) { self.transaction = transaction }

  /// Adds an object; inserts all if they are enough.
  ///
  /// - Parameter bytesRead: The bytes that the source has read so far; nil if it does not count them, and the objects might be
  ///   large: each is inserted by itself then.
  mutating func add(_ object: M, bytesRead: Int?) throws {
    guard let bytesRead else {
      try transaction.insert(object)
      return
    }
    objects.append(object)
    guard objects.count >= Self.countMax || bytesRead &- bytesBefore >= Self.bytesMax else {
      return
    }
    bytesBefore = bytesRead
    try insert()
  }

  /// Inserts what is left.
  ///
  /// - Throws: ``InsertionRefused``, with none of the batch inserted.
  mutating func insert() throws {
    guard !objects.isEmpty else { return }
    do { try transaction.insert(contentsOf: objects) } catch {
      throw InsertionRefused(error: error)
    }
    inserted += objects.count
    objects.removeAll(keepingCapacity: true)
  }
}

/// An object of a batch cannot be inserted.
struct InsertionRefused: Error {
  let error: StoreError
}
