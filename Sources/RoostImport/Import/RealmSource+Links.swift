public import Roost

extension RealmSource.Object {
  /// A link to the model that the class of a property's target becomes; nil for null.
  ///
  /// Its id is that of ``id(as:)``. Where the model's id is another one, make the link of ``key(of:as:)``.
  ///
  /// - Throws: As ``key(of:as:)``.
  public func link<Target: Model>(
    _ property: String, to target: Target.Type = Target.self
  ) throws(RealmError) -> Link<Target>? where Target.ID: RealmDecodable {
    guard let id: Target.ID = try key(of: property) else { return nil }
    return Link(id: id)
  }

  /// Links to the model that the class of a list's, or a set's, elements becomes, in the order of the file.
  ///
  /// - Throws: As ``key(of:as:)``.
  public func links<Target: Model>(
    _ property: String, to target: Target.Type = Target.self
  ) throws(RealmError) -> Links<Target> where Target.ID: RealmDecodable {
    Links(ids: try keys(of: property, as: Target.ID.self))
  }
}
