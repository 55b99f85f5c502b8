import Foundation
import RoostEngine

/// Where the leaves of a table lie in a file, and the keys of their objects.
func leafPlaces(
  of table: String, in path: String
) throws -> [(unit: UInt64, keys: ClosedRange<Int>)] {
  let engine = try Engine.open(path)
  let snapshot = engine.snapshot()
  var places: [(unit: UInt64, keys: ClosedRange<Int>)] = []
  var leaves = try snapshot.view.objects(try snapshot.view.table(named: table).id).leaves()
  while let leaf = try leaves.next() {
    places.append((leaf.pointer.unit, Int(leaf.firstKey)...Int(leaf.lastKey)))
  }
  return places
}

/// Changes a bit of a unit of a file.
func damage(_ path: String, unit: UInt64) throws {
  var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
  bytes[Int(unit) * Unit.bytes + 40] ^= 1
  try bytes.write(to: URL(fileURLWithPath: path))
}
