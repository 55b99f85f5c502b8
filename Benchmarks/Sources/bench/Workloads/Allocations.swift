extension PeopleSuite {
  /// Reads that are to make no object each, and what makes one where an object is asked for.
  var allocations: [Workload] {
    let counted: Set = [
      "lookup", "count-age", "contains", "count-two", "aggregate", "name-queries", "link-queries",
      "follow-links", "sort-100", "touch", "structs", "begin-read",
    ]
    return (lookups + scans + queries + sorts + walks + reads)
      .filter { counted.contains($0.name) }.map(\.countingAllocations)
  }
}
