/// The memory that one read may still use.
///
/// A few bytes of a damaged file can stand for any number of values: an array of zeros has no bytes, and an array can be
/// referred to many times. So each node and each value that is read counts.
package struct ReadBudget: Sendable {
  private let bytesMax: Int
  private var bytesLeft: Int

  /// A budget of so many bytes.
  package init(bytesMax: Int) {
    self.bytesMax = max(0, bytesMax)
    bytesLeft = self.bytesMax
  }

  /// Counts bytes that are about to be allocated.
  mutating func take(_ bytes: Int) throws(RealmFileError) {
    guard bytes >= 0, bytes <= bytesLeft else { throw .tooLarge(bytesMax: bytesMax) }
    bytesLeft -= bytes
  }
}
