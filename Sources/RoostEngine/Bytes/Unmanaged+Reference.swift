extension Unmanaged {
  /// Calls `body` with the object without reference counting; another reference must keep it alive meanwhile.
  ///
  /// As the standard library's method, which is not generic over the error.
  @inlinable @inline(__always)
  package func withReference<Result, Failure: Error>(
    _ body: (Instance) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = unsafe _withUnsafeGuaranteedRef { object in
      Swift.Result { () throws(Failure) in try body(object) }
    }
    return try result.get()
  }

  /// The same of what cannot fail, in fewer steps of a debug build.
  @inlinable @_transparent
  package func withReference<Result>(_ body: (Instance) -> Result) -> Result {
    unsafe _withUnsafeGuaranteedRef(body)
  }
}
