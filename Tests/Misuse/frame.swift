// refused: 'reader' is inaccessible due to 'package' protection level
// A page of the file, given by a pointer that a program makes up.
import RoostEngine

func page(_ snapshot: Snapshot) throws {
  _ = try snapshot.view.reader
}
