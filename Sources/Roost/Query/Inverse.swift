/// The objects of another model that link to an object: the reverse of a link.
///
/// It stores nothing: every link has an index, which the inverse reads. Declare it in the target's model:
///
/// ```swift
/// struct Group: Model {
///   static let people = Inverse(\Person.group)
///   …
/// }
/// let count = try snapshot.count(Group.people, of: group.id)
/// let oldest = try snapshot.fetch(Group.people(of: group.id).order(by: \.age, descending: true).limit(3))
/// ```
public struct Inverse<Target: Model, Source: Model>: Equatable, Sendable {
  /// The link, or the list of links, which is stored in the source.
  let link: FieldStep
  private let isList: Bool

  /// The reverse of a link.
  public init(_ link: KeyPath<Source, Link<Target>>) {
    self.link = FieldStep(Source.self, link)
    isList = false
  }

  /// The reverse of an optional link.
  public init(_ link: KeyPath<Source, Link<Target>?>) {
    self.link = FieldStep(Source.self, link)
    isList = false
  }

  /// The reverse of a list of links: the objects whose list has one or several links to a target.
  public init(_ links: KeyPath<Source, Links<Target>>) {
    link = FieldStep(Source.self, links)
    isList = true
  }

  /// The objects that link to the object with this id, whether it exists or not.
  public func callAsFunction(of id: Target.ID) -> Query<Source> {
    Query().where { _ in
      let path = FieldPath(field: link)
      return isList
        ? QueryValue<Links<Target>>(path: path).contains(id)
        : QueryValue<Link<Target>>(path: path) == Link(id: id)
    }
  }
}
