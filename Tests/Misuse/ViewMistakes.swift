// Mistakes in views.
import Roost
import RoostUI

@MainActor
func show(_ dogs: LiveQuery<Dog>) {
  // As in Realm.
  // expected-error@+1 {{'results' has been renamed to 'objects'}} {{12-19=objects}}
  _ = dogs.results
}
