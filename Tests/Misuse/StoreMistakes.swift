// Mistakes in opening, reading and writing a store.
import Foundation
import Roost

func open() throws {
  // Opening may fail.
  // expected-error@+4 {{call can throw but is not marked with 'try'}}
  // expected-note@+3 {{did you mean to disable error propagation?}}
  // expected-note@+2 {{did you mean to handle error as optional value?}}
  // expected-note@+1 {{did you mean to use 'try'?}} {{7-7=try }}
  _ = Store("people.roost", models: Person.self)
  // The models in brackets, as in Realm.
  // expected-error@+1 {{'init(_:models:configuration:migrations:)' is unavailable: list the models without brackets: 'models: Person.self, Dog.self'}}
  _ = try Store("people.roost", models: [Person.self, Dog.self])
  // A URL, which is no place by itself.
  // expected-error@+1 {{'init(_:models:configuration:migrations:)' is unavailable: write '.file(url)'}}
  _ = try Store(URL(fileURLWithPath: "people.roost"), models: Person.self)
  // A plan without braces.
  let plan = MigrationPlan { MigrationStep("nothing") { _ in } }
  // expected-error@+1 {{'init(_:models:configuration:migrations:)' is unavailable: write the plan in braces: 'migrations: { App.migrations }'}}
  _ = try Store("people.roost", models: Person.self, migrations: plan)
  let path = "people.roost"
  // expected-error@+1 {{'init(_:models:configuration:migrations:)' is unavailable: write the plan in braces: 'migrations: { App.migrations }'}}
  _ = try Store(path, models: Person.self, migrations: plan)
  // A step by another name, and steps in brackets.
  // expected-error@+1 {{'init(_:body:)' is unavailable: a step is a 'MigrationStep(name) { migration in … }'}}
  _ = Migration("nothing") { _ in }
  // expected-error@+1 {{'init(_:models:configuration:migrations:)' is unavailable: list the steps in braces: 'migrations: { MigrationStep(…) { … } }'}}
  _ = try Store("people.roost", models: Person.self, migrations: [MigrationStep("no") { _ in }])
  // expected-error@+2 2 {{'buildOptional' is unavailable: a plan has all of its steps in every program: write an 'if' within the step's own braces}}
  _ = try Store(
    path, models: Person.self, migrations: { if path.isEmpty { MigrationStep("no") { _ in } } })
  // As in Realm's configuration.
  // expected-error@+1 {{'init(_:models:readOnly:)' is unavailable: say it in a configuration: 'configuration.isReadOnly = true'}}
  _ = try Store("people.roost", models: Person.self, readOnly: true)
  // A type without `.self`.
  // expected-error@+3 {{expected member name or initializer call after type name}}
  // expected-note@+2 {{add arguments after the type to construct a value of the type}}
  // expected-note@+1 {{use '.self' to reference the type object}} {{47-47=.self}}
  _ = try Store("people.roost", models: Person)
  // A type that is no model.
  // expected-error@+1 {{initializer 'init(_:models:configuration:migrations:fileID:line:)' requires that 'Mood' conform to 'Model'}}
  _ = try Store("people.roost", models: Mood.self)
}

func compact(_ store: Store) throws {
  // An open file is never compacted.
  // expected-error@+1 {{'compact()' is unavailable: a file is compacted when it is opened: as 'Configuration.compaction' says, or by 'roost compact'}}
  try store.compact()
}

func observe(_ store: Store) throws {
  // No changes, as in Realm.
  // expected-error@+1 {{'observe' is unavailable: follow a query with 'for try await change in store.changes(of: query)', or in a callback: 'store.changes(of: query).observe { … }'}}
  _ = try store.observe(Person.all) { change in print(change.results.count) }
}

