/// The seed of hash tables of keys and values.
enum HashSeed {
  /// Random and drawn once per process, so that nobody can choose values that collide; the system is not
  /// called again for each table of each transaction.
  static let ofProcess = UInt64.random(in: 0 ... .max)
}
