internal import Roost

/// What is to be done to the store that an import makes, in this order: objects are inserted, the indexes built, the report kept.
enum ImportStep: Sendable {
  /// Inserts objects.
  case insert(any InsertionBatch)
  /// Builds the indexes that wait.
  case buildIndexes
  /// Keeps the report; only then is the import whole.
  case keep(report: String)
}

/// Objects of a mapping that are inserted at once, which takes less for each.
protocol InsertionBatch: Sendable {
  /// Inserts all of them or none.
  func insert(into transaction: WriteTransaction) throws(InsertionRefused)
}

/// An object of a batch cannot be inserted.
struct InsertionRefused: Error {
  let error: StoreError
  /// The place of the mapping among all.
  let mapping: Int
  /// How many objects the mapping made before that one; nil if it is not known.
  let place: Int?
}

struct ModelBatch<M: Model>: InsertionBatch {
  /// The place of the mapping among all.
  let mapping: Int
  /// How many objects the mapping made before.
  let first: Int
  let objects: [M]

  func insert(into transaction: WriteTransaction) throws(InsertionRefused) {
    do throws(StoreError) { try transaction.insert(contentsOf: objects) } catch {
      throw refusal(transaction) ?? InsertionRefused(error: error, mapping: mapping, place: nil)
    }
  }

  /// The first object that the store refuses; nil if that is not the reason why none was inserted.
  private func refusal(_ transaction: WriteTransaction) -> InsertionRefused? {
    for (place, object) in objects.enumerated() {
      do throws(StoreError) { try transaction.insert(object) } catch {
        // A full disk or a damaged file has ended the transaction.
        guard error != .transactionEnded else { return nil }
        return InsertionRefused(error: error, mapping: mapping, place: first + place)
      }
    }
    return nil
  }
}
