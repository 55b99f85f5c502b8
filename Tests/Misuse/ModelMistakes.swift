// Mistakes in the declaration of a model.
import Foundation
import Roost

// The fields are in another order than the initializer's parameters.
struct Disordered: Model {
  let id: Int
  var name: String
  var price: Int
  // expected-error@+1 {{'init(_:_:order:)' is unavailable: the fields are not in the order of the initializer's parameters, or have other types; or one of them has a type that cannot be stored: see the other errors}}
  static let schema = Schema(
    Disordered.init, Key("id", \.id),
    Field("price", \.price),
    Field("name", \.name))
}

// One field of many is forgotten.
struct Forgotten: Model {
  let id: Int
  var street: String
  var city: String
  var height: Double
  var zip: String
  // expected-error@+1 {{'init(_:_:missing:)' is unavailable: a Key or Field is missing: list one for each parameter of the initializer, in its order}}
  static let schema = Schema(
    Forgotten.init, Key("id", \.id), Field("street", \.street), Field("city", \.city),
    Field("zip", \.zip))
}

// A field is listed that the initializer does not take.
struct Overfull: Model {
  let id: Int
  var name: String
  init(id: Int) {
    self.id = id
    name = ""
  }
  // expected-error@+1 {{'init(_:_:_:tooMany:)' is unavailable: the initializer has fewer parameters than there are properties here: it has none for a 'let' with a value, 'let id = UUID()', which must be a 'var', nor for what it sets itself}}
  static let schema = Schema(Overfull.init, Key("id", \.id), Field("name", \.name))
}

// An enum that does not say that it is Storable.
enum Color: String { case red, green }
struct Colored: Model {
  let id: Int
  var color: Color
  // expected-error@+1 {{'init(_:_:order:)' is unavailable: the fields are not in the order of the initializer's parameters, or have other types; or one of them has a type that cannot be stored: see the other errors}}
  static let schema = Schema(
    Colored.init, Key("id", \.id),
    // expected-error@+1 {{'Field' is unavailable: the type of the property must be 'Storable' (an enum: 'enum Mood: String, Storable'), 'Opaque' (anything 'Codable', also an enum with payloads), 'Converted' (what another type can stand for), 'Embedded' (a struct), or a 'Link' to another model, or 'Links' to several of its objects}}
    Field("color", \.color))
}

// A struct that does not say that it is Embedded.
struct Point: Hashable { var x, y: Double }
struct Placed: Model {
  let id: Int
  var point: Point
  // expected-error@+1 {{'init(_:_:order:)' is unavailable: the fields are not in the order of the initializer's parameters, or have other types; or one of them has a type that cannot be stored: see the other errors}}
  static let schema = Schema(
    Placed.init, Key("id", \.id),
    // expected-error@+1 {{'Field' is unavailable: the type of the property must be 'Storable' (an enum: 'enum Mood: String, Storable'), 'Opaque' (anything 'Codable', also an enum with payloads), 'Converted' (what another type can stand for), 'Embedded' (a struct), or a 'Link' to another model, or 'Links' to several of its objects}}
    Field("point", \.point))
}

// An object within an object, as in Realm.
struct Owned: Model {
  let id: Int
  var owner: Person?
  // expected-error@+1 {{'init(_:_:order:)' is unavailable: the fields are not in the order of the initializer's parameters, or have other types; or one of them has a type that cannot be stored: see the other errors}}
  static let schema = Schema(
    Owned.init, Key("id", \.id),
    // expected-error@+1 {{'Field' is unavailable: the type of the property must be 'Storable' (an enum: 'enum Mood: String, Storable'), 'Opaque' (anything 'Codable', also an enum with payloads), 'Converted' (what another type can stand for), 'Embedded' (a struct), or a 'Link' to another model, or 'Links' to several of its objects}}
    Field("owner", \.owner))
}

