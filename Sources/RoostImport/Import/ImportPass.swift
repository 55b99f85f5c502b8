internal import Roost

/// Goes through objects of a source, and counts what becomes of them.
final class ImportPass {
  let source: RealmSource
  private let progress: (@Sendable (ImportProgress) -> Void)?
  private let objectsTotal: Int
  private var objectsDone = 0
  private(set) var classes: [ImportReport.Class] = []

  /// After how many objects cancellation is noticed, and progress reported.
  private static let interval = 256
  private static let countMax = 1 << 40

  /// - Parameter classNames: The classes whose objects are gone through.
  init(
    _ source: RealmSource, _ classNames: [String],
    progress: (@Sendable (ImportProgress) -> Void)?
  ) throws(RealmError) {
    self.source = source
    self.progress = progress
    var total = 0
    for className in classNames {
      // A damaged file may state any number.
      total += min(try source.count(of: className), Self.countMax)
    }
    objectsTotal = total
  }

  /// Makes an object of each of a class, and hands it on.
  func walk<Made>(
    _ className: String, _ model: String, _ make: (RealmSource.Object) throws -> Made?,
    _ take: (Made) throws -> Void
  ) throws {
    var counts = ImportReport.Class(
      className: className, model: model, inSource: try source.count(of: className))
    var objects = try source.objects(className)
    while let object = try objects.next() {
      if counts.read.isMultiple(of: Self.interval) { try report(className) }
      counts.read += 1
      objectsDone += 1
      do {
        if let made = try make(object) {
          try take(made)
          counts.written += 1
        } else {
          counts.leftOut[LeftOut.byMapping, default: 0] += 1
        }
      } catch let leftOut as LeftOut {
        counts.leftOut[leftOut.reason, default: 0] += 1
      } catch {
        throw Self.placed(error, object)
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

  /// The error with the object where it happened.
  private static func placed(_ error: any Error, _ object: RealmSource.Object) -> any Error {
    switch error {
    case is RealmError, is CancellationError, is ImportError: error
    case let error as StoreError:
      ImportError.notStored(className: object.class.name, object: object.key, error)
    default:
      ImportError.mapping(className: object.class.name, object: object.key, reason: "\(error)")
    }
  }

  /// What was done.
  ///
  /// - Parameters:
  ///   - named: The classes that the mapping names.
  ///   - ignored: Those that it ignores.
  func report(
    named: Set<String>, ignored: Set<String>, _ state: ImportReport.SourceState
  ) throws(RealmError) -> ImportReport {
    var report = ImportReport(source: state, classes: classes)
    for definition in source.classes
    where definition.kind != .embedded && !named.contains(definition.name) {
      let left = ImportReport.Unread(
        className: definition.name, count: try source.count(of: definition.name))
      if ignored.contains(definition.name) {
        report.ignored.append(left)
      } else if left.count > 0 {
        report.unnamed.append(left)
      }
    }
    report.roundings = source.roundings.map {
      ImportReport.Rounding(className: $0.className, property: $0.property, count: $0.count)
    }
    return report
  }
}
