/// How much longer than opening a file that was closed it takes to open one whose power was cut.
final class OpeningSuite: Suite {
  private static let rounds = 9

  private let setting: SuiteSetting
  private var files: CrashedFiles?

  init(_ setting: SuiteSetting) {
    self.setting = setting
  }

  func takesPart(_ subject: Subject) -> Bool { subject == .roost }

  var workloads: [Workload] {
    var workloads = [
      workload("opening-closed", "open 1 GB that was closed", .closed, isCold: false),
      workload("opening-torn", "… after a torn commit: how much more", .torn, isCold: false),
      workload(
        "opening-relaxed", "… after relaxed commits: how much more", .relaxed, isCold: false),
    ]
    #if os(Linux)
    workloads += [
      workload(
        "opening-closed-disk", "open 1 GB, not in the system's cache", .closed, isCold: true),
      workload("opening-torn-disk", "… after a torn commit: how much more", .torn, isCold: true),
      workload(
        "opening-relaxed-disk", "… after relaxed commits: how much more", .relaxed, isCold: true),
    ]
    #endif
    return workloads
  }

  /// Opens both files in turn, and takes the median of each.
  private func workload(
    _ name: String, _ title: String, _ end: CrashedFiles.End, isCold: Bool
  ) -> Workload {
    Workload(
      name: name, title: title, unit: .milliseconds, objects: CrashedFiles.objects,
      isDeterministic: true
    ) { [self] _, _ in
      let files = try self.files ?? CrashedFiles(in: setting.directory)
      self.files = files
      var closed = Measurements()
      var crashed = Measurements()
      var answer = Answer()
      for round in 0...Self.rounds {
        let first = try files.open(.closed, isCold: isCold)
        let second = try files.open(end, isCold: isCold)
        answer = Answer(first.objects, second.objects)
        // The first round warms up.
        guard round > 0 else { continue }
        closed.add(Unit.milliseconds.value(first.time))
        crashed.add(Unit.milliseconds.value(second.time))
      }
      return Sample(
        value: end == .closed ? closed.median : crashed.median - closed.median, answer: answer)
    }
  }

  func close() { files = nil }
}
