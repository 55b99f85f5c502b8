import Roost

/// A part of OO1.
struct Part: Model {
  let id: Int
  /// Ten characters.
  var type: String
  var x, y: Int
  /// Seconds since 1970.
  var built: Int

  static let schema = Schema(
    Part.init(id:type:x:y:built:), Key("id", \.id), Field("type", \.type), Field("x", \.x),
    Field("y", \.y), Field("built", \.built))
}

/// Where a part leads to; each part has three.
struct Connection: Model {
  /// Four times the source's id, and the place among its connections.
  let id: Int
  var source: Link<Part>
  var target: Link<Part>
  /// Ten characters.
  var type: String
  var length: Int

  static let schema = Schema(
    Connection.init(id:source:target:type:length:), Key("id", \.id), Field("source", \.source),
    Field("target", \.target, .indexed), Field("type", \.type), Field("length", \.length))

  static let perPart = 3

  /// The ids of a part's connections.
  static func ids(from part: Int) -> Range<Int> { part * 4..<part * 4 + perPart }
}

extension Part {
  init(id: Int, using random: inout SplitMix64) {
    self.init(
      id: id, type: "part-type\(random.below(10))", x: random.below(100_000),
      y: random.below(100_000), built: 1_600_000_000 + random.below(315_360_000))
  }

  /// Its three connections: nine of ten lead to the nearest hundredth of the parts.
  func connections(among count: Int, using random: inout SplitMix64) -> [Connection] {
    Connection.ids(from: id).map { connection in
      let near = id - count / 200 + random.below(max(count / 100, 1))
      let target = random.below(10) == 0 ? random.below(count) : min(max(near, 0), count - 1)
      return Connection(
        id: connection, source: Link(id: id), target: Link(id: target),
        type: "conn-type\(random.below(10))", length: random.below(1000))
    }
  }
}

/// What visiting parts has found.
struct PartVisits {
  private(set) var count = 0
  private(set) var sum = 0

  @inline(__always)
  mutating func visit(x: Int, y: Int, type: some Collection<UInt8>) {
    count += 1
    sum &+= x + y + textTouch(type)
  }

  var answer: Answer { Answer(count, sum) }
}

/// A database of parts and their connections. Each method is a transaction, and durable when it returns.
protocol PartDatabase: FileDatabase {
  func insert(_ parts: [Part], _ connections: [Connection]) throws
  /// Visits the parts of these ids.
  func visit(_ ids: [Int]) throws -> PartVisits
  /// Visits a part and, depth first, all that its connections lead to, so many hops away: parts as often as they come.
  func traverse(from id: Int, hops: Int) throws -> PartVisits
  /// The same against the direction of the connections.
  func traverseBackwards(from id: Int, hops: Int) throws -> PartVisits
}

extension Subject {
  var partDatabase: (any PartDatabase.Type)? {
    switch self {
    case .roost: RoostParts.self
    case .sqlite: SQLiteParts.self
    case .lmdb: LMDBParts.self
    #if GRDB
    case .grdb, .grdbRows: nil
    #endif
    }
  }
}
