import RoostEngine
import RoostTestSupport

/// The file systems that must behave alike.
enum FileSystemUnderTest: CaseIterable, Sendable {
  case posix, memory, simulated

  /// Calls `body` with a new file system and the path of an empty directory in it.
  func withFileSystem(_ body: (any FileSystem, String) throws -> Void) throws {
    switch self {
    case .posix: try withTemporaryDirectory { try body(PosixFileSystem(), $0) }
    case .memory: try body(MemoryFileSystem(), "/memory")
    case .simulated: try body(SimulatedDisk(), "/disk")
    }
  }
}
