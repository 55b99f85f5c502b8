/// A reference that does not retain its object, for paths where counting would cost more than the work.
///
/// Invariant: it is used only while something else retains the object. Every property of this type says what that
/// is, and every function that returns one says for how long it is valid: as with ``ByteView``.
@safe
@frozen
@usableFromInline
package struct UnownedReference<Object: AnyObject>: BitwiseCopyable {
  @usableFromInline let reference: Unmanaged<Object>

  /// A reference to an object that the caller, or what it stores the reference beside, retains.
  @inlinable @inline(__always)
  package init(_ object: Object) {
    unsafe reference = Unmanaged.passUnretained(object)
  }

  /// A reference to the object at an address.
  @unsafe
  @inlinable @inline(__always)
  init(at address: UnsafeRawPointer) {
    unsafe reference = Unmanaged.fromOpaque(address)
  }

  /// The object, retained.
  @inlinable @inline(__always)
  package var object: Object { unsafe reference.takeUnretainedValue() }

  /// Calls `body` with the object, without counting a reference.
  @inlinable @inline(__always)
  package func withObject<Result, Failure: Error>(
    _ body: (Object) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The invariant: something else retains the object meanwhile.
    unsafe try reference.withReference(body)
  }

  /// The same of what cannot fail, in fewer steps of a debug build.
  @inlinable @_transparent
  package func withObject<Result>(_ body: (Object) -> Result) -> Result {
    // The invariant: something else retains the object meanwhile.
    unsafe reference.withReference(body)
  }

  /// Where the object is; never 0, and even.
  @inline(__always)
  var address: UInt { unsafe UInt(bitPattern: reference.toOpaque()) }

  /// Counts one more reference, which ``release()`` takes back.
  @unsafe
  @inline(__always)
  func retain() { unsafe _ = reference.retain() }

  /// Counts one reference less, which ``retain()`` counted.
  @unsafe
  @inline(__always)
  func release() { unsafe reference.release() }
}

// As a strong reference would be: reading the object's address is all that it does by itself.
extension UnownedReference: @unchecked Sendable where Object: Sendable {}
