// What every program may do: this one must compile, or the others would fail for another reason.
import Roost

func count<M: Model>(_ query: Query<M>, in path: String) throws -> Int {
  try Store(.file(path), models: M.self).snapshot().count(query)
}
