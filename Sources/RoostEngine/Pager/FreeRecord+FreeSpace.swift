extension FreeRecord {
  /// Says of everything that is free in some ranges when it was written and freed, as far as a named version sees it.
  ///
  /// Cost: what waits for named versions, and what is free of the ranges.
  /// - Parameters:
  ///   - ranges: Ascending, and none has a unit of another.
  ///   - transaction: When it is said.
  static func all(
    of space: FreeSpace, in ranges: [Range<UInt64>], at transaction: UInt64
  ) -> [FreeRecord] {
    var kept: [FreeRecord] = []
    space.forEachKept { extent in
      var place = ranges.partitioningIndex { $0.upperBound > extent.unit }
      while place < ranges.count, ranges[place].lowerBound < extent.range.upperBound {
        let part = ranges[place].clamped(to: extent.range)
        kept.append(
          FreeRecord(
            unit: part.lowerBound, units: part.count, isFree: true, birth: extent.birth,
            death: extent.death))
        place += 1
      }
    }
    kept = kept.ascending { Int(clamping: $0.unit) }
    var records: [FreeRecord] = []
    var next = 0
    for range in ranges {
      for run in space.free.runs(in: range) {
        var start = run.lowerBound
        while next < kept.count, kept[next].unit < run.upperBound {
          // No version sees the units between.
          if start < kept[next].unit {
            records.append(
              FreeRecord(
                unit: start, units: Int(kept[next].unit - start), isFree: true, birth: transaction,
                death: transaction))
          }
          records.append(kept[next])
          start = kept[next].end
          next += 1
        }
        if start < run.upperBound {
          records.append(
            FreeRecord(
              unit: start, units: Int(run.upperBound - start), isFree: true, birth: transaction,
              death: transaction))
        }
      }
    }
    return records
  }
}
