internal import Roost

/// Goes through objects of a source, and counts what becomes of them.
final class ImportPass {
  let source: any OpenedSource
  private let progress: (@Sendable (ImportProgress) -> Void)?
  private let objectsTotal: Int
  private var objectsDone = 0
  private(set) var classes: [ImportReport.Class] = []
  /// Whether the import fails already, and goes on only to find what else is to be mended.
  private(set) var hasGathered = false

  /// After how many objects cancellation is noticed, and progress reported.
  private static let interval = 256
  private static let countMax = 1 << 40

  /// - Parameter classNames: The classes whose objects are gone through.
  init(
    _ source: any OpenedSource, _ classNames: [String],
    progress: (@Sendable (ImportProgress) -> Void)?
  ) throws {
    self.source = source
    self.progress = progress
    var total = 0
    for className in classNames {
      // A damaged file may state any number.
      total += min(try source.count(of: className), Self.countMax)
    }
    objectsTotal = total
  }

  /// Goes through classes. What the source keeps of their objects' errors is thrown in the end, before any other error.
  func gathering(_ body: () throws -> Void) throws {
    do { try body() } catch {
      if error is CancellationError || error is HandoverEnded { throw error }
      throw source.gathered() ?? error
    }
    if let error = source.gathered() { throw error }
  }

  /// Makes an object of each of a class, and hands it on, until one has an error that the source keeps.
  func walk<Source: OpenedSource, Made>(
    _ className: String, of source: Source, _ model: String,
    _ make: (Source.Object) throws -> Made?, _ take: (Made) throws -> Void
  ) throws {
    var counts = ImportReport.Class(
      className: className, model: model, inSource: try source.count(of: className))
    try source.forEachObject(of: className) { object in
      if counts.read.isMultiple(of: Self.interval) { try report(className) }
      counts.read += 1
      objectsDone += 1
      do {
        if let made = try make(object) {
          if !hasGathered { try take(made) }
          counts.written += 1
        } else {
          counts.leftOut[LeftOut.byMapping, default: 0] += 1
        }
      } catch let leftOut as LeftOut {
        counts.leftOut[leftOut.reason, default: 0] += 1
      } catch {
        if source.gathers(error) {
          hasGathered = true
        } else if !hasGathered || error is CancellationError {
          throw Self.isPlaced(error) ? error : Source.placed(error, at: object)
        }
        // Otherwise the values that do not fit come first, and are counted to the end.
      }
    }
    classes.append(counts)
    try report(className)
  }

  private func report(_ className: String) throws {
    try Task.checkCancellation()
    progress?(
      ImportProgress(
        className: className, objectsDone: objectsDone, objectsTotal: objectsTotal))
  }

  /// Whether an error says by itself where it happened.
  private static func isPlaced(_ error: any Error) -> Bool {
    error is CancellationError || error is ImportError || error is HandoverEnded
  }

  /// What was done.
  ///
  /// - Parameters:
  ///   - named: The classes that the mapping names.
  ///   - ignored: Those that it ignores.
  func report(
    named: Set<String>, ignored: Set<String>, _ state: ImportReport.SourceState
  ) throws -> ImportReport {
    var report = ImportReport(source: state, classes: classes)
    for name in source.countedClasses where !named.contains(name) {
      let left = ImportReport.Unread(className: name, count: try source.count(of: name))
      if ignored.contains(name) {
        report.ignored.append(left)
      } else if left.count > 0 {
        report.unnamed.append(left)
      }
    }
    report.roundings = source.countedRoundings
    report.omissions = source.countedOmissions
    report.definitions = source.definitions.filter { !ignored.contains($0.name) }
    return report
  }
}
