internal import RoostEngine

/// References from one object to others, in order: the ids of the others.
///
/// ```swift
/// struct Playlist: Model {
///   let id: Int
///   var songs: Links<Song> = []
///   static let schema = Schema(Playlist.init, Key("id", \.id), Field("songs", \.songs))
/// }
/// ```
///
/// A collection of ids, which may contain the same id several times. It loads nothing; `fetch(playlist.songs)` in a
/// transaction or a snapshot loads the targets. An ``Inverse`` is the other direction, so lists make many-to-many relations.
/// At the end of a transaction every target must exist. A deleted object is removed from the lists that have it, unless the
/// field has another ``DeleteRule``.
///
/// An object is decoded with its whole list. Edit a long list in place with
/// ``WriteTransaction/links(_:of:)``.
public struct Links<Target: Model>: Hashable, Sendable {
  /// The ids, in their order.
  private(set) var ids: [Target.ID]

  /// Links to the objects with these ids.
  public init(ids: some Sequence<Target.ID>) { self.ids = Array(ids) }

  /// Links to some objects.
  public init(_ targets: some Sequence<Target>) { ids = targets.map(\.id) }

  /// Some links.
  public init(_ links: some Sequence<Link<Target>>) { ids = links.map(\.id) }

  /// Adds a link at the end.
  public mutating func append(_ target: Target) { ids.append(target.id) }

  /// Adds a link at the end.
  public mutating func append(_ link: Link<Target>) { ids.append(link.id) }

  /// Whether there is a link to an object.
  public func contains(_ target: Target) -> Bool { ids.contains(target.id) }

  /// Whether there is this link.
  public func contains(_ link: Link<Target>) -> Bool { ids.contains(link.id) }
}

extension Links: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// No links.
  public init() { ids = [] }
  /// The first position.
  public var startIndex: Int { ids.startIndex }
  /// The position after the last.
  public var endIndex: Int { ids.endIndex }
  /// The id at a position.
  public subscript(place: Int) -> Target.ID {
    get { ids[place] }
    set { ids[place] = newValue }
  }
  /// Replaces the links in a range of positions.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with ids: some Collection<Target.ID>
  ) {
    self.ids.replaceSubrange(range, with: ids)
  }
}

extension Links: ExpressibleByArrayLiteral {
  /// Links to the objects with these ids.
  public init(arrayLiteral ids: Target.ID...) { self.ids = ids }
}

extension Links: CustomStringConvertible {
  /// The description of the ids as an array.
  public var description: String { "\(ids)" }
}

/// A list of links: lets queries recognize it; for the store's own use.
public protocol _LinkList: PropertyValue {
  /// The target model of the links.
  associatedtype _Target: Model
}

extension Links: _LinkList {
  /// The target model of the links.
  public typealias _Target = Target

  /// Adds the columns.
  public static func _describe(_ columns: inout _Columns, default value: Links?) {
    if value?.isEmpty == false {
      columns.refuse("has links in its default, whose targets may not exist")
    }
    columns.addLinks(to: Target.self, of: Links.self)
  }
  /// Adds the columns of an optional.
  public static func _describeOptional(_ columns: inout _Columns, default value: Links??) {
    columns.refuse("is an optional list of links; an empty list says as much")
    _describe(&columns, default: nil)
  }
  /// The value in the next cells.
  public static func _decode(_ cells: inout _RowReader) throws(StoreError) -> Links {
    Links(ids: try cells.cell().ids(of: Target.self))
  }
  /// The value of an optional in the next cells.
  public static func _decodeOptional(_ cells: inout _RowReader) throws(StoreError) -> Links? {
    try _decode(&cells)
  }
  /// Appends values to the next columns.
  public static func _encode(
    _ values: _ValueRun<Self>, to columns: inout _RowWriter
  ) throws(StoreError) {
    let sink = columns.next()
    for index in 0..<values.count { try sink.append(links: values[index].ids, to: Target.self) }
  }
  /// Appends optionals to the next columns.
  public static func _encodeOptionals(
    _ values: _ValueRun<Self?>, to columns: inout _RowWriter
  ) throws(StoreError) {
    preconditionFailure("No store opens with an optional list of links.")
  }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Links] {
    let ids = Target.ID._samples(count)
    return (0..<Swift.min(count, ids.count + 1)).map { Links(ids: ids.prefix($0)) }
  }
  /// A list that is not in order, and has a target twice.
  public static var _unusualSamples: [Links] {
    let ids = Target.ID._samples(3)
    return [Links(ids: ids.reversed() + ids)]
  }
}

extension _Cell {
  /// The ids of the targets of a list of links.
  fileprivate func ids<Target: Model>(of target: Target.Type) throws(StoreError) -> [Target.ID] {
    let keys = try withBytes { (bytes) throws(StoreError) in LinkList.targets(bytes) }
    var ids: [Target.ID] = []
    ids.reserveCapacity(keys.count)
    // Reads each key like a single link's.
    let column = ColumnBuffer(type: .integer)
    for key in keys { column.append(key) }
    let word = CellColumn(column).word
    for row in keys.indices {
      let cell = _Cell(word: word, row: row, columns: columns, lookup: lookup)
      ids.append(try Link<Target>._read(cell).id)
    }
    withExtendedLifetime(column) {}
    return ids
  }
}
