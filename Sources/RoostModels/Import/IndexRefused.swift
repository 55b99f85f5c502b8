internal import Roost
internal import RoostDynamic

/// A value that must be unique is there twice, or is too long for that.
struct IndexRefused: Error {}

extension DynamicTransaction {
  /// Builds the indexes that wait.
  ///
  /// - Throws: ``IndexRefused``.
  func buildImportedIndexes() throws {
    do throws(StoreError) { try buildDeferredIndexes() } catch {
      switch error {
      case .duplicateKey, .valueTooLong: throw IndexRefused()
      default: throw error
      }
    }
  }
}
