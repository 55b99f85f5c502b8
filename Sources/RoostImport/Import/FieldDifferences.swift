#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The fields that differ between two objects, which are dictionaries as `Model.dictionary()` makes them.
struct FieldDifferences {
  /// The path to each, and both values in words; nil for no value.
  private(set) var list: [(field: String, inSource: String?, inStore: String?)] = []

  init(inSource source: [String: any Sendable], inStore store: [String: any Sendable]) {
    compare(source, store, prefix: "")
  }

  private mutating func compare(
    _ source: [String: any Sendable], _ store: [String: any Sendable], prefix: String
  ) {
    for name in Set(source.keys).union(store.keys).sorted() {
      let (one, other) = (source[name], store[name])
      if let one = one as? [String: any Sendable], let other = other as? [String: any Sendable] {
        compare(one, other, prefix: prefix + name + ".")
      } else if !Self.areEqual(one, other) {
        list.append((prefix + name, one.map(Self.words), other.map(Self.words)))
      }
    }
  }

  private static func areEqual(_ one: (any Sendable)?, _ other: (any Sendable)?) -> Bool {
    switch (one, other) {
    case (nil, nil): return true
    case (let one as Double, let other as Double):
      return one == other || one.isNaN && other.isNaN
    case (let one as Float, let other as Float):
      return one == other || one.isNaN && other.isNaN
    case (let one as String, let other as String): return one.utf8.elementsEqual(other.utf8)
    case (let one as [any Sendable], let other as [any Sendable]):
      return one.count == other.count && zip(one, other).allSatisfy { areEqual($0, $1) }
    case (let one as [String: any Sendable], let other as [String: any Sendable]):
      return FieldDifferences(inSource: one, inStore: other).list.isEmpty
    case (let one?, let other?):
      if isNil(one) || isNil(other) { return isNil(one) && isNil(other) }
      guard let one = one as? AnyHashable, let other = other as? AnyHashable else { return false }
      return one == other
    default: return false
    }
  }

  /// Whether an element is nil, which as one of any type is equal to nothing.
  private static func isNil(_ element: any Sendable) -> Bool {
    let mirror = Mirror(reflecting: element)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }

  /// The most characters that are shown of a value.
  private static let lengthMax = 200

  private static func words(_ value: any Sendable) -> String {
    let text =
      if let data = value as? Data {
        "\(data.count) bytes: " + Array(data.prefix(32)).hexadecimal
      } else { "\(value)" }
    return text.count > lengthMax ? text.prefix(lengthMax) + "…" : text
  }
}
