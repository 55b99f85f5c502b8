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
