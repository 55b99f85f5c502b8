/// An object derived from a leaf's columns and kept beside the leaf, so that it is made once.
///
/// It must not retain the leaf, which retains it.
@safe
package final class LeafAttachment: ChainLink {
  /// The key object's identity, which finds the attachment. The object retains its key, so that the identity stays unique.
  package let key: ObjectIdentifier
  /// The retained object.
  package let object: any AnyObject & Sendable
  /// The address of a part of the object. A caller with the right key knows the part's type.
  package nonisolated(unsafe) let part: UnsafeRawPointer
  /// The one that was attached before.
  package let next: LeafAttachment?

  /// An object to attach, with a part of it; the object must retain `key`.
  package init(
    _ object: any AnyObject & Sendable, part: UnsafeRawPointer, for key: some AnyObject
  ) {
    self.key = ObjectIdentifier(key)
    self.object = object
    unsafe self.part = part
    next = nil
  }

  /// The same attachment before another one.
  fileprivate init(_ other: LeafAttachment, before next: LeafAttachment?) {
    key = other.key
    object = other.object
    unsafe part = other.part
    self.next = next
  }
}

extension PublishedChain<LeafAttachment> {
  /// Adds an attachment to those of a leaf.
  func add(_ attachment: LeafAttachment) {
    push { first in first.map { LeafAttachment(attachment, before: $0) } ?? attachment }
  }
}
