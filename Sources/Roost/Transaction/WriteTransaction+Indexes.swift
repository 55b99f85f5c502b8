internal import RoostEngine

extension WriteTransaction {
  /// Lets the indexes of models that have no objects wait until ``buildDeferredIndexes()``, except for those of ids and links.
  ///
  /// For many objects that are inserted at once: an index that is built of all of them costs less than one that grows. Until
  /// then no value is found not to be unique.
  package func deferIndexes() throws(StoreError) {
    let context = try open()
    try working(on: context.file) { () throws(EngineError) in
      try context.transaction.deferIndexes()
    }
  }

  /// Builds the indexes that wait.
  ///
  /// - Throws: ``StoreError/duplicateKey(model:field:value:)`` and
  ///   ``StoreError/valueTooLong(model:field:limit:)``; the transaction has ended then.
  package func buildDeferredIndexes() throws(StoreError) {
    let context = try open()
    try working(on: context.file) { () throws(EngineError) in
      try context.transaction.buildDeferredIndexes()
    }
  }
}
