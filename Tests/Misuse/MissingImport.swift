// A file that does not import what it uses.

// expected-error@+2 {{cannot find type 'Model' in scope}}
// expected-note@+1 2 {{add import of module 'Roost'}} {{1-1=import Roost\n}}
struct WithoutImport: Model {
  let id: Int
}

func readWithoutImport() throws {
  // expected-error@+1 {{cannot find 'Store' in scope}}
  let store = try Store("people.roost", models: Person.self)
  print(store)
}

func askWithoutImport() throws {
  // expected-error@+1 2 {{static property 'all' is not available due to missing import of defining module 'Roost'}}
  print(Person.all)
}
