// refused: 'find' is inaccessible due to 'package' protection level
// A leaf, whose columns are bytes that it alone keeps in memory.
import RoostEngine

func column(_ snapshot: Snapshot, _ table: UInt32) throws {
  _ = try snapshot.view.find(5, in: table)
}
