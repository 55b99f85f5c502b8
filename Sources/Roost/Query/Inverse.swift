/// The objects of another model that link to one: a link's other direction.
///
/// It stores nothing: every link has an index, and the inverse reads that. Name it where the target is:
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
  /// The link, or the list, which is stored with the source.
  let link: FieldStep
  private let isList: Bool

  /// The other direction of a link.
  public init(_ link: KeyPath<Source, Link<Target>>) {
    self.link = FieldStep(Source.self, link)
    isList = false
  }

  /// The other direction of a link that may be nil.
  public init(_ link: KeyPath<Source, Link<Target>?>) {
    self.link = FieldStep(Source.self, link)
    isList = false
  }

  /// The other direction of a list of links: the objects that have one or several links to a target in it.
  public init(_ links: KeyPath<Source, Links<Target>>) {
    link = FieldStep(Source.self, links)
    isList = true
  }

  /// The objects that link to the object with this id, whether that exists or not.
  public func callAsFunction(of id: Target.ID) -> Query<Source> {
    Query().where { _ in
      let path = FieldPath(field: link)
      return isList
        ? QueryValue<Links<Target>>(path: path).contains(id)
        : QueryValue<Link<Target>>(path: path) == Link(id: id)
    }
  }
}
