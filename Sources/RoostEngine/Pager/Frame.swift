import Synchronization

/// One extent's bytes in memory, with a verified checksum.
///
/// Retaining a frame keeps its bytes. A frame never changes once it can be found in the cache.
package final class Frame: Sendable {
  /// The extent that holds the bytes.
  package let pointer: ExtentPointer
  /// All bytes of the extent.
  package let bytes: ByteView
  private let run: FrameArena.Run
  private let arena: FrameArena
  /// The retained attachment, as an address; 0 while there is none.
  private let attached = Atomic<UInt>(0)
  /// Whether the frame was requested again since the clock hand last passed it.
  let wasUsed = Atomic<Bool>(false)
  /// Whether the bytes are in the file yet; a frame that is not written stays in the cache.
  let isWritten: Atomic<Bool>

  init(pointer: ExtentPointer, run: FrameArena.Run, arena: FrameArena, isWritten: Bool) {
    self.pointer = pointer
    self.run = run
    self.arena = arena
    self.isWritten = Atomic(isWritten)
    bytes = unsafe ByteView(base: run.base, count: run.units * Unit.bytes)
  }

  deinit {
    let address = attached.load(ordering: .acquiring)
    if let opaque = unsafe UnsafeRawPointer(bitPattern: address) {
      unsafe Unmanaged<AnyObject>.fromOpaque(opaque).release()
    }
    arena.release(run)
  }

  /// The object that was made by validating the frame's content, if there is one.
  ///
  /// Invariant: all attachments of frames of one extent kind have one class, so that the cast is
  /// right; the object must not hold the frame (the frame holds it).
  @inline(__always)
  func attachment<T: AnyObject>(as type: T.Type) -> T? {
    let address = attached.load(ordering: .acquiring)
    guard let opaque = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    return unsafe unsafeDowncast(
      Unmanaged<AnyObject>.fromOpaque(opaque).takeUnretainedValue(), to: T.self)
  }

  /// Attaches a validated object, unless another thread was first; returns the attached object.
  func attach<T: AnyObject>(_ object: T) -> T {
    let retained = unsafe Unmanaged<AnyObject>.passRetained(object)
    let address = unsafe UInt(bitPattern: retained.toOpaque())
    let (exchanged, _) = attached.compareExchange(
      expected: 0, desired: address, ordering: .acquiringAndReleasing)
    guard !exchanged else { return object }
    unsafe retained.release()
    return attachment(as: T.self) ?? object
  }
}
