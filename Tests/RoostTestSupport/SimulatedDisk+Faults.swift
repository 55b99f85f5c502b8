import Foundation
import RoostEngine
import Synchronization

extension SimulatedDisk {
  /// A kind of call that a disk counts and can fail.
  package enum Call: Int, CaseIterable, Hashable, Sendable {
    case open, status, read, write, synchronize, allocate, truncate, lock, rename, remove
    case synchronizeDirectory

    /// Whether the call changes what is on the disk.
    package var isChanging: Bool {
      switch self {
      case .write, .synchronize, .allocate, .truncate, .rename, .remove, .synchronizeDirectory: true
      case .open, .status, .read, .lock: false
      }
    }
  }

  /// How often a disk was called, and how much it moved.
  package struct Counters: Hashable, Sendable {
    private var calls = [Int](repeating: 0, count: Call.allCases.count)
    private var failures = [Int](repeating: 0, count: Call.allCases.count)
    /// Bytes that reads returned.
    package internal(set) var bytesRead: UInt64 = 0
    /// Bytes that writes were given and took.
    package internal(set) var bytesWritten: UInt64 = 0

    /// No calls.
    package init() {}

    /// How many calls of a kind there were, failed ones included.
    package internal(set) subscript(call: Call) -> Int {
      get { calls[call.rawValue] }
      set { calls[call.rawValue] = newValue }
    }

    /// How many calls there were.
    package var total: Int { calls.reduce(0, +) }

    /// How many calls there were that change what is on the disk.
    package var changing: Int {
      Call.allCases.reduce(0) { $1.isChanging ? $0 + self[$1] : $0 }
    }

    /// How many calls of a kind a fault hit.
    package func failed(_ call: Call) -> Int { failures[call.rawValue] }

    /// How many calls a fault hit.
    package var failed: Int { failures.reduce(0, +) }

    mutating func noteFailure(of call: Call) { failures[call.rawValue] += 1 }

    /// How many times bytes were made durable.
    package var synchronizations: Int { self[.synchronize] }
  }

  /// A failure to come.
  package struct Fault: Hashable, Sendable {
    /// Which calls.
    package enum Target: Hashable, Sendable {
      /// All calls.
      case any
      /// All calls that change what is on the disk.
      case changing
      /// Calls of one kind.
      case only(Call)

      func includes(_ call: Call) -> Bool {
        switch self {
        case .any: true
        case .changing: call.isChanging
        case .only(let only): only == call
        }
      }
    }

    /// What happens.
    package enum Effect: Hashable, Sendable {
      /// This call fails with the error number.
      case failOnce(Int32)
      /// This call and all later ones of the target fail with the error number.
      case failForGood(Int32)
      /// This read, or from it on each one, ends before its end, as if the file did.
      case readShort(forGood: Bool)
      /// From this call on, all calls of any kind fail with `EIO`, and none has any effect.
      case cutPower
    }

    var target: Target
    var remaining: Int
    var effect: Effect

    /// A failure of the `count`-th call of the target from now on, 1 being the next.
    package init(_ target: Target, call count: Int, _ effect: Effect) {
      self.target = target
      remaining = count
      self.effect = effect
    }
  }

  /// Lets a call fail that is still to come.
  ///
  /// A failing write may have written any first part of its bytes; after a failing sync any part of what
  /// it should have covered is durable, and the rest will never be, though readers still see it.
  package func inject(_ fault: Fault) {
    state.withLock { $0.faults.append(fault) }
  }

  /// Takes back all faults, a cut of the power too.
  package func removeFaults() {
    state.withLock { state in
      state.faults = []
      state.isPowerCut = false
    }
  }

  /// What was asked of the disk since it was made, or since ``resetCounters()``.
  package var counters: Counters { state.withLock { $0.counters } }

  /// Starts counting from zero.
  package func resetCounters() {
    state.withLock { $0.counters = Counters() }
  }
}

extension SimulatedDisk.State {
  /// Counts a call and returns the error number it must fail with, if any.
  mutating func count(_ call: SimulatedDisk.Call) -> Int32? {
    counters[call] += 1
    var code: Int32?
    for index in faults.indices where faults[index].target.includes(call) {
      faults[index].remaining -= 1
      switch faults[index].effect {
      case .failOnce(let number) where faults[index].remaining == 0: code = number
      case .failForGood(let number) where faults[index].remaining <= 0: code = number
      case .readShort(let forGood) where call == .read:
        if faults[index].remaining == 0 || (forGood && faults[index].remaining < 0) {
          endsReadsShort = true
        }
      case .cutPower where faults[index].remaining <= 0: isPowerCut = true
      default: break
      }
    }
    if isPowerCut { code = EIO }
    if code != nil || endsReadsShort { counters.noteFailure(of: call) }
    return code
  }

  /// Whether the read under way must end before its end; asked once.
  mutating func takeShortRead() -> Bool {
    defer { endsReadsShort = false }
    return endsReadsShort
  }
}
