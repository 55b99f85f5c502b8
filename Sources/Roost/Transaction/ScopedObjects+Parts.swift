// All of these are compiled into the programs that use them: most programs use none and should not grow for it.

/// Reading parts of objects without decoding the objects.
extension ScopedObjects where Reader == Snapshot {
  /// The results of a query, in its order and undecoded; see ``Snapshot/rows(_:)``.
  @_alwaysEmitIntoClient
  public func rows(_ query: Query<Object> = Object.all) throws(StoreError) -> Rows<Object> {
    try reader.rows(query)
  }

  /// The object with this id, undecoded, or nil if there is none.
  @_alwaysEmitIntoClient
  public func row(id: Object.ID) throws(StoreError) -> Row<Object>? {
    try reader.row(Object.self, id: id)
  }

  /// The target of a link, undecoded, or nil if it does not exist.
  @_alwaysEmitIntoClient
  public func row(_ link: Link<Object>) throws(StoreError) -> Row<Object>? {
    try reader.row(link)
  }

  /// The blob of the object with this id, to be read in ranges; see ``Snapshot/blob(_:of:)``.
  @_alwaysEmitIntoClient
  public func blob(
    _ property: KeyPath<Object, Blob>, of id: Object.ID
  ) throws(StoreError) -> BlobReader {
    try reader.blob(property, of: id)
  }
}

/// Editing parts of objects in place.
extension ScopedObjects where Reader == WriteTransaction {
  /// A list of links of the object with this id, to be edited; see ``WriteTransaction/links(_:of:)``.
  @_alwaysEmitIntoClient
  public func links<Target: Model>(
    _ property: KeyPath<Object, Links<Target>>, of id: Object.ID
  ) throws(StoreError) -> LinksEditor<Target> {
    try reader.links(property, of: id)
  }

  /// The blob of the object with this id, to be read and written in ranges; see ``WriteTransaction/blob(_:of:)``.
  @_alwaysEmitIntoClient
  public func blob(
    _ property: KeyPath<Object, Blob>, of id: Object.ID
  ) throws(StoreError) -> BlobEditor {
    try reader.blob(property, of: id)
  }
}
