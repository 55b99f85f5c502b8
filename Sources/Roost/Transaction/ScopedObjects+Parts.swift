// All of these are compiled into the programs that use them, for most use none and are to be no larger for it.

/// Parts of objects, without decoding the objects.
extension ScopedObjects where Reader == Snapshot {
  /// The objects that a query finds, in its order, none of them decoded; see ``Snapshot/rows(_:)``.
  @_alwaysEmitIntoClient
  public func rows(_ query: Query<Object> = Object.all) throws(StoreError) -> Rows<Object> {
    try reader.rows(query)
  }

  /// The object with this id, or nil where there is none; nothing of it is decoded.
  @_alwaysEmitIntoClient
  public func row(id: Object.ID) throws(StoreError) -> Row<Object>? {
    try reader.row(Object.self, id: id)
  }

  /// The object that a link leads to, or nil where there is none; nothing of it is decoded.
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

/// Parts of objects, to be edited where they lie.
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
