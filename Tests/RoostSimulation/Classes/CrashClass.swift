import RoostEngine
import RoostTestSupport
import Synchronization

/// Power failures at random calls of random workloads: what was acknowledged is there, and nothing but whole
/// transactions.
struct CrashClass: FaultClass {
  let name: String
  let unit = "images"
  /// The units of the files' rings.
  private let ringUnits: Int?

  /// Files with rings as they are in use.
  init() {
    name = "crash"
    ringUnits = nil
  }

  /// Files with rings of few units, whose records soon go on at the beginning.
  init(ringUnits: Int) {
    name = "ring"
    self.ringUnits = ringUnits
  }

  /// How many images a case makes.
  private static let images = 100

  /// 20 kinds of workload, 5 of durability, 5 times 100 images each: 50,000.
  func caseCount(isFull: Bool) -> Int { Workload.all.count * (isFull ? 1000 : 25) }

  func run(_ trial: Trial) throws {
    var workload = Workload.all[trial.number % Workload.all.count]
    workload.smallCommits = SmallCommits(trial.random.next())
    workload.durability =
      SyncPolicy.choices[
        trial.number / Workload.all.count % SyncPolicy.choices.count]
    workload.ringUnits = ringUnits
    let disk = SimulatedDisk(seed: trial.random.next())
    // The file does not exist at first: what a crash leaves of its making is a new one.
    var taken = Images(of: disk, workload, every: 2)
    taken.observe(trial.random.next())
    let session = try Session(workload, on: disk)
    taken.check(holds: [Model()], afterwards: [Model()], older: [], trial)
    var older: Set<UInt64> = []
    while trial.result.checks < Self.images {
      let before = session.possible
      taken.observe(trial.random.next())
      try session.step(&trial.random)
      taken.check(
        holds: before + [session.model], afterwards: session.possible, older: older, trial)
      for model in before { older.insert(model.digest) }
      guard trial.result.failures.isEmpty else { return }
    }
    try session.close()
  }
}

/// Crash images of a disk, taken at some of the calls to it.
private struct Images {
  private let disk: SimulatedDisk
  private let workload: Workload
  private let share: UInt64
  private let taken = TakenImages()
  private var salt: UInt64 = 0

  /// - Parameter share: One call in how many has an image taken.
  init(of disk: SimulatedDisk, _ workload: Workload, every share: UInt64) {
    self.disk = disk
    self.workload = workload
    self.share = share
  }

  /// Takes images from now on.
  mutating func observe(_ salt: UInt64) {
    self.salt = salt
    let share = share
    let taken = taken
    disk.observeCalls { [unowned disk] call in
      taken.add(call, disk) { number in
        let mixed = ContentHash.mix(number, salt)
        return mixed % share == 0 ? mixed : nil
      }
    }
  }

  /// Checks the images that were taken, and one that is taken now.
  func check(
    holds allowed: [Model], afterwards: [Model], older: Set<UInt64>, _ trial: Trial
  ) {
    disk.observeCalls(nil)
    for (call, number, image) in taken.removeAll() {
      let check = ImageCheck(
        workload: workload, allowed: allowed, older: older,
        place: "\(workload.name), crash before call \(number), \(call)")
      goOn(check.check(image, trial), image, trial)
    }
    let check = ImageCheck(
      workload: workload, allowed: afterwards, older: older.union(allowed.map(\.digest)),
      place: "\(workload.name), crash after a step")
    let image = disk.crashImage(seed: salt)
    goOn(check.check(image, trial), image, trial)
  }

  /// One time in four, writes to what a crash left and crashes again: recovering must have made it durable.
  private func goOn(_ found: Model?, _ image: SimulatedDisk, _ trial: Trial) {
    guard let found, trial.random.chance(1, in: 4) else { return }
    do {
      let session = try Session(workload, on: image, holding: found)
      try session.transact(&trial.random)
      let check = ImageCheck(
        workload: workload, allowed: session.possible,
        place: "\(workload.name), crash after a recovery and a commit")
      check.check(image.crashImage(seed: trial.random.next()), trial)
    } catch {
      trial.report(.wrong, "\(workload.name), writing after a recovery: \(error)")
    }
  }
}

/// The images taken during one step: all, or of very many as many from each part.
private final class TakenImages: Sendable {
  typealias Image = (call: SimulatedDisk.Call, number: UInt64, disk: SimulatedDisk)

  private let state = Mutex<(calls: UInt64, sampled: UInt64, images: [Image])>((0, 0, []))
  private static let imagesMax = 24

  /// Counts a call, and takes an image of the disk where its turn has come.
  ///
  /// - Parameter turn: A number at random where it is one of the calls that have their turn.
  func add(_ call: SimulatedDisk.Call, _ disk: SimulatedDisk, turn: (UInt64) -> UInt64?) {
    let number = state.withLock { state -> UInt64 in
      state.calls += 1
      return state.calls
    }
    guard let random = turn(number) else { return }
    let place = state.withLock { state -> Int? in
      state.sampled += 1
      if state.images.count < Self.imagesMax { return state.images.count }
      let place = (random >> 8) % state.sampled
      return place < UInt64(Self.imagesMax) ? Int(place) : nil
    }
    guard let place else { return }
    let image = disk.crashImage(seed: random)
    state.withLock { state in
      if place < state.images.count {
        state.images[place] = (call, number, image)
      } else {
        state.images.append((call, number, image))
      }
    }
  }

  /// The images, which are forgotten.
  func removeAll() -> [Image] {
    state.withLock { state in
      defer { state = (0, 0, []) }
      return state.images
    }
  }
}
