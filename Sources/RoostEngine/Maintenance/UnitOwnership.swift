/// Which units below the high-water mark belong to an extent.
package struct UnitOwnership {
  private let highWater: UInt64
  private var owned = UnitSet()

  package init(highWater: UInt64) { self.highWater = highWater }

  /// Gives an extent its units.
  ///
  /// - Returns: What is wrong where it cannot have them.
  package mutating func claim(_ pointer: ExtentPointer) -> Corruption.Reason? {
    guard pointer.unit >= Unit.firstExtent, pointer.end <= highWater else {
      return .pointerOutsideFile
    }
    let range = pointer.unit..<pointer.end
    guard owned.runs(in: range).isEmpty else { return .overlap }
    owned.insert(range)
    return nil
  }

  /// The first units of the runs that are owned and free too, and of those that are neither.
  func compare(withFree free: UnitSet) -> (twice: [UInt64], none: [UInt64]) {
    let all = Unit.firstExtent..<highWater
    var twice: [UInt64] = []
    var rest = UnitSet()
    rest.insert(all)
    for run in free.runs(in: all) {
      twice += owned.runs(in: run).map(\.lowerBound)
      rest.remove(run)
    }
    for run in owned.runs(in: all) { rest.remove(run) }
    return (twice, rest.runs(in: all).map(\.lowerBound))
  }
}
