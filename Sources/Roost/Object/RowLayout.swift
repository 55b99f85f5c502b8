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
  /// Key paths that were asked for, with the places of their fields.
  private let known = Mutex<[KnownPath]>([])

  /// A key path with its field's place. Key paths are never changed, so that any thread may hold one.
  private struct KnownPath: @unchecked Sendable {
    let path: AnyKeyPath
    let position: Int
  }

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
    // A literal in the source is one object, so that mostly identity decides.
    let identity = ObjectIdentifier(path)
    let found = known.withLock { known in
      known.first { ObjectIdentifier($0.path) == identity }?.position
    }
    if let found { return found }
    guard let position = schema.position(of: path) else {
      throw .unknownField(model: model.name.name, property: "\(path)")
    }
    let entry = KnownPath(path: path, position: position)
    // The path is held, so that no other object can come to have its identity.
    known.withLock { known in
      if known.count < 256 { known.append(entry) }
    }
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
    var source = FieldSource.chunk(chunk)
    let value = unsafe withUnsafeMutablePointer(to: &source) { source in
      Result { () throws(StoreError) in
        try V._read(unsafe _Cell(window: names, source: source, row: row))
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
