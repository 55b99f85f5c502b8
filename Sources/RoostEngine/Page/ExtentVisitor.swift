/// Visits the extents of a walk.
///
/// An object with closures, and not closures along the way: for each of those the compiler would make a copy of all the
/// code between.
final class ExtentVisitor {
  /// Extents that are not younger are left out, with all that they point to: it is not younger either.
  let bornAfter: UInt64
  /// Takes the extents, each before what it points to.
  let visit: (ExtentPointer) throws(EngineError) -> Void
  private let damaged: ((EngineError) -> Void)?

  /// - Parameter damaged: Called for each part that cannot be read, which is then skipped; without
  ///   it the first damage is thrown.
  init(
    bornAfter: UInt64 = 0, damaged: ((EngineError) -> Void)? = nil,
    _ visit: @escaping (ExtentPointer) throws(EngineError) -> Void
  ) {
    self.bornAfter = bornAfter
    self.damaged = damaged
    self.visit = visit
  }

  /// The result, or nil after telling of the damage.
  func attempt<Result>(_ body: () throws(EngineError) -> Result) throws(EngineError) -> Result? {
    do {
      return try body()
    } catch {
      guard let damaged, case .corrupt = error else { throw error }
      damaged(error)
      return nil
    }
  }
}
