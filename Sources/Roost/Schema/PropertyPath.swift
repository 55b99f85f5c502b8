/// A key path to a property of a model, without its types.
///
/// Sendable because it is made from sendable key paths: the standard library does not say so of one appended to another.
struct PropertyPath: @unchecked Sendable {
  let keyPath: AnyKeyPath

  init(_ path: any AnyKeyPath & Sendable) { keyPath = path }

  private init(appended path: AnyKeyPath) { keyPath = path }

  /// The path to a property of the property; nil if the other path does not begin there.
  func appending(_ path: any AnyKeyPath & Sendable) -> PropertyPath? {
    keyPath.appending(path: path).map { PropertyPath(appended: $0) }
  }
}

extension FieldDescription {
  /// The property behind the model in a key path, `address.city` or `artwork?.width`; nil if the program does not know its name.
  var propertyText: String? {
    guard let path = path ?? steps.first,
      case let text = pathText.dropFirst(path.keyPath.rootText.count + 1), !text.contains("<")
    else { return nil }
    return String(text)
  }

  /// The key path that leads to the property, as ``AnyKeyPath/text`` has it; within an optional struct that of optional
  /// chaining, `\Show.artwork?.size.width`.
  fileprivate var pathText: String {
    guard path == nil else { return path?.keyPath.text ?? "" }
    var text = steps.first?.keyPath.text ?? ""
    for (step, next) in zip(steps, steps.dropFirst()) {
      let part = next.keyPath.text.dropFirst(next.keyPath.rootText.count)
      if step.isOptional, !part.hasPrefix("?") { text += "?" }
      text += part
    }
    return text
  }
}

extension _Columns {
  /// The position of the column of a part of an optional struct, by a key path of optional chaining.
  ///
  /// Compares texts: no key path with optional chaining can be made of others.
  func positions(ofOptionalPart path: AnyKeyPath) -> Range<Int>? {
    let text = path.text
    guard text.contains("?"),
      let position = fields.firstIndex(where: { !$0.steps.isEmpty && $0.pathText == text })
    else { return nil }
    return position..<position + 1
  }
}

extension PropertyPath {
  fileprivate var isOptional: Bool {
    "\(Swift.type(of: keyPath).valueType)".hasPrefix("Optional<")
  }
}

extension AnyKeyPath {
  /// The key path without the mark of an optional at its end.
  fileprivate var text: String {
    let text = "\(self)"
    return text.hasSuffix("?") ? String(text.dropLast()) : text
  }

  /// How ``text`` begins.
  fileprivate var rootText: String { "\\\(Swift.type(of: self).rootType)" }
}
