import Foundation

/// What each database does in a process of its own: the most memory it takes, and how fast it begins.
final class ProcessSuite: Suite {
  private let objects: Int
  private let importsOnly: Bool
  private let setting: SuiteSetting
  /// What was last done to a subject's database.
  private var lastChange: [Subject: ChildTask] = [:]

  init(objects: Int, importsOnly: Bool = false, _ setting: SuiteSetting) {
    self.objects = objects
    self.importsOnly = importsOnly
    self.setting = setting
  }

  func takesPart(_ subject: Subject) -> Bool { objects <= subject.peopleMax }

  var workloads: [Workload] {
    let load = child(
      "memory-import", "peak memory: import in batches", .mebibytes, .importBatches)
    guard !importsOnly else { return [load] }
    var workloads = [
      load,
      child("memory-index", "peak memory: add two indexes", .mebibytes, .index),
      child("memory-read", "peak memory: 100,000 lookups and a scan", .mebibytes, .read),
      child("cold-start", "open and first read in a new process", .milliseconds, .openAndRead),
    ]
    #if os(Linux)
    workloads.append(
      child(
        "cold-start-disk", "the same, the file not in the system's cache", .milliseconds,
        .openAndRead, ready: DatabaseFiles.evict))
    #endif
    return workloads
  }

  private func child(
    _ name: String, _ title: String, _ unit: Unit, _ task: ChildTask,
    ready: @escaping ([String]) throws -> Void = { _ in }
  ) -> Workload {
    Workload(
      name: name, title: title, unit: unit, objects: objects, isDeterministic: unit == .mebibytes
    ) { [self] subject, round in
      var random = round.random(for: name)
      let report = try run(task, subject, seed: random.next(), ready: ready)
      return Sample(
        value: unit == .mebibytes ? Double(report.peakBytes) / 1_048_576 : report.milliseconds,
        answer: Answer(integers: report.answer, numbers: []))
    }
  }

  /// Runs a task, and before it those whose database it works on, where they have not just been run.
  private func run(
    _ task: ChildTask, _ subject: Subject, seed: UInt64, ready: ([String]) throws -> Void = { _ in }
  ) throws -> Child.Report {
    let path = setting.path(subject, "\(objects)-child")
    let files = subject.files(at: path)
    switch task {
    case .importBatches:
      try DatabaseFiles.remove(files)
    case .index where lastChange[subject] != .importBatches:
      _ = try run(.importBatches, subject, seed: seed)
    case .openAndRead where lastChange[subject] != .index,
      .read where lastChange[subject] != .index:
      _ = try run(.index, subject, seed: seed)
    default:
      break
    }
    try ready(files)
    let report = try Child.report(of: task, subject, at: path, objects: objects, seed: seed)
    if task == .importBatches || task == .index { lastChange[subject] = task }
    return report
  }

  func close() {}
}
