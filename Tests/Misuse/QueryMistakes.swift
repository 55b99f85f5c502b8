// Mistakes in queries.
import Foundation
import Roost

func ask(_ person: Person, _ store: Store) throws {
  // As in GRDB.
  // expected-error@+1 {{'filter' has been renamed to 'where(_:)'}} {{14-20=where}}
  _ = Person.filter { $0.age > 3 }
  // As in Realm.
  // expected-error@+1 {{'filter' has been renamed to 'where(_:)'}} {{18-24=where}}
  _ = Person.all.filter { $0.age > 3 }
  // A text, as in Realm and Core Data.
  // expected-error@+1 {{cannot convert value of type 'String' to expected argument type '(QueryRoot<Person>) -> QueryCondition'}}
  _ = Person.where("age > 3")
  // As in Realm and Swift.
  // expected-error@+1 {{'sorted(by:)' has been renamed to 'order(by:)'}} {{18-24=order}}
  _ = Person.all.sorted(by: \.name)
  // expected-error@+1 {{'sorted(descending:by:)' has been renamed to 'order(descending:by:)'}} {{18-24=order}}
  _ = Person.all.sorted { $0.name }
  // As in many libraries.
  // expected-error@+1 {{'order(by:_:)' is unavailable: write 'order(by: …, descending: true)'}}
  _ = Person.all.order(by: \.name, .descending)
  // By what has no order.
  // expected-error@+1 {{'order(by:descending:)' is unavailable: only a 'Sortable' type has an order: an enum that says 'Sortable' instead of 'Storable' has that of its raw values}}
  _ = Moody.all.order(by: \.mood)
  // expected-error@+1 {{'order(by:descending:)' is unavailable: only a 'Sortable' type has an order: an enum that says 'Sortable' instead of 'Storable' has that of its raw values}}
  _ = Moody.all.order(by: \.mood, \.id)
  // expected-error@+1 {{'order(descending:by:)' is unavailable: only a 'Sortable' type has an order: an enum that says 'Sortable' instead of 'Storable' has that of its raw values}}
  _ = Moody.all.order { $0.mood }
  // By a link.
  // expected-error@+1 {{'order(by:descending:)' is unavailable: a link has no order: order by what its target has, 'order { $0.owner.name }'}}
  _ = Dog.all.order(by: \.owner)
  // expected-error@+1 {{'order(descending:by:)' is unavailable: a link has no order: order by what its target has, 'order { $0.owner.name }'}}
  _ = Dog.all.order { $0.owner }
  // As in predicate strings.
  // expected-error@+1 {{'between' is unavailable: write 'in(low...high)'}}
  _ = Person.where { $0.age.between(3, 5) }
  // A link and an inverse at once.
  // expected-error@+1 {{'including' is unavailable: links go into one 'including', and each inverse into one of its own behind it}}
  _ = Person.all.including(Person.dogs, Person.dogs)
  // What belongs before it.
  // expected-error@+1 {{'order(by:descending:)' is unavailable: filter, order and limit the query before its first 'including'}}
  _ = Dog.all.including(\.owner).order(by: \.name)
  // expected-error@+1 {{'order(descending:by:)' is unavailable: filter, order and limit the query before its first 'including'}}
  _ = Dog.all.including(\.owner).order { $0.name }
  // expected-error@+1 {{'where' is unavailable: filter, order and limit the query before its first 'including'}}
  _ = Dog.all.including(\.owner).where { $0.name == "Rex" }
  // expected-error@+1 {{'limit(_:offset:)' is unavailable: filter, order and limit the query before its first 'including'}}
  _ = Dog.all.including(\.owner).limit(3)
  // expected-error@+1 {{missing argument label 'by:' in call}} {{24-24=by: }}
  _ = Person.all.order(\.name)
  // As in SQL.
  // expected-error@+1 {{'group(by:)' is unavailable: write 'grouped(by: …)', and ask for its groups: 'try snapshot.groups(grouped) { $0.count }'}}
  _ = Person.all.group(by: \.age)
  // As in a dictionary.
  // expected-error@+1 {{'get(_:id:)' has been renamed to 'fetch(_:id:)'}} {{28-31=fetch}}
  _ = try store.snapshot().get(Person.self, id: 1)
  // Options without their label.
  // expected-error@+1 {{'contains' has been renamed to 'contains(_:options:)'}}
  _ = Person.where { $0.name.contains("ann", .caseInsensitive) }
  // A query has no results.
  // expected-error@+1 {{'count' is unavailable: a query has no results yet: 'try store.read { try $0.count(query) }'}}
  _ = Person.all.count
  // expected-error@+1 {{'first' is unavailable: a query has no results yet: 'try store.read { try $0.first(query) }'}}
  _ = Person.all.first
  // expected-error@+1 {{for-in loop requires 'Query<Person>' to conform to 'Sequence'}}
  for person in Person.all { print(person) }
  // As in GRDB.
  // expected-error@+1 {{'offset' is unavailable: say it with the limit: 'limit(10, offset: 2)'}}
  _ = Person.all.limit(10).offset(2)
  // A raw value, where a case is meant.
  // expected-error@+1 {{'==' is unavailable: compare with a case of the enum, such as '.first'}}
  _ = Moody.where { $0.mood == "calm" }
  // expected-error@+1 {{'==' is unavailable: compare with a case of the enum, such as '.first'}}
  _ = Moody.where { $0.maybe == "calm" }
  // A mistyped case.
  // expected-error@+1 {{type 'Mood' has no member 'clam'}}
  _ = Moody.where { $0.id > 3 && $0.mood == .clam }
  // expected-error@+1 {{type 'Mood?' has no member 'clam'}}
  _ = Moody.where { $0.maybe == .clam }
  // Misspelt.
  // expected-error@+1 {{value of type 'QueryRoot<Person>' has no dynamic member 'nmae' using key path from root type 'Person'}}
  _ = Person.where { $0.nmae == "Ann" }
  // expected-error@+1 {{value of type 'QueryValue<Link<Person>?>' has no dynamic member 'nmae' using key path from root type 'Optional<Link<Person>>._LinkedModel' (aka 'Person')}}
  _ = Dog.where { $0.owner.nmae == "Ann" }
  // Nil, where it cannot be.
  // expected-error@+1 {{'==' is unavailable: it is not optional itself; behind an optional, write '.orNil == nil'}}
  _ = Person.where { $0.name == nil }
  // expected-error@+1 {{'!=' is unavailable: it is not optional itself; behind an optional, write '.orNil != nil'}}
  _ = Dog.where { $0.owner.name != nil }
  // An id, where a link is meant.
  // expected-error@+1 {{'==' is unavailable: compare with a link, 'Link(id: id)', or ask '$0.owner.id'}}
  _ = Dog.where { $0.owner == 3 }
  // Dates have no arithmetic.
  // expected-error@+1 {{'+' is unavailable: move the other side: '$0.due < Date() - 3600'; to update: '{ $0.due += 60 }'}}
  _ = Person.where { $0.born + 3600 > Date() }
  // As in Realm and Core Data.
  // expected-error@+1 {{'contains' is unavailable: begin with the property: '$0.id.in(ids)'}}
  _ = Person.where { [3, 5].contains($0.id) }
  // expected-error@+1 {{'contains' is unavailable: begin with the property: '$0.id.in(ids)'}}
  _ = Person.where { (1...3).contains($0.age) && $0.name == "Ann" }
  // Types that do not mix.
  // expected-error@+1 {{'==' is unavailable: numbers of different types do not mix: use asDouble, asInt or asDecimal}}
  _ = Person.where { $0.age == 3.5 }
  // expected-error@+1 {{binary operator '==' cannot be applied to operands of type 'QueryValue<Int>' and 'String'}}
  _ = Person.where { $0.id == "3" }
  // expected-error@+1 {{'>' is unavailable: numbers of different types do not mix: use asDouble, asInt or asDecimal}}
  _ = Person.where { $0.score > $0.age }
  // expected-error@+1 {{'*' is unavailable: numbers of different types do not mix: use asDouble, asInt or asDecimal}}
  _ = Person.where { $0.age * 1.5 > 30 }
  // expected-error@+1 {{'-' is unavailable: numbers of different types do not mix: use asDouble, asInt or asDecimal}}
  _ = Person.where { 2.5 - $0.age < 3 }
  // expected-error@+1 {{cannot convert value of type 'String' to expected argument type 'Date'}}
  _ = Person.where { $0.born > "2020-01-01" }
  // An object, where a link to it should be.
  // expected-error@+1 {{'==' is unavailable: compare with a link: 'Link(object)'}}
  _ = Dog.where { $0.owner == person }
  // A chain, as in Swift.
  // expected-error@+2 {{cannot use optional chaining on non-optional value of type 'QueryValue<Link<Person>?>'}} {{27-28=}}
  // expected-error@+1 {{binary operator '==' cannot be applied to operands of type 'QueryValue<String>?' and 'String'}}
  _ = Dog.where { $0.owner?.name == "Ann" }
  // Swift's functions of values.
  // expected-error@+1 {{'lowercased()' is unavailable: compare with '.equals(text, options: .caseInsensitive)', or order by '.folded(.caseInsensitive)'}}
  _ = Person.where { $0.name.lowercased() == "ann" }
  // expected-error@+1 {{'starts(with:)' has been renamed to 'hasPrefix(_:)'}} {{30-36=hasPrefix}} {{37-43=}}
  _ = Person.where { $0.name.starts(with: "A") }
  // expected-error@+1 {{'startsWith' has been renamed to 'hasPrefix(_:)'}} {{30-40=hasPrefix}}
  _ = Person.where { $0.name.startsWith("A") }
  // expected-error@+1 {{'endsWith' has been renamed to 'hasSuffix(_:)'}} {{30-38=hasSuffix}}
  _ = Person.where { $0.name.endsWith("A") }
  // expected-error@+1 {{'matches' is unavailable: a query knows no regular expressions: 'like(_:)' has '*' for any text and '?' for one character}}
  _ = Person.where { $0.name.matches("A.*") }
  // expected-error@+1 {{'localizedStandardContains' is unavailable: write 'contains(text, options: [.caseInsensitive, .diacriticInsensitive])'}}
  _ = Person.where { $0.name.localizedStandardContains("ann") }
  // expected-error@+1 {{'localizedCaseInsensitiveContains' is unavailable: write 'contains(text, options: .caseInsensitive)'}}
  _ = Person.where { $0.nickname.localizedCaseInsensitiveContains("ann") }
  // expected-error@+1 {{'count' is unavailable: a query does not count characters: store their number in a field of its own}}
  _ = Person.where { $0.name.count > 3 }
  // One `=`.
  // expected-error@+3 {{cannot assign through dynamic lookup property: '$0' is immutable}}
  // expected-error@+2 {{cannot convert value of type '()' to closure result type 'QueryCondition'}}
  // expected-error@+1 {{cannot assign value of type 'Int' to type 'QueryValue<Int>'}}
  _ = Person.where { $0.age = 3 }
  // A condition of Swift.
  // expected-error@+1 {{cannot convert value of type 'Bool' to expected argument type 'QueryCondition'}}
  _ = Person.where { $0.age > 3 || person.isActive }
  // expected-error@+1 {{cannot convert value of type 'QueryCondition' to expected condition type 'Bool'}}
  _ = Person.where { if $0.age > 3 { true } else { false } }
  // No condition at all.
  // expected-error@+1 {{cannot convert value of type 'QueryValue<String?>' to closure result type 'QueryCondition'}}
  _ = Person.where { $0.nickname }
}

