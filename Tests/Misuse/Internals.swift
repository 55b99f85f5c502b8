// What is for those who keep its rules.
import Roost
import RoostEngine

// The engine: pages, leaves, columns and versions.
// expected-error@+2 {{cannot find type 'Engine' in scope}}
// expected-error@+1 {{cannot find 'Engine' in scope}}
func open(_ path: String) throws -> Engine { try Engine.open(path) }

// The cell of a row, which a field's type keeps beyond its leaf.
final class CellKeeper {
  // expected-error@+2 {{the '_modify' accessor cannot return a ~Escapable result}}
  // expected-error@+1 {{the 'get' accessor cannot return a ~Escapable result}}
  var cell: _Cell?
}

// The end of a column, which a field's type keeps beyond its transaction.
// expected-error@+1 {{type '_CellSink' does not conform to protocol 'Escapable'}}
func keep(_ sinks: [_CellSink]) {}
