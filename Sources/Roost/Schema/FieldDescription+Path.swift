extension FieldDescription {
  /// The property behind the model in a key path, `address.city`; nil if the program does not know its name.
  var propertyText: String? {
    guard let text = path?.keyPath.textBehindRoot.dropFirst(), !text.contains("<") else {
      return nil
    }
    return String(text)
  }
}

extension AnyKeyPath {
  /// The properties of the key path, `.address.city`, without the mark of an optional at its end.
  fileprivate var textBehindRoot: Substring {
    let text = "\(self)".dropFirst("\\\(Swift.type(of: self).rootType)".count)
    return text.hasSuffix("?") ? text.dropLast() : text
  }
}
