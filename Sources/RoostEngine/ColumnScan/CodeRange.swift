/// The codes that pass a filter: from `lower` to `upper`, both included.
///
/// Every comparison of an integer, a scaled double or a dictionary text is one such range.
struct CodeRange: Equatable {
  var lower: UInt64
  var upper: UInt64
}
