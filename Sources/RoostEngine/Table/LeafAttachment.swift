import Synchronization

/// An object derived from a leaf's columns and kept beside the leaf, so that it is made once.
///
/// It must not retain the leaf, which retains it.
@safe
package final class LeafAttachment: Sendable {
  /// The key object's identity, which finds the attachment. The object retains its key, so that the identity stays unique.
  package let key: ObjectIdentifier
  /// The retained object.
  package let object: any AnyObject & Sendable
  /// The address of a part of the object. A caller with the right key knows the part's type.
  package nonisolated(unsafe) let part: UnsafeRawPointer
  /// The previous attachment; set before other threads see this one.
  package fileprivate(set) nonisolated(unsafe) var next: LeafAttachment?

  /// An object to attach, with a part of it; the object must retain `key`.
  package init(
    _ object: any AnyObject & Sendable, part: UnsafeRawPointer, for key: some AnyObject
  ) {
    self.key = ObjectIdentifier(key)
    self.object = object
    unsafe self.part = part
  }
}

/// The attachments of one leaf: a chain that only grows, read without a lock.
struct LeafAttachments: ~Copyable, Sendable {
  /// The address of the retained first attachment, or 0.
  private let head = Atomic<UInt>(0)

  init() {}

  deinit { unsafe first?.release() }

  @inline(__always)
  var first: Unmanaged<LeafAttachment>? {
    let address = head.load(ordering: .acquiring)
    guard let opaque = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    return unsafe Unmanaged.fromOpaque(opaque)
  }

  func add(_ attachment: LeafAttachment) {
    let address = unsafe UInt(bitPattern: Unmanaged.passRetained(attachment).toOpaque())
    while true {
      let known = unsafe first
      // The chain's own reference to the known one passes to the new one.
      unsafe attachment.next = known?.takeUnretainedValue()
      let expected = unsafe known.map { unsafe UInt(bitPattern: $0.toOpaque()) } ?? 0
      let (exchanged, _) = head.compareExchange(
        expected: expected, desired: address, ordering: .acquiringAndReleasing)
      guard !exchanged else {
        unsafe known?.release()
        return
      }
    }
  }
}