// A type that no file can have.
// expected-error@+3 {{type 'Sized' does not conform to protocol 'Equatable'}}
// expected-error@+2 {{type 'Sized' does not conform to protocol 'Hashable'}}
// expected-note@+1 {{add stubs for conformance}}
struct Sized: Model {
  let id: Int
  // expected-note@+2 {{stored property type '(Int, Int)' does not conform to protocol 'Equatable', preventing synthesized conformance of 'Sized' to 'Equatable'}}
  // expected-note@+1 {{stored property type '(Int, Int)' does not conform to protocol 'Hashable', preventing synthesized conformance of 'Sized' to 'Hashable'}}
  var size: (Int, Int)
  // expected-error@+1 {{'init(_:_:order:)' is unavailable: the fields are not in the order of the initializer's parameters, or have other types; or one of them has a type that cannot be stored: see the other errors}}
  static let schema = Schema(
    Sized.init, Key("id", \.id),
    // expected-error@+1 {{'Field' is unavailable: the type of the property must be 'Storable' (an enum: 'enum Mood: String, Storable'), 'Opaque' (anything 'Codable', also an enum with payloads), 'Converted' (what another type can stand for), 'Embedded' (a struct), or a 'Link' to another model, or 'Links' to several of its objects}}
    Field("size", \.size))
}

// A class, as in Realm, Core Data and SwiftData.
// expected-error@+7 {{non-final class 'Animal' cannot conform to the 'Sendable' protocol}}
// expected-error@+6 {{protocol 'Model' requirement 'indexes' cannot be satisfied by a non-final class ('Animal') because it uses 'Self' in a non-parameter, non-result type position}}
// expected-error@+5 {{type 'Animal' does not conform to protocol 'Equatable'}}
// expected-error@+4 {{type 'Animal' does not conform to protocol 'Hashable'}}
// expected-note@+3 {{add stubs for conformance}}
// expected-note@+2 {{automatic synthesis of 'Equatable' is not supported for class declarations}}
// expected-note@+1 {{automatic synthesis of 'Hashable' is not supported for class declarations}}
class Animal: Model {
  let id: Int
  // expected-error@+1 {{stored property 'name' of 'Sendable'-conforming class 'Animal' is mutable}}
  var name: String
  init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
  // expected-error@+1 {{protocol 'Model' requirement 'schema' cannot be satisfied by a non-final class ('Animal') because it uses 'Self' in a non-parameter, non-result type position}}
  static let schema = Schema(Animal.init, Key("id", \.id), Field("name", \.name))
}

// The property wrapper of Realm.
struct Wrapped: Model {
  let id: Int
  // expected-error@+1 {{unknown attribute 'Persisted'}}
  @Persisted var name: String
  static let schema = Schema(Wrapped.init, Key("id", \.id), Field("name", \.name))
}

// The macro without its trait.
// expected-error@+1 {{unknown attribute 'Model'}}
@Model struct Generated {
  let id: Int
}

// No schema.
// expected-error@+2 {{type 'Unlisted' does not conform to protocol 'Model'}}
// expected-note@+1 {{add stubs for conformance}}
struct Unlisted: Model {
  let id: Int
}

// No id.
// expected-error@+2 {{type 'Anonymous' does not conform to protocol 'Identifiable'}}
// expected-error@+1 {{unavailable property 'id' was used to satisfy a requirement of protocol 'Identifiable': a model's key is its property 'id': rename yours, or add 'var id: String { … }' that returns it}}
struct Anonymous: Model {
  var name: String
  static let schema = Schema(Anonymous.init, Field("name", \.name))
}

// A key of another name than `id`.
// expected-error@+2 {{type 'Renamed' does not conform to protocol 'Identifiable'}}
// expected-error@+1 {{unavailable property 'id' was used to satisfy a requirement of protocol 'Identifiable': a model's key is its property 'id': rename yours, or add 'var id: String { … }' that returns it}}
struct Renamed: Model {
  let isbn: String
  // expected-error@+1 {{'Key' is unavailable: the key is the property 'id': rename yours, or add 'var id: String { … }' that returns it; of several, make a 'CompoundKey'}}
  static let schema = Schema(Renamed.init, Key("isbn", \.isbn))
}
// expected-error@+2 {{type 'Renumbered' does not conform to protocol 'Identifiable'}}
// expected-error@+1 {{unavailable property 'id' was used to satisfy a requirement of protocol 'Identifiable': a model's key is its property 'id': rename yours, or add 'var id: String { … }' that returns it}}
struct Renumbered: Model {
  let number: Int
  static let schema = Schema(
    Renumbered.init,
    // expected-error@+1 {{'Key' is unavailable: the key is the property 'id': rename yours, or add 'var id: String { … }' that returns it; of several, make a 'CompoundKey'}}
    Key("number", \.number))
}

