/// The state of a search for the first matches in the order of an index, which gives up when matches are rare.
///
/// Its entries lead to objects anywhere in the file, and a scan would visit each leaf once. So entries are tested in batches,
/// each in key order, of which the next is as large as all before: a leaf is visited once for a batch.
struct IndexOrderSearch {
  private let limit: Int
  private let objectsMax: Int
  /// The first matches.
  var found: [Int64] = []
  /// The keys to be tested next, in the order of the index.
  var untested: [Int64] = []
  /// The number of keys to be tested together.
  private(set) var batchCount: Int
  /// The number of objects tested so far.
  private(set) var testedCount = 0
  /// The cost so far, in single objects.
  private var cost = 0

  /// - Parameter objectsMax: The number of single objects that can be tested for the cost of another path.
  init(limit: Int, objectsMax: Int) {
    self.limit = limit
    self.objectsMax = objectsMax
    batchCount = max(1, min(limit, Self.firstBatchMax, max(8, objectsMax / 80)))
    found.reserveCapacity(min(limit, Self.firstBatchMax))
  }

  /// Whether enough matches were found.
  var isFull: Bool { found.count >= limit }

  /// Takes the matches among the untested keys; false if the search gives up.
  ///
  /// - Parameter matching: The keys of the matches, ascending.
  mutating func take(_ matching: [Int64], visits: Int) -> Bool {
    let matches = Set(matching)
    for key in untested where matches.contains(key) {
      guard !isFull else { break }
      found.append(key)
    }
    let count = untested.count
    untested.removeAll(keepingCapacity: true)
    return didTest(count, visits: visits)
  }

  /// Whether some more objects may be tested.
  func mayTest(_ count: UInt64) -> Bool {
    count <= UInt64(clamping: objectsMax - testedCount)
  }

  /// Notes that objects were tested; false if the search gives up.
  ///
  /// It goes on without matches for a small part of the other path's cost, and then as long as the expected cost of the matches
  /// that are missing is at most half of that.
  mutating func didTest(_ count: Int, visits: Int) -> Bool {
    testedCount += count
    cost += visits * Self.visitCost + count * Self.testCost
    guard !isFull else { return true }
    let expected = Double(objectsMax) / 2 * Double(found.count) / Double(limit)
    let left = Double(objectsMax) / Self.trialPart + expected - Double(cost)
    let batch = min(left / Double(Self.visitCost + Self.testCost), Double(testedCount))
    guard batch >= 1 else { return false }
    batchCount = Int(batch)
    if !found.isEmpty {
      let missing = Double(limit - found.count) * Double(testedCount) / Double(found.count)
      batchCount = min(batchCount, Int(min(missing, batch)) + 8)
    }
    return true
  }

  private static let firstBatchMax = 32
  /// The cost of a leaf that is visited for some objects: about an eighth of its scan.
  private static let visitCost = 8
  /// The cost of an entry whose object lies in a visited leaf.
  private static let testCost = 2
  /// Before it finds a match, the search costs at most this part of the other path.
  private static let trialPart = 12.0
}
