// Mistakes with tasks and actors.
import Roost

func concurrent(_ person: Person, _ store: Store) async throws {
  // A transaction that leaves its closure.
  // expected-error@+1 {{type 'WriteTransaction' does not conform to the 'Sendable' protocol}}
  _ = try await store.write { $0 }
  // Without `await`.
  // expected-error@+2 {{expression is 'async' but is not marked with 'await'}} {{7-7=await }}
  // expected-note@+1 {{call is 'async'}}
  try store.write { try $0.insert(person) }
  // A transaction that waits for something else.
  // expected-error@+1 {{cannot pass function of type '@Sendable (WriteTransaction) async throws -> ()' to parameter expecting synchronous function type}}
  try await store.write { transaction in
    // expected-note@+1 {{'async' inferred from asynchronous operation used here}}
    await Task.yield()
    try transaction.insert(person)
  }
  // A variable that the closure changes.
  var count = 0
  try await store.write { transaction in
    // expected-error@+1 {{mutation of captured var 'count' in concurrently-executing code}}
    count += 1
    try transaction.insert(person)
  }
  // Changes are waited for, and may end with an error.
  // expected-error@+1 {{for-in loop requires 'Changes<ResultsChange<Person>>' to conform to 'Sequence'}}
  for change in store.changes(of: Person.all) { print(change) }
  // expected-error@+1 {{call can throw, but the error is not handled}}
  for await change in store.changes(of: Person.all) { print(change) }
}

// `await` in a function that does not wait.
// expected-note@+1 {{add 'async' to function 'synchronous' to make it asynchronous}} {{52-58=async throws}}
func synchronous(_ person: Person, _ store: Store) throws {
  // expected-error@+1 {{'await' in a function that does not support concurrency}}
  try await store.write { try $0.insert(person) }
}

// A property of the main actor.
@MainActor final class Screen {
  // expected-note@+1 {{mutation of this property is only permitted within the actor}}
  var people: [Person] = []
  func add(_ person: Person, to store: Store) async throws {
    try await store.write { transaction in
      try transaction.insert(person)
      // expected-error@+1 {{main actor-isolated property 'people' can not be mutated from a Sendable closure}}
      self.people.append(person)
    }
  }
}