func write(_ person: Person, _ store: Store) throws {
  // No transaction, as in SwiftData.
  // expected-error@+1 {{'insert' is unavailable: write in a transaction: 'try store.write { try $0.insert(object) }'}}
  try store.insert(person)
  // No transaction, as in Realm.
  // expected-error@+1 {{'add' is unavailable: write in a transaction: 'try store.write { try $0.insert(object) }'}}
  try store.add(person)
  // expected-error@+1 {{'delete' is unavailable: write in a transaction: 'try store.write { try $0.delete(…) }'}}
  try store.delete(person)
  // As in Realm.
  // expected-error@+1 {{'add' has been renamed to 'insert(_:)'}} {{28-31=insert}}
  try store.write { try $0.add(person) }
  // As in GRDB.
  // expected-error@+1 {{'save' has been renamed to 'upsert(_:)'}} {{28-32=upsert}}
  try store.write { try $0.save(person) }
  // expected-error@+1 {{value of type 'Person' has no member 'insert'}}
  try store.write { try person.insert($0) }
  // Of a snapshot.
  // expected-error@+1 {{'rows' is unavailable: rows are of snapshots: 'fetch' objects, or 'values(of:)'}}
  try store.write { _ = try $0.rows(Person.all) }
  // As in Realm, and as in SwiftData.
  // expected-error@+1 {{'deleteAll()' is unavailable: delete what queries find, each: 'delete(Person.all)'}}
  try store.write { try $0.deleteAll() }
  // expected-error@+1 {{'deleteAll' is unavailable: delete what a query finds: 'delete(Person.all)'}}
  try store.write { try $0.deleteAll(Person.self) }
  // expected-error@+1 {{'delete' is unavailable: delete what a query finds: 'delete(Person.all)'}}
  try store.write { try $0.delete(Person.self) }
  // As in Core Data.
  try store.write { transaction in
    try transaction.insert(person)
    // expected-error@+1 {{'save()' is unavailable: what is written is saved when the closure of 'write' returns}}
    try transaction.save()
  }
  // expected-error@+1 {{'save()' is unavailable: what is written is saved when the closure of 'write' returns}}
  try store.save()
  // The store, where its transaction should be.
  // expected-error@+1 {{'insert' is unavailable: write in a transaction: 'try store.write { try $0.insert(object) }'}}
  try store.write { _ in try store.insert(person) }
  // Several objects at once.
  // expected-error@+1 {{missing argument label 'contentsOf:' in call}} {{35-35=contentsOf: }}
  try store.write { try $0.insert([person]) }
  // Without `try`.
  // expected-error@+1 {{call can throw, but it is not marked with 'try' and the error is not handled}}
  try store.write { $0.insert(person) }
  // expected-error@+4 {{call can throw but is not marked with 'try'}}
  // expected-note@+3 {{did you mean to disable error propagation?}}
  // expected-note@+2 {{did you mean to handle error as optional value?}}
  // expected-note@+1 {{did you mean to use 'try'?}} {{3-3=try }}
  store.write { try $0.insert(person) }
  // A version cannot be written to.
  // expected-error@+1 {{'insert' is unavailable: a snapshot is only read; write in a transaction: 'try store.write { try $0.insert(object) }'}}
  try store.read { try $0.insert(person) }
}

func change(_ person: Person, _ dog: Dog, _ store: Store) throws {
  // A constant is changed.
  // expected-error@+1 {{cannot assign to property: 'person' is a 'let' constant}}
  person.age = 3
  // A property that was declared with `let`.
  // expected-error@+1 {{cannot assign to property: 'code' is a 'let' constant}}
  try store.write { try $0.update(Person.self, id: 1) { $0.code = "x" } }
  // A row of a version.
  // expected-error@+1 {{cannot assign through dynamic lookup property: 'row' is a 'let' constant}}
  for row in try store.snapshot().rows(Person.all) { row.age = 3 }
  // A value of another type.
  // expected-error@+1 {{cannot convert value of type 'String' to expected argument type 'Int'}}
  try store.write { try $0.update(Person.self, id: 1, set: \.age, to: "3") }
  // An id of another type.
  // expected-error@+1 {{cannot convert value of type 'UUID' to expected argument type 'Int'}}
  try store.write { try $0.delete(Person.self, id: UUID()) }
  // An object, where a link to it should be.
  var copy = dog
  // expected-error@+1 {{cannot assign value of type 'Person' to type 'Link<Person>'}}
  copy.owner = person
  print(copy)
}

