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

/// Tells a process from the one that forked it, without a system call for each question.
///
/// A child made by `fork` has its parent's open files and their locks, and the parent's memory as it was. Were it to
/// write, each of the two would overwrite what the other has committed.
///
/// Each lookup in a snapshot asks, so the question is compiled into the module that asks: a load and a comparison.
package struct ForkGeneration: Equatable, Sendable {
  @usableFromInline let number: UInt32

  @inlinable
  init(number: UInt32) { self.number = number }

  /// The generation of the process that runs.
  @inlinable
  package static var current: ForkGeneration {
    ForkGeneration(number: forks.load(ordering: .relaxed))
  }

  /// The generation of the process that runs, for something that belongs to it: its children have others.
  package static func ofNewFile() -> ForkGeneration {
    _ = isCounting
    return current
  }

  /// Whether the process that runs is not a child of the one that this is the generation of.
  @inlinable
  package var isCurrent: Bool { number == Self.current.number }
}

/// How many forks lie between the process that runs and the one that first opened a file.
@usableFromInline let forks = Atomic<UInt32>(0)

/// Counts from its first use on. A `fork` that is followed by `exec`, and `posix_spawn`, count for nothing: the new
/// program begins anew.
private let isCounting: Bool = {
  // The child runs this before `fork` returns in it; adding to an atomic number is allowed there.
  pthread_atfork(nil, nil) { forks.add(1, ordering: .relaxed) } == 0
}()