func askParts(_ seat: Seat) {
  // A part of a key.
  // expected-error@+1 {{'subscript(dynamicMember:)' is unavailable: a key is stored whole: ask for its first parts, '$0.id.begins(with: …)', or store the part in a field too}}
  _ = Seat.where { $0.id.number > 3 }
  // A struct.
  // expected-error@+1 {{'==' is unavailable: compare the parts: '$0.address.city == city'}}
  _ = Seat.where { $0.view == seat.view }
  // As Core Data's descriptors are called.
  // expected-error@+1 {{'sort' has been renamed to 'order(by:)'}} {{15-19=order}} {{20-20=by: }}
  _ = Dog.all.sort(\.name)
}

func askParts() {
  // A payload.
  // expected-error@+1 {{'subscript(dynamicMember:)' is unavailable: an 'Opaque' value is stored whole: ask for the case of one that is 'CaseNamed', '$0.payment.kind == .card', make a struct 'Embedded', or store the part in a field too}}
  _ = Bill.where { $0.payment.digits == "42" }
  // expected-error@+1 {{'subscript(dynamicMember:)' is unavailable: an 'Opaque' value is stored whole: ask for the case of one that is 'CaseNamed', '$0.payment.kind == .card', make a struct 'Embedded', or store the part in a field too}}
  _ = Bill.where { $0.payment.isCash }
  // An element by its place.
  // expected-error@+1 {{'subscript(_:)' is unavailable: a query asks for any or all of the elements: '$0.steps.contains { $0.minutes > 60 }'}}
  _ = Bill.where { $0.views[0].isFree }
  // As in Swift, and as in SQL.
  // expected-error@+1 {{'filter' has been renamed to 'where(_:)'}} {{30-36=where}}
  _ = Person.where { $0.dogs.filter { $0.id > 3 }.count > 2 }
  // expected-error@+1 {{'avg' has been renamed to 'average(_:)'}} {{30-33=average}}
  _ = Person.where { $0.dogs.avg { $0.id } > 2 }
  // As in many libraries.
  // expected-error@+1 {{'where(_:equals:)' is unavailable: write a condition: 'where { $0.name == name }'}}
  _ = Person.where(\.name, equals: "Ann")
  // expected-error@+1 {{'page(_:size:)' is unavailable: write 'limit(20, offset: 20 * number)'}}
  _ = Person.all.page(2, size: 20)
}

func askLinks(_ people: [Person]) {
  // Objects and ids, where links are meant.
  // expected-error@+1 {{'in' is unavailable: compare with links, 'in(objects.map { Link($0) })', or ask '$0.owner.id.in(ids)'}}
  _ = Dog.where { $0.owner.in(people) }
  // expected-error@+1 {{'in' is unavailable: ask for the target's id: '$0.owner.id.in(ids)'}}
  _ = Dog.where { $0.owner.in(people.map(\.id)) }
  // Without a query.
  // expected-error@+1 {{'order(by:descending:)' is unavailable: order a query: 'Person.all.order(by: \\.name)'}}
  _ = Person.order(by: \.name)
}

func explained(_ snapshot: Snapshot) throws {
  // Only what is filtered and ordered has a plan.
  // expected-error@+1 {{'explain' is unavailable: explain the query before its first 'including'}}
  _ = try snapshot.explain(Dog.all.including(\.owner))
  // expected-error@+1 {{'explain' is unavailable: explain the query before its 'grouped'}}
  _ = try snapshot.explain(Dog.all.grouped { $0.name })
}