func read(_ dog: Dog, _ store: Store) throws {
  // No version, as in SwiftData.
  // expected-error@+1 {{'fetch' is unavailable: read from a version: 'try store.read { try $0.fetch(query) }'}}
  _ = try store.fetch(Person.all)
  // expected-error@+1 {{'fetch(_:id:)' is unavailable: read from a version: 'try store.read { try $0.fetch(Person.self, id: id) }'}}
  _ = try store.fetch(Person.self, id: 1)
  // As in Realm.
  // expected-error@+5 {{call can throw but is not marked with 'try'}}
  // expected-error@+4 {{'objects' is unavailable: read from a version: 'try store.read { try $0.fetch(Person.all) }'}}
  // expected-note@+3 {{did you mean to disable error propagation?}}
  // expected-note@+2 {{did you mean to handle error as optional value?}}
  // expected-note@+1 {{did you mean to use 'try'?}} {{7-7=try }}
  _ = store.objects(Person.self)
  // expected-error@+1 {{'objects' is unavailable: fetch a query: 'fetch(Person.all)', or 'fetch(Person.where { … })'}}
  _ = try store.read { $0.objects(Person.self) }
  // A type, where a query should be.
  // expected-error@+1 {{'fetch' is unavailable: fetch a query, such as 'Person.all', a link, or an object by its type and id}}
  _ = try store.read { try $0.fetch(Person.self) }
  // expected-error@+1 {{'count' is unavailable: count a query: 'count(Person.all)'}}
  _ = try store.read { try $0.count(Person.self) }
  // The inverse, without the object that is linked to.
  // expected-error@+1 {{'fetch' is unavailable: fetch a query, such as 'Person.all', a link, or an object by its type and id}}
  _ = try store.read { try $0.fetch(Person.dogs) }
  // As in GRDB.
  // expected-error@+1 {{type 'Person' has no member 'fetchAll'}}
  _ = try store.read { try Person.fetchAll($0) }
  // An object that may be missing.
  // expected-error@+3 {{value of optional type 'Person?' must be unwrapped to refer to member 'name' of wrapped base type 'Person'}}
  // expected-note@+2 {{chain the optional using '?' to access member 'name' only for non-'nil' base values}}
  // expected-note@+1 {{force-unwrap using '!' to abort execution if the optional value contains 'nil'}}
  print(try store.snapshot().fetch(Person.self, id: 1).name)
  // A link holds an id, and no object.
  // expected-error@+1 {{value of type 'Link<Person>' has no member 'name'}}
  if let owner = dog.owner { print(owner.name) }
  // A row reads when it is asked.
  // expected-error@+4 {{subscript access can throw but is not marked with 'try'}}
  // expected-note@+3 {{did you mean to disable error propagation?}}
  // expected-note@+2 {{did you mean to handle error as optional value?}}
  // expected-note@+1 {{did you mean to use 'try'?}}
  for row in try store.snapshot().rows(Person.all) { print(row.name) }
  // Rows, where objects should be.
  // expected-error@+1 {{cannot convert value of type 'Rows<Person>' to specified type '[Person]'}}
  let people: [Person] = try store.snapshot().rows(Person.all)
  print(people)
}

// A snapshot in place of a transaction.
func write(to snapshot: Snapshot, _ person: Person) throws {
  // expected-error@+1 {{'insert' is unavailable: a snapshot is only read; write in a transaction: 'try store.write { try $0.insert(object) }'}}
  try snapshot.insert(person)
  // expected-error@+1 {{'delete' is unavailable: a snapshot is only read; write in a transaction: 'try store.write { try $0.delete(…) }'}}
  try snapshot.delete(person)
}

