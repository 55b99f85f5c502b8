import Foundation
import Releases
import Roost
import RoostTestSupport
import Synchronization

/// Power failures, failing calls and full disks while a release opens a file that an older one has written: each step of its
/// migration is there with its entry in the history, or neither is, and the next opening does the rest.
struct MigrationsClass: FaultClass {
  let name = "migrations"
  let unit = "images"

  /// Each release with each later one.
  private static let pairs = (2...5).flatMap { newer in (1..<newer).map { ($0, newer) } }

  /// 10 pairs of releases, each with several worlds.
  func caseCount(isFull: Bool) -> Int { Self.pairs.count * (isFull ? 100 : 8) }

  func run(_ trial: Trial) throws {
    let (older, newer) = Self.pairs[trial.number % Self.pairs.count]
    // The more people, the more of a step is written before it is committed.
    let isLarge = trial.number / Self.pairs.count % 4 == 3
    let file = try ReleaseFile(
      from: older, to: releases[newer - 1],
      people: Int.random(in: isLarge ? 300...600 : 10...60, using: &trial.random),
      cacheBytes: trial.random.chance(1, in: 2) ? 64 << 10 : 1 << 20, &trial.random)
    let opening = try Opening(file, trial)
    try opening.failPower()
    opening.failCalls(forGood: false)
    opening.failCalls(forGood: true)
    opening.fillDisk()
  }
}

/// One file that a later release opens, under every fault.
private struct Opening {
  private typealias Image = (call: Int, disk: SimulatedDisk)

  private let file: ReleaseFile
  private let trial: Trial
  /// What the file holds before each step, and after the last, in a run without faults.
  private let versions: [UInt64]
  /// How long the file is before and afterwards.
  private let bytes: (before: UInt64, after: UInt64)

  /// Migrates the file without faults.
  init(_ file: ReleaseFile, _ trial: Trial) throws {
    self.file = file
    self.trial = trial
    let disk = file.copy(seed: trial.random.next())
    let before = ReleaseFile.bytes(on: disk)
    var versions: [UInt64] = []
    for image in try Self.images(file, of: disk, salt: trial.random.next(), .everything) {
      let version = try file.version(on: image.disk)
      if versions.last != version { versions.append(version) }
    }
    self.versions = versions
    bytes = (before, ReleaseFile.bytes(on: disk))
    // What the models need no step for is one commit more.
    let steps = file.pending.count
    guard (steps...steps + 1).contains(versions.count - 1) else {
      throw Wrong("\(file.name): \(steps) steps in \(versions.count - 1) commits")
    }
  }

  /// Crash images of an opening: one before each of its calls, and one afterwards.
  private static func images(
    _ file: ReleaseFile, of disk: SimulatedDisk, salt: UInt64,
    _ survival: SimulatedDisk.Survival? = nil
  ) throws -> [Image] {
    let taken = Mutex<[Image]>([])
    disk.observeCalls { [unowned disk] _ in
      let call = disk.counters.total + 1
      let image = disk.crashImage(seed: ContentHash.mix(salt, UInt64(call)), survival: survival)
      taken.withLock { $0.append((call, image)) }
    }
    defer { disk.observeCalls(nil) }
    let store = try file.open(on: disk)
    disk.observeCalls(nil)
    let last = disk.crashImage(seed: salt, survival: survival)
    try file.check(store)
    store.close()
    return taken.withLock { $0 } + [(.max, last)]
  }

  // MARK: Faults

  /// Lets the power fail before each call, and when the opening has returned; one time in four once more.
  func failPower() throws {
    for _ in 0..<2 {
      let disk = file.copy(seed: trial.random.next())
      for image in try Self.images(file, of: disk, salt: trial.random.next()) {
        let isDone = image.call == .max
        let place =
          "\(file.name), power failure " + (isDone ? "at the end" : "before call \(image.call)")
        if trial.random.chance(1, in: 4) { failPower(in: image.disk, place) }
        check(image.disk, isDone: isDone, place)
        guard trial.result.failures.isEmpty else { return }
      }
    }
  }