// A key of two properties.
struct Booked: Model {
  var id: String { row }
  let row: String
  let number: Int
  // expected-error@+2 {{'init(_:_:missing:)' is unavailable: a Key or Field is missing: list one for each parameter of the initializer, in its order}}
  // expected-error@+1 {{'Key' is unavailable: a key of several properties is one property 'id' of a type that is a 'CompoundKey'}}
  static let schema = Schema(Booked.init, Key("row", \.row, "number", \.number))
}

// Fields without names.
struct Nameless: Model {
  let id: Int
  var name: String
  static let schema = Schema(
    Nameless.init,
    // expected-error@+1 {{'Key' is unavailable: give the key the name that it is stored under: 'Key("id"}}
    Key(\.id),
    // expected-error@+1 {{'Field' is unavailable: give the field the name that it is stored under: 'Field("name"}}
    Field(\.name))
}

// A name with a label.
struct Labelled: Model {
  let id: Int
  var name: String
  static let schema = Schema(
    Labelled.init, Key("id", \.id),
    // expected-error@+1 {{extraneous argument label 'name:' in call}} {{11-17=}}
    Field(name: "name", \.name))
}

// A schema that can change.
struct Mutable: Model {
  let id: Int
  // expected-error@+4 {{static property 'schema' is not concurrency-safe because it is nonisolated global shared mutable state}}
  // expected-note@+3 {{add '@MainActor' to make static property 'schema' part of global actor 'MainActor'}}
  // expected-note@+2 {{convert 'schema' to a 'let' constant to make 'Sendable' shared state immutable}} {{10-13=let}}
  // expected-note@+1 {{disable concurrency-safety checks if accesses are protected by an external synchronization mechanism}}
  static var schema = Schema(Mutable.init, Key("id", \.id))
}

// A default of another type.
struct Defaulted: Model {
  let id: Int
  var size: Int
  static let schema = Schema(
    Defaulted.init, Key("id", \.id),
    // expected-error@+1 {{cannot convert value of type 'String' to expected argument type 'Int'}}
    Field("size", \.size, .default("S")))
}

// An index for the key.
struct Indexed: Model {
  let id: Int
  static let schema = Schema(
    Indexed.init,
    // expected-error@+1 {{type 'KeyOption<Int>' has no member 'indexed'}}
    Key("id", \.id, .indexed))
}

// A required link that should become nil.
struct Nullified: Model {
  let id: Int
  var owner: Link<Person>
  static let schema = Schema(
    Nullified.init, Key("id", \.id),
    // expected-error@+1 {{'nullify' is unavailable: a link that is not optional cannot become nil: declare it as 'Link<…>?', or use '.cascade' or '.deny'}}
    Field("owner", \.owner, .onTargetDelete(.nullify)))
}

// A delete rule for what is no link.
struct Ruled: Model {
  let id: Int
  var owner: Int
  static let schema = Schema(
    Ruled.init, Key("id", \.id),
    // expected-error@+1 {{'onTargetDelete' is unavailable: only a 'Link' or 'Links' has a target: declare the property as one}}
    Field("owner", \.owner, .onTargetDelete(.cascade)))
}

// An enum with payloads, which says nothing.
enum Payment: Hashable, Codable { case cash, card(String) }
struct Paid: Model {
  let id: Int
  var payment: Payment
  // expected-error@+1 {{'init(_:_:order:)' is unavailable: the fields are not in the order of the initializer's parameters, or have other types; or one of them has a type that cannot be stored: see the other errors}}
  static let schema = Schema(
    Paid.init, Key("id", \.id),
    // expected-error@+1 {{'Field' is unavailable: the type of the property must be 'Storable' (an enum: 'enum Mood: String, Storable'), 'Opaque' (anything 'Codable', also an enum with payloads), 'Converted' (what another type can stand for), 'Embedded' (a struct), or a 'Link' to another model, or 'Links' to several of its objects}}
    Field("payment", \.payment))
}

// Misspelt properties.
struct Misspelt: Model {
  let id: Int
  var name: String
  static let schema = Schema(
    Misspelt.init, Key("id", \.id),
    // expected-error@+1 {{value of type 'Misspelt' has no member 'nmae'}}
    Field("name", \.nmae))
}
struct MisspeltAddress: Embedded {
  var street: String
  // expected-error@+1 {{value of type 'MisspeltAddress' has no member 'sreet'}}
  static let fields = Fields(MisspeltAddress.init, Part("street", \.sreet))
}

