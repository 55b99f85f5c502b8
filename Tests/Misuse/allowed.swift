// The engine's own public calls: this one must compile, or the others would fail for another reason.
import Roost
import RoostEngine

func count(_ path: String) throws -> Int {
  try Engine.open(path).snapshot().view.count(ObjectQuery(table: 1))
}
