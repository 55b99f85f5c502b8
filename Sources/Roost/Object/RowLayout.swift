internal import RoostEngine
internal import Synchronization

/// What all rows of a result share: where fields are, and which key path is which field.
final class RowLayout<M: Model>: Sendable {
  let model: ModelBinding
  let schema = M.schema
  private let lookup: any CellLookup & Sendable
  /// Which fields are found through another table.
  private let isLookedUp: [Bool]
  /// Stands for the rows where a cell needs a window only for the names in an error. It is never moved.
  @safe nonisolated(unsafe) let names: RowWindow
  /// Key paths that were asked for.
  private let known = KnownPaths()

  init(_ model: ModelBinding, lookup: any CellLookup & Sendable) {
    self.model = model
    self.lookup = lookup
    isLookedUp = schema.fields.map(\.type.isLookedUp)
    names = RowWindow(model, lookup: lookup)
  }

  /// A window for whole rows, for one thread.
  func window() -> RowWindow { RowWindow(model, lookup: lookup) }

  /// The place in the schema of a key path's field.
  func position(of path: AnyKeyPath) throws(StoreError) -> Int {
    if let known = known.position(of: path) { return known }
    guard let position = schema.position(of: path) else {
      throw .unknownField(model: model.name.name, property: "\(path)")
    }
    known.add(path, position)
    return position
  }

  /// A field of a row.
  @inline(__always)
  func read<V: Storable>(
    _ type: V.Type, _ position: Int, leaf: LeafReference, row: Int
  ) throws(StoreError) -> V {
    let chunk = try names.column(position, of: leaf)
    guard !chunk.hasExternals, !isLookedUp[position] else {
      return try readThroughWindow(type, position, leaf: leaf, row: row)
    }
    let value = unsafe withUnsafePointer(to: chunk) { chunk in
      var source = unsafe FieldSource.chunk(chunk)
      return unsafe withUnsafeMutablePointer(to: &source) { source in
        Result { () throws(StoreError) in
          try V._read(unsafe _Cell(window: names, source: source, row: row))
        }
      }
    }
    withExtendedLifetime(leaf) {}
    return try value.get()
  }

  /// A field whose value lies outside the leaf, or in another table.
  @inline(never)
  private func readThroughWindow<V: Storable>(
    _ type: V.Type, _ position: Int, leaf: LeafReference, row: Int
  ) throws(StoreError) -> V {
    let window = window()
    try window.move(to: leaf, only: position)
    return try V._read(window.cell(position, row: row))
  }
}

/// The places of fields by the identity of key paths: a literal in the source is one object.
private final class KnownPaths: Sendable {
  /// A key path with its field's place. Key paths are never changed, so that any thread may hold one;
  /// it is held, so that no other object can come to have its identity.
  private struct Entry: @unchecked Sendable {
    let path: AnyKeyPath
    let position: Int
  }

  private let entries = Mutex<[Entry]>([])

  func position(of path: AnyKeyPath) -> Int? {
    entries.withLock { entries in
      for index in entries.indices where entries[index].path === path {
        return entries[index].position
      }
      return nil
    }
  }

  func add(_ path: AnyKeyPath, _ position: Int) {
    let entry = Entry(path: path, position: position)
    entries.withLock { entries in
      if entries.count < 256 { entries.append(entry) }
    }
  }
}