// What other libraries call it.
func call(_ store: Store, _ snapshot: Snapshot) throws {
  // expected-error@+1 {{'transaction' has been renamed to 'write(_:)'}} {{13-24=write}}
  try store.transaction { try $0.delete(Dog.all) }
  // expected-error@+1 {{'update' has been renamed to 'write(_:)'}} {{13-19=write}}
  try store.update { try $0.delete(Dog.all) }
  // expected-error@+1 {{'fetchAll' has been renamed to 'fetch(_:)'}} {{20-28=fetch}}
  _ = try snapshot.fetchAll(Dog.all)
  // expected-error@+1 {{'fetchOne' has been renamed to 'first(_:)'}} {{20-28=first}}
  _ = try snapshot.fetchOne(Dog.all)
  // expected-error@+1 {{'fetchCount' has been renamed to 'count(_:)'}} {{20-30=count}}
  _ = try snapshot.fetchCount(Dog.all)
  // expected-error@+1 {{'find' is unavailable: ask by a query: 'first(Person.where { $0.email == email })'}}
  _ = try snapshot.find(Person.self, \.name, "Ann")
  // expected-error@+1 {{'sum(_:of:)' is unavailable: write 'sum(\\.price, of: query)'}}
  _ = try snapshot.sum(Person.all, of: \.age)
  // expected-error@+1 {{'average(_:of:)' is unavailable: write 'average(\\.price, of: query)'}}
  _ = try snapshot.average(Person.all, of: \.age)
  // expected-error@+1 {{'min(_:of:)' is unavailable: write 'min(\\.price, of: query)'}}
  _ = try snapshot.min(Person.all, of: \.age)
  // expected-error@+1 {{'max(_:of:)' is unavailable: write 'max(\\.price, of: query)'}}
  _ = try snapshot.max(Person.all, of: \.age)
  // expected-error@+1 {{'changes(of:)' is unavailable: observe a query: 'changes(of: Person.all)'}}
  _ = store.changes(of: Person.self)
  // expected-error@+1 {{'changes(of:)' is unavailable: name what is read behind links: 'changes(of: Dog.all, reading: { $0.owner.name })', or observe with 'values(of:)'}}
  _ = store.changes(of: Dog.all.including(\.owner))
  // expected-error@+1 {{'changes(of:)' is unavailable: observe the query, and ask for its groups: 'values(of: Dog.all) { try $0.groups($1.grouped(by: …)) { $0.count } }'}}
  _ = store.changes(of: Dog.all.grouped(by: \.name))
}

func writeOtherwise(_ dog: Dog, _ store: Store) throws {
  try store.write { transaction in
    // As in Realm.
    // expected-error@+1 {{'add(_:update:)' has been renamed to 'upsert(_:)'}} {{25-28=upsert}}
    _ = try transaction.add(dog, update: .modified)
    // As in SQL.
    // expected-error@+1 {{'insert(_:onConflict:)' has been renamed to 'upsert(_:onConflict:)'}} {{25-31=upsert}}
    _ = try transaction.insert(dog, onConflict: .keep)
    // expected-error@+1 {{'insert(contentsOf:onConflict:)' has been renamed to 'upsert(contentsOf:onConflict:)'}} {{21-27=upsert}}
    try transaction.insert(contentsOf: [dog], onConflict: .keep)
    // An object for its id.
    // expected-error@+1 {{'update(_:set:to:)' is unavailable: write 'update(Person.self, id: person.id, set: \\.name, to: name)'}}
    try transaction.update(dog, set: \.name, to: "Rex")
    // Without a label, with a condition of its own, and by a link.
    // expected-error@+1 {{'upsert' has been renamed to 'upsert(contentsOf:)'}} {{28-28=contentsOf: }}
    try transaction.upsert([dog])
    // expected-error@+1 {{'delete(_:where:)' is unavailable: delete what a query finds: 'delete(Person.where { … })'}}
    _ = try transaction.delete(Dog.self, where: { $0.name == "Rex" })
    // expected-error@+1 {{'delete' is unavailable: delete its target: 'delete(Person.self, id: link.id)'}}
    _ = try transaction.delete(Link<Dog>(id: 3))
    // As in Realm.
    // expected-error@+1 {{'count' is unavailable: read from a version: 'try store.read { try $0.count(query) }'}}
    _ = try store.count(Dog.all)
    // As in GRDB.
    // expected-error@+1 {{'exists' is unavailable: count instead: 'try count(query.limit(1)) > 0'}}
    _ = try transaction.exists(Dog.all)
  }
}

func migrate() {
  _ = MigrationStep("names") { migration in
    try migration.rewrite("Dog") { old, new in
      // As in a dictionary.
      // expected-error@+2 {{'subscript(_:)' is unavailable: set a field by 'try new.set("name", to: name)'}}
      // expected-error@+1 {{'subscript(_:)' is unavailable: read a field by 'try old.value("name", as: String.self)'}}
      new["first"] = old["name"]
      // expected-error@+1 {{'value' is unavailable: say the value's type: 'try old.value("name", as: String.self)'}}
      try new.set("first", to: old.value("name"))
    }
  }
}
