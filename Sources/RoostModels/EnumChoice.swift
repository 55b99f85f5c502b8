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
