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
///
/// With a name, `Inverse(\Person.group, "people")`, it can be a branch of nested texts: their objects have a member of that
/// name with the objects that link to them.
public struct Inverse<Target: Model, Source: Model>: Equatable, Sendable {
  /// The link, or the list of links, which is stored in the source.
  let link: FieldStep
  private let isList: Bool
  /// Whether an object may have several targets.
  package var isOfList: Bool { isList }
  /// The name of the member that has the objects in a nested text; nil if it can be in none.
  package let member: String?

  /// The reverse of a link.
  ///
  /// - Parameters:
  ///   - link: The link that leads the other way.
  ///   - member: The name of the member in nested texts; nil for none.
  public init(_ link: KeyPath<Source, Link<Target>>, _ member: String? = nil) {
    self.link = FieldStep(Source.self, link)
    isList = false
    self.member = member
  }

  /// The reverse of an optional link.
  ///
  /// - Parameters:
  ///   - link: The link that leads the other way.
  ///   - member: The name of the member in nested texts; nil for none.
  public init(_ link: KeyPath<Source, Link<Target>?>, _ member: String? = nil) {
    self.link = FieldStep(Source.self, link)
    isList = false
    self.member = member
  }

  /// The reverse of a list of links: the objects whose list has one or several links to a target.
  public init(_ links: KeyPath<Source, Links<Target>>) {
    link = FieldStep(Source.self, links)
    isList = true
    member = nil
  }

  /// The column of the link among those of the source; nil if the schema does not have it.
  package var linkColumn: Int? { link.position }
  /// The model of the objects that link.
  package var sourceModel: ModelName { link.model }
  /// The name of the link's field.
  package var linkName: String { link.name }

  /// The objects that link to this object, whether it is stored or not.
  public func callAsFunction(of target: Target) -> Query<Source> { self(of: target.id) }

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
