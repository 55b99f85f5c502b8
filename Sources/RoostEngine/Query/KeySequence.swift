/// The object keys of a result, in its order: a value whose copies share their common parts.
///
/// Finding, inserting and removing a key by its position costs O(√n) at most: the keys lie in chunks of about a
/// thousand, and an edit copies the chunks that it changes and the list of all chunks.
struct KeySequence: Sendable {
  /// The keys of each chunk; none is empty.
  private var chunks: [[Int64]] = []
  /// The number of keys before each chunk.
  private var starts: [Int] = []
  /// The number of keys.
  private(set) var count = 0

  /// The maximum size of a chunk, and the size of a new chunk.
  private static let chunkMax = 2048
  private static let chunkCount = 1024

  init() {}

  init(_ keys: some Sequence<Int64>) {
    var builder = Builder()
    for key in keys { builder.append(key) }
    self = builder.finish()
  }

  subscript(position: Int) -> Int64 {
    precondition(position >= 0 && position < count, "No such result.")
    let chunk = chunk(at: position)
    return chunks[chunk][position - starts[chunk]]
  }

  /// The first position whose key does not satisfy `precedes`, which must hold for a prefix of the keys.
  func partition(_ precedes: (Int64) throws(EngineError) -> Bool) throws(EngineError) -> Int {
    // The first chunk whose last key does not precede.
    let chunk = try chunks.partitioningIndex { (keys) throws(EngineError) in
      try !precedes(keys[keys.count - 1])
    }
    guard chunk < chunks.count else { return count }
    return try starts[chunk]
      + chunks[chunk].partitioningIndex { (key) throws(EngineError) in try !precedes(key) }
  }

  private func chunk(at position: Int) -> Int {
    starts.partitioningIndex { $0 > position } - 1
  }

  /// The keys from a position up to an end or the end of the chunk, at least one, without copying.
  func run(from position: Int, to end: Int) -> ArraySlice<Int64> {
    precondition(position >= 0 && position < end && end <= count, "No such results.")
    let chunk = chunk(at: position)
    let start = starts[chunk]
    return chunks[chunk][position - start..<min(end - start, chunks[chunk].count)]
  }

  /// Some of the keys, in order.
  func keys(_ range: Range<Int>) -> [Int64] {
    var keys: [Int64] = []
    keys.reserveCapacity(range.count)
    forEach(range) { keys.append($0) }
    return keys
  }

  /// Calls `body` with the keys at the given positions.
  func forEach(_ range: Range<Int>, _ body: (Int64) -> Void) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "No such results.")
    guard !range.isEmpty else { return }
    var chunk = chunk(at: range.lowerBound)
    var position = range.lowerBound
    while position < range.upperBound {
      let keys = chunks[chunk]
      let first = position - starts[chunk]
      let last = min(keys.count, range.upperBound - starts[chunk])
      for place in first..<last { body(keys[place]) }
      position += last - first
      chunk += 1
    }
  }

  /// The keys after removing some, and inserting others at their positions in the new sequence.
  ///
  /// - Parameters:
  ///   - removals: Positions in this sequence, ascending.
  ///   - insertions: Positions in the new sequence, ascending.
  func edited(
    removing removals: [Int], inserting insertions: [(position: Int, key: Int64)]
  ) -> KeySequence {
    var builder = Builder()
    var removal = 0
    var insertion = 0
    for (chunk, keys) in chunks.enumerated() {
      let end = starts[chunk] + keys.count
      let isCut = removal < removals.count && removals[removal] < end
      // Keys inserted behind the last chunk are appended below.
      let reach = builder.count + keys.count
      let isGrown = insertion < insertions.count && insertions[insertion].position < reach
      guard isCut || isGrown else {
        builder.append(chunk: keys)
        continue
      }
      for (place, key) in keys.enumerated() {
        if removal < removals.count, removals[removal] == starts[chunk] + place {
          removal += 1
          continue
        }
        while insertion < insertions.count, insertions[insertion].position == builder.count {
          builder.append(insertions[insertion].key)
          insertion += 1
        }
        builder.append(key)
      }
    }
    while insertion < insertions.count {
      precondition(insertions[insertion].position == builder.count, "A gap in the results.")
      builder.append(insertions[insertion].key)
      insertion += 1
    }
    return builder.finish()
  }

  /// Collects keys, and takes over whole chunks unchanged.
  private struct Builder {
    private var sequence = KeySequence()
    private var open: [Int64] = []

    /// The number of keys so far.
    var count: Int { sequence.count + open.count }

    mutating func append(_ key: Int64) {
      open.append(key)
      if open.count == KeySequence.chunkMax { close(KeySequence.chunkCount) }
    }

    mutating func append(chunk: [Int64]) {
      // Small chunks are merged.
      if !open.isEmpty, open.count + chunk.count <= KeySequence.chunkCount {
        open += chunk
      } else {
        close(.max)
        sequence.append(chunk)
      }
    }

    /// Makes a chunk of the first keys of the open chunk.
    private mutating func close(_ most: Int) {
      guard !open.isEmpty else { return }
      let keys = Array(open.prefix(most))
      open.removeFirst(keys.count)
      sequence.append(keys)
    }

    mutating func finish() -> KeySequence {
      close(.max)
      return sequence
    }
  }

  private mutating func append(_ chunk: [Int64]) {
    chunks.append(chunk)
    starts.append(count)
    count += chunk.count
  }
}
