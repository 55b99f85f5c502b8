/// Visits the extents of a walk.
///
/// An object with closures instead of closure parameters: the compiler would specialise all the code in between for each
/// closure.
final class ExtentVisitor {
  /// Extents born at or before this are skipped, with everything they point to, which is not younger either.
  let bornAfter: UInt64
  /// Called with each extent, before the extents that it points to.
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

  /// The result; nil after damage was reported.
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
