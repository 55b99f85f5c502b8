internal import RoostEngine

/// The ``ObjectLookup`` of a row, not retained, so that copying it counts no references.
///
/// Invariant: it is used only while something else retains the lookup. A row and a cell say what that is.
@safe
@usableFromInline
struct UnownedLookup: BitwiseCopyable {
  @usableFromInline let reference: Unmanaged<ObjectLookup>

  /// A reference to a lookup that the caller, or what it stores the reference beside, retains.
  @inlinable @_transparent
  init(_ lookup: ObjectLookup) { unsafe reference = Unmanaged.passUnretained(lookup) }

  /// The same reference, without its type.
  @_transparent
  init(_ lookup: UnownedReference<some ObjectLookup>) {
    self = lookup.withObject { UnownedLookup($0) }
  }

  /// The lookup, retained.
  @_transparent
  var object: ObjectLookup { unsafe reference.takeUnretainedValue() }
}
