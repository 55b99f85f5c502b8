internal import Roost
internal import RoostDynamic

/// What a query has found.
enum Found: Sendable {
  case objects(DynamicObjects)
  case groups(DynamicGroups)

  var count: Int {
    switch self {
    case .objects(let objects): objects.count
    case .groups(let groups): groups.count
    }
  }
}

/// A query of the page: a model, what was typed behind its name, and the columns to sort by.
///
/// What is typed is a condition, with or without `where` before it; `sort`, `limit`, `offset`, `group` and `select` may follow or stand alone.
struct PageQuery {
  let model: String
  /// The text up to the columns to sort by.
  let text: String
  /// The columns to sort by as they follow the text; empty where there are none.
  let order: String
  private let typed: String
  /// Where what was typed begins in the text, in bytes.
  private let typedStart: Int

  init(_ arguments: Arguments) throws(BrowseError) {
    model = try arguments.text("model")
    typed = arguments.optionalText("where") ?? ""
    let name: DynamicQuery = "\(name: model)"
    let words = typed.drop(while: \.isWhitespace)
    let first = words.prefix(while: \.isLetter)
    let standsAlone = ["where", "sort", "limit", "offset", "group", "select"].contains(first)
    var text = name.text
    if !words.isEmpty { text += standsAlone ? " " : " where " }
    typedStart = text.utf8.count
    self.text = words.isEmpty ? text : text + typed
    order = Self.order(arguments.list("sort"))
  }

  private static func order(_ keys: [Arguments]) -> String {
    let parts = keys.compactMap { key -> String? in
      guard let field = key.optionalText("field") else { return nil }
      let name: DynamicQuery = "\(name: field)"
      return name.text + (key.flag("down") ? " desc" : "")
    }
    return parts.isEmpty ? "" : " sort " + parts.joined(separator: ", ")
  }

  /// The text and what follows it.
  func text(with end: String) -> DynamicQuery { DynamicQuery(text + end) }

  /// Runs a part of an operation that reads the text, and says where in what was typed a mistake is.
  func placing<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch StoreError.queryMalformed(let text, let reason, let offset) {
      // A mistake behind the end of what was typed was noticed there.
      let before = String(decoding: text.utf8.prefix(offset).dropFirst(typedStart), as: UTF8.self)
      throw BrowseError(reason, place: min(before.utf16.count, typed.utf16.count))
    }
  }

  /// Whether an error is one of the order that was added to the text.
  func isOfOrder(_ error: StoreError) -> Bool {
    guard case .queryMalformed(_, _, let offset) = error else { return false }
    return !order.isEmpty && offset >= text.utf8.count
  }
}
