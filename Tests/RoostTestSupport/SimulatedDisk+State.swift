import RoostEngine

extension SimulatedDisk {
  /// Everything about a disk that a lock must guard.
  struct State: Sendable {
    /// The names that a reader sees.
    var names: [String: UInt64] = [:]
    /// The names that a crash cannot take away.
    var durableNames: [String: UInt64] = [:]
    /// What was done to the names since, oldest first.
    var nameChanges: [NameChange] = []
    var directories: Set<String> = []
    var inodes: [UInt64: SimulatedInode] = [:]
    var lastInode: UInt64 = 0
    var capacity: UInt64?
    var isLying = false

    var counters = Counters()
    var faults: [Fault] = []
    var isPowerCut = false
    /// The read under way is to end before its end.
    var endsReadsShort = false
    /// Decides what failing writes and syncs leave behind.
    var generator: SeededGenerator
    /// The random numbers that files ask for.
    var numbers: SeededGenerator

    init(seed: UInt64) {
      generator = SeededGenerator(seed: seed)
      numbers = SeededGenerator(seed: ~seed)
    }

    /// Makes a new file and gives it the name.
    mutating func makeFile(_ path: String) -> UInt64 {
      lastInode += 1
      inodes[lastInode] = SimulatedInode()
      change(.create(path, lastInode))
      return lastInode
    }

    mutating func change(_ nameChange: NameChange) {
      nameChange.apply(to: &names)
      nameChanges.append(nameChange)
    }

    mutating func synchronizeNames(in directory: String) {
      guard !isLying else { return }
      for change in nameChanges where change.touches(directory) {
        change.apply(to: &durableNames)
      }
      nameChanges.removeAll { $0.touches(directory) }
    }

    /// How many more bytes the files may have.
    var room: UInt64 {
      guard let capacity else { return .max }
      let linked = Set(names.values)
      let used = inodes.reduce(0) { used, entry in
        linked.contains(entry.key) || entry.value.openCount > 0
          ? used + entry.value.current.size : used
      }
      return capacity > used ? capacity - used : 0
    }
  }

  /// A change of the names, atomic in a crash.
  enum NameChange: Sendable {
    case create(String, UInt64)
    case rename(from: String, to: String, UInt64)
    case remove(String, UInt64)

    /// The file whose name changes.
    var inode: UInt64 {
      switch self {
      case .create(_, let inode), .rename(_, _, let inode), .remove(_, let inode): inode
      }
    }

    func apply(to names: inout [String: UInt64]) {
      switch self {
      case .create(let path, let inode):
        names[path] = inode
      case .rename(let from, let to, let inode):
        if names[from] == inode { names[from] = nil }
        names[to] = inode
      case .remove(let path, let inode):
        if names[path] == inode { names[path] = nil }
      }
    }

    func touches(_ directory: String) -> Bool {
      switch self {
      case .create(let path, _), .remove(let path, _):
        RoostTestSupport.directory(of: path) == directory
      case .rename(let from, let to, _):
        RoostTestSupport.directory(of: from) == directory
          || RoostTestSupport.directory(of: to) == directory
      }
    }
  }
}

/// The part of a path before its last slash.
func directory(of path: String) -> String {
  path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
}
