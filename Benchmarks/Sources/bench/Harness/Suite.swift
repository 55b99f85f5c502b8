import Foundation

/// Workloads that share databases.
protocol Suite: AnyObject {
  /// Whether a subject's workloads are run.
  func takesPart(_ subject: Subject) -> Bool
  /// In the order they must run: later ones may change the databases that earlier ones read.
  var workloads: [Workload] { get }
  /// Closes what the workloads have opened.
  func close() throws
}

extension Suite {
  func takesPart(_ subject: Subject) -> Bool { true }
}

/// What every suite is given.
struct SuiteSetting {
  /// Where files go; it is emptied after each suite.
  let directory: URL
  let rounds: Int
  let progress: Progress

  func limited(toRounds count: Int) -> SuiteSetting {
    SuiteSetting(directory: directory, rounds: min(rounds, count), progress: progress)
  }

  func path(_ subject: Subject, _ name: String) -> String {
    directory.appending(path: "\(subject)-\(name)").path
  }
}

/// A database in files of its own.
protocol FileDatabase: AnyObject {
  /// Creates an empty database at a path where there is none. Its commits survive a power cut.
  init(creating path: String) throws
  /// Opens the database at a path.
  init(opening path: String) throws
  func close() throws
}