// A key with a value, which no object that is read can have.
struct Prefilled: Model {
  let id = UUID()
  var name: String
  // expected-error@+1 {{'init(_:_:_:tooMany:)' is unavailable: the initializer has fewer parameters than there are properties here: it has none for a 'let' with a value, 'let id = UUID()', which must be a 'var', nor for what it sets itself}}
  static let schema = Schema(Prefilled.init, Key("id", \.id), Field("name", \.name))
}

// A delete rule in the words of SQL.
struct Cascading: Model {
  let id: Int
  var owner: Link<Person>
  static let schema = Schema(
    Cascading.init, Key("id", \.id),
    // expected-error@+1 {{'onDelete' has been renamed to 'onTargetDelete(_:)'}}
    Field("owner", \.owner, .onDelete(.cascade)))
}

// Within an embedded struct: parts in another order, one that is forgotten, and one that cannot be stored.
struct Address: Embedded {
  var street: String
  var number: Int
  // expected-error@+1 {{'init(_:_:order:)' is unavailable: the parts are not in the order of the initializer's parameters, or have other types; or one of them has a type that cannot be stored: see the other errors}}
  static let fields = Fields(
    Address.init,
    Part("number", \.number), Part("street", \.street))
}
struct ShortAddress: Embedded {
  var street: String
  var number: Int
  // expected-error@+1 {{'init(_:_:missing:)' is unavailable: a Part is missing: list one for each parameter of the initializer, in its order}}
  static let fields = Fields(ShortAddress.init, Part("street", \.street))
}
struct ColoredAddress: Embedded {
  var street: String
  var color: Color
  // expected-error@+1 {{'init(_:_:order:)' is unavailable: the parts are not in the order of the initializer's parameters, or have other types; or one of them has a type that cannot be stored: see the other errors}}
  static let fields = Fields(
    ColoredAddress.init, Part("street", \.street),
    // expected-error@+1 {{'Part' is unavailable: the type of the part must be 'Storable' (an enum: 'enum Mood: String, Storable'), 'Opaque' (anything 'Codable', also an enum with payloads), 'Converted' (what another type can stand for), 'Embedded' (a struct), or a 'Link' to a model, or 'Links' to several of its objects}}
    Part("color", \.color))
}

// A part that says that it is a field.
struct FieldAddress: Embedded {
  var street: String
  // expected-error@+1 {{'Field' has been renamed to 'Part(_:_:_:)'}} {{49-54=Part}}
  static let fields = Fields(FieldAddress.init, Field("street", \.street))
}

// The inverse of a list with a name.
struct Club: Model {
  let id: Int
  // expected-error@+1 {{'init(_:_:)' is unavailable: the inverse of a list of links has no name, for it can be no branch of nested texts: its objects belong to no single owner; name the list itself in a branch of the other model}}
  static let members = Inverse(\ClubMember.clubs, "members")
  static let schema = Schema(Club.init, Key("id", \.id))
}
struct ClubMember: Model {
  let id: Int
  var clubs: Links<Club>
  static let schema = Schema(ClubMember.init, Key("id", \.id), Field("clubs", \.clubs))
}

// The rule of a link for a list of them.
struct Band: Model {
  let id: Int
  var members: Links<Person>
  static let schema = Schema(
    Band.init, Key("id", \.id),
    // expected-error@+1 {{'onMissingTarget' is unavailable: a list has no such rule: remove the ids of missing objects before the transaction ends}}
    Field("members", \.members, .onMissingTarget(.nullify)))
}

// Indexes of lists of links and of structs.
struct Choir: Model {
  let id: Int
  var members: Links<Person>
  var hall: Address
  var home: Address
  static let schema = Schema(
    Choir.init, Key("id", \.id),
    // expected-error@+1 {{'indexed' is unavailable: a list of links always has an index, which conditions on it use}}
    Field("members", \.members, .indexed),
    // expected-error@+1 {{'indexed' is unavailable: a struct has no index: give '.indexed' to a 'Part' of it}}
    Field("hall", \.hall, .indexed),
    // expected-error@+1 {{'unique' is unavailable: a struct is not unique: give '.unique' to a 'Part' of it, or declare a unique 'Index' of several}}
    Field("home", \.home, .unique))
}
