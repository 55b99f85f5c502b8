/// A field that is to become an enum.
struct EnumChoice: Hashable {
  /// The model.
  var model: String
  /// The field, with points for a part of an embedded struct.
  var field: String

  /// The most cases that an enum may get.
  static let casesMax = 100

  /// The fields that texts such as `Person.mood` name.
  static func list(_ texts: [String]) throws(ModelsError) -> [EnumChoice] {
    var choices: [EnumChoice] = []
    for text in texts {
      let parts = text.split(separator: ".", maxSplits: 1)
      guard parts.count == 2 else {
        throw ModelsError("\(text) is no field: write the model, a point and the field.")
      }
      choices.append(EnumChoice(model: String(parts[0]), field: String(parts[1])))
    }
    return choices
  }

  /// The error for the first of some choices that are of no field; nil if there are none.
  ///
  /// - Parameters:
  ///   - kind: What the fields are called.
  ///   - fields: By the names of models, the fields that can be enums.
  static func unknown(
    _ choices: some Sequence<EnumChoice>, _ kind: String, among fields: [String: [String]]
  ) -> ModelsError? {
    let ordered = choices.sorted { ($0.model, $0.field) < ($1.model, $1.field) }
    guard let choice = ordered.first else { return nil }
    let missing =
      "there is no \(kind) \(choice.model).\(choice.field) of integers or texts to be an enum. "
    guard let known = fields[choice.model] else {
      return ModelsError(missing + "The file has: \(listed(fields.keys.sorted())).")
    }
    return ModelsError(missing + "\(choice.model) has: \(listed(known.sorted())).")
  }

  private static func listed(_ names: [String]) -> String {
    guard !names.isEmpty else { return "none" }
    return names.prefix(listedMax).joined(separator: ", ") + (names.count > listedMax ? ", …" : "")
  }

  private static let listedMax = 20

  /// The cases for the values of the field.
  ///
  /// - Parameter values: The values that it has, of which there may be one more than cases.
  func cases(_ values: [EnumValue]) throws(ModelsError) -> [EnumValue] {
    let bytes = Set(
      values.compactMap { if case .text(let text) = $0 { Array(text.utf8) } else { nil } })
    let values = Set(values)
    guard !values.isEmpty else {
      throw ModelsError("\(model).\(field) has no values that could be cases of an enum.")
    }
    guard values.count <= Self.casesMax else {
      throw ModelsError(
        "\(model).\(field) has more than \(Self.casesMax) different values: it is no enum.")
    }
    guard bytes.count <= values.count else {
      throw ModelsError(
        "\(model).\(field) has values that Swift takes for the same text: it is no enum.")
    }
    return values.sorted { first, second in
      switch (first, second) {
      case (.integer(let first), .integer(let second)): first < second
      case (.text(let first), .text(let second)):
        first.utf8.lexicographicallyPrecedes(second.utf8)
      case (.integer, .text): true
      case (.text, .integer): false
      }
    }
  }
}
