internal import Roost
package import RoostDynamic

/// Why an operation was not done: a sentence for the page.
package struct BrowseError: Error, Equatable {
  package let message: String
  /// Where in the text that was typed the mistake is, in UTF-16 units; nil where it is no mistake of a text.
  package let place: Int?

  package init(_ message: String, place: Int? = nil) {
    self.message = message
    self.place = place
  }

  /// The error for one of a store.
  init(_ error: StoreError) {
    self.init(error.message)
  }

  /// The error for any other.
  init(_ error: any Error) {
    if let error = error as? BrowseError {
      self = error
    } else if let error = error as? StoreError {
      self.init(error)
    } else {
      self.init("\(error)")
    }
  }

  /// The error as the page gets it.
  package var answer: DynamicValue {
    .members(["error": .string(message), "place": place.map { .int(Int64($0)) }])
  }
}

extension DynamicValue {
  /// An object of JSON; members without a value are left out.
  static func members(_ members: KeyValuePairs<String, DynamicValue?>) -> DynamicValue {
    .record(members.compactMap { name, value in value.map { Part(name, $0) } })
  }

  /// A number that a JSON reader holds exactly.
  static func count(_ count: Int) -> DynamicValue { .int(Int64(count)) }
  /// A number of bytes or of objects.
  static func count(_ count: UInt64) -> DynamicValue { .uint(count) }
}
