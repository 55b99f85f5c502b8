public import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// Distinguishes a process from its forked children, without a system call for each check.
///
/// A child made by `fork` has its parent's open files and their locks, and a copy of the parent's memory. If it wrote,
/// parent and child would overwrite each other's commits.
///
/// Each lookup in a snapshot checks this, so the check is inlined into the calling module: a load and a comparison.
package struct ForkGeneration: Equatable, Sendable {
  @usableFromInline let number: UInt32

  @inlinable
  init(number: UInt32) { self.number = number }

  /// The generation of the current process.
  @inlinable
  package static var current: ForkGeneration {
    ForkGeneration(number: forks.load(ordering: .relaxed))
  }

  /// The generation of the current process, for a new file that belongs to it; its children have other generations.
  package static func ofNewFile() -> ForkGeneration {
    _ = isCounting
    return current
  }

  /// Whether this is the generation of the current process, not that of an ancestor.
  @inlinable
  package var isCurrent: Bool { number == Self.current.number }
}

/// The number of forks between the process that first opened a file and the current process.
@usableFromInline let forks = Atomic<UInt32>(0)

/// Counting starts with the first use. A `fork` followed by `exec`, and `posix_spawn`, do not count: the new program
/// starts again.
private let isCounting: Bool = {
  // The child runs this before `fork` returns in it; an atomic addition is allowed there.
  pthread_atfork(nil, nil) { forks.add(1, ordering: .relaxed) } == 0
}()