  /// Lets the power fail once more, while the file is opened that a power failure has left.
  private func failPower(in image: SimulatedDisk, _ place: String) {
    do {
      let disk = image.crashImage(seed: trial.random.next(), survival: .everything)
      let images = try Self.images(file, of: disk, salt: trial.random.next())
      guard let again = images.randomElement(using: &trial.random) else { return }
      check(again.disk, isDone: again.call == .max, "\(place), and again before call \(again.call)")
    } catch { trial.report(.lost, "\(place), opened again: \(error)") }
  }

  /// Lets each call fail, once or with all after it.
  func failCalls(forGood: Bool) {
    var call = 1
    while trial.result.failures.isEmpty {
      let disk = file.copy(seed: trial.random.next())
      disk.inject(.init(.any, call: call, forGood ? .failForGood(EIO) : .failOnce(EIO)))
      let place = "\(file.name), error at call \(call)\(forGood ? " for good" : "")"
      let error = open(disk, place)
      guard disk.counters.failed > 0 else { return }
      switch error {
      case nil, .io(_, _, errno: EIO), .writesRefused: break
      case let error?: trial.report(.wrong, "\(place): \(error) is no clear error")
      }
      trial.add(1, to: "migrations_errors")
      disk.removeFaults()
      checkLeft(on: disk, isDone: error == nil, place)
      call += 1
    }
  }

  /// Opens the file on disks that have room for some of the migration, and none for all of it.
  func fillDisk() {
    let limits: UInt64 = 8
    for limit in 0..<limits {
      let disk = file.copy(seed: trial.random.next())
      let room = (bytes.after - min(bytes.before, bytes.after)) * limit / limits
      disk.capacity = bytes.before + room
      let place = "\(file.name), room for \(room) bytes"
      let error = open(disk, place)
      switch error {
      case nil: break
      case .diskFull?: trial.add(1, to: "migrations_full")
      case let error?: trial.report(.wrong, "\(place): \(error) is no clear error")
      }
      disk.capacity = nil
      checkLeft(on: disk, isDone: error == nil, place)
      guard trial.result.failures.isEmpty else { return }
    }
  }

  /// Opens the file; where that succeeds, all must be there.
  private func open(_ disk: SimulatedDisk, _ place: String) -> StoreError? {
    do throws(StoreError) {
      let store = try file.open(on: disk)
      disk.removeFaults()
      do { try file.check(store) } catch { trial.report(.wrong, "\(place): \(error)") }
      return nil
    } catch { return error }
  }

  // MARK: Checks

  /// Checks what a failed opening has left, what a power failure leaves of that, and that the process can try again.
  private func checkLeft(on disk: SimulatedDisk, isDone: Bool, _ place: String) {
    check(
      disk.crashImage(seed: trial.random.next(), survival: .everything), isDone: isDone, place)
    check(disk.crashImage(seed: trial.random.next()), isDone: isDone, place)
    do { try finish(disk) } catch { trial.report(.wrong, "\(place), tried again: \(error)") }
  }

  /// Checks that an image holds one version of the migration, and that opening it does the rest.
  private func check(_ image: SimulatedDisk, isDone: Bool, _ place: String) {
    do {
      let version = try file.version(on: image)
      trial.count(version)
      if isDone, version != versions.last {
        trial.report(.lost, "\(place): the store was open, and its migration is not there")
      } else if !versions.contains(version) {
        trial.report(.wrong, "\(place): what is there is between two steps")
      }
      try finish(image)
    } catch let error as Wrong {
      trial.report(.wrong, "\(place): \(error)")
    } catch { trial.report(.lost, "\(place): \(error)") }
  }

  /// Opens what a failure has left, and checks that all is there.
  private func finish(_ disk: SimulatedDisk) throws {
    let store = try file.open(on: disk)
    try file.check(store)
    store.close()
  }
}
