import Foundation

/// What it takes to open people of a program's first release as its second one.
final class MigrationSuite: Suite {
  private let objects: Int
  private let memoryOnly: Bool
  private let setting: SuiteSetting
  /// The subjects whose first release's file is there.
  private var made: Set<Subject> = []

  init(objects: Int, memoryOnly: Bool = false, _ setting: SuiteSetting) {
    self.objects = objects
    self.memoryOnly = memoryOnly
    self.setting = setting
  }

  func takesPart(_ subject: Subject) -> Bool { subject.migratingPeople != nil }

  var workloads: [Workload] {
    (memoryOnly ? [] : PeopleMigration.allCases.map(time)) + [.convert, .split].map(memory)
  }

  private func time(_ change: PeopleMigration) -> Workload {
    Workload(
      name: "migrate-\(change.rawValue)", title: "second release: \(change.title)",
      unit: .milliseconds, objects: objects, warmsUp: false
    ) { [self] subject, _ in
      guard let type = subject.migratingPeople else { return nil }
      let path = try copy(subject)
      let start = ContinuousClock.now
      let database = try type.init(migrating: path, by: change)
      let time = ContinuousClock.now - start
      let answer = try database.answer(after: change)
      try database.close()
      return Sample(value: Unit.milliseconds.value(time), answer: answer)
    }
  }

  private func memory(_ change: PeopleMigration) -> Workload {
    Workload(
      name: "migrate-\(change.rawValue)-memory", title: "peak memory: \(change.title)",
      unit: .mebibytes, objects: objects, isDeterministic: true
    ) { [self] subject, round in
      guard let task = ChildTask(rawValue: "migrate-\(change.rawValue)") else { return nil }
      let report = try Child.report(
        of: task, subject, at: try copy(subject), objects: objects, seed: round.seed)
      return Sample(
        value: Double(report.peakBytes) / 1_048_576,
        answer: Answer(integers: report.answer, numbers: []))
    }
  }

  /// A copy of the first release's file, which is on the disk: no migration syncs what it did not write.
  private func copy(_ subject: Subject) throws -> String {
    let original = setting.path(subject, "\(objects)-first")
    if made.insert(subject).inserted {
      setting.progress.say("\(subject.rawValue): making \(grouped(objects)) people")
      for task in [ChildTask.importBatches, .index] {
        _ = try Child.report(of: task, subject, at: original, objects: objects, seed: 1)
      }
    }
    let copy = setting.path(subject, "\(objects)-second")
    try DatabaseFiles.remove(subject.files(at: copy))
    for (from, to) in zip(subject.files(at: original), subject.files(at: copy))
    where FileManager.default.fileExists(atPath: from) {
      try FileManager.default.copyItem(atPath: from, toPath: to)
      let file = try FileHandle(forUpdating: URL(filePath: to))
      try file.synchronize()
      try file.close()
    }
    return copy
  }

  func close() {}
}
