import Foundation

/// What it costs a program to use a database that comes as a Swift package: time to build, and bytes.
///
/// `Scripts/client-cost` makes a small program that uses it, in a package of its own.
final class ClientSuite: Suite {
  private let setting: SuiteSetting
  private var costs: [String: Cost] = [:]

  /// What the script prints of a program.
  private struct Cost: Decodable {
    let buildSeconds: Double
    let rebuildSeconds: Double
    let strippedBytes: Int
  }

  init(_ setting: SuiteSetting) {
    self.setting = setting
  }

  var workloads: [Workload] {
    [
      workload("client-build", "clean release build of a program that uses it", .seconds) {
        $0.buildSeconds
      },
      workload("client-rebuild", "build again after a change of the program", .seconds) {
        $0.rebuildSeconds
      },
      Workload(
        name: "client-size", title: "stripped program, beyond one that does not use it",
        unit: .mebibytes, objects: 1, isDeterministic: true
      ) { [self] subject, _ in
        guard let package = subject.package else { return nil }
        let bytes = try cost(of: package).strippedBytes - cost(of: "none").strippedBytes
        return Sample(value: Double(bytes) / 1_048_576, answer: Answer())
      },
    ]
  }

  /// A figure that is taken once: a build takes too long to be repeated.
  private func workload(
    _ name: String, _ title: String, _ unit: Unit, value: @escaping (Cost) -> Double
  ) -> Workload {
    Workload(name: name, title: title, unit: unit, objects: 1, isDeterministic: true) {
      [self] subject, _ in
      guard let package = subject.package else { return nil }
      return Sample(value: value(try cost(of: package)), answer: Answer())
    }
  }

  private func cost(of package: String) throws -> Cost {
    if let cost = costs[package] { return cost }
    setting.progress.say("building a program that uses \(package)")
    let script = Repository.root.appending(path: "Scripts/client-cost").path
    let cost = try JSONDecoder().decode(Cost.self, from: Shell.output(of: script, [package]))
    costs[package] = cost
    return cost
  }

  func close() {}
}

extension Subject {
  /// What the script calls its package; nil for a library of the system.
  fileprivate var package: String? {
    switch self {
    case .roost: "roost"
    #if GRDB
    case .grdb: "grdb"
    #endif
    default: nil
    }
  }
}
