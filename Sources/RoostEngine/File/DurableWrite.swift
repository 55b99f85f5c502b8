#if os(Linux)
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A write that the kernel carries out and makes durable while the thread goes on: `IOCB_CMD_PWRITE` of `io_submit(2)` with
/// `RWF_DSYNC`, from Linux 4.13 on, through a descriptor with `O_DIRECT`.
///
/// The disk begins with it at once, without a copy in the system's cache, and no other thread has to be woken.
struct DurableWrite: Sendable {
  /// The kernel's context for one operation at a time.
  private let context: UInt
  private let byteCount: Int

  /// What offset, length and memory are a multiple of.
  static let alignment = 4096

  /// Begins a write; nil where the kernel cannot, or is not asked yet.
  ///
  /// A process that has a context takes some 30 ms longer to end. So one that commits a few times does without.
  /// - Parameter view: Stays as it is until ``finish()`` returns.
  static func begin(_ descriptor: Int32, _ view: ByteView, at offset: UInt64) -> DurableWrite? {
    guard let context = idleContexts.withLock({ $0.take() }) else { return nil }
    guard submitWrite(descriptor, view, at: offset, in: context) else {
      idleContexts.withLock { $0.giveBack(context, isUsable: false) }
      return nil
    }
    return DurableWrite(context: context, byteCount: view.count)
  }

  /// Returns when the bytes are durable: 0, or the error number for which they may not be.
  func finish() -> Int32 {
    let result = waitForWrite(in: context)
    idleContexts.withLock { $0.giveBack(context, isUsable: result != nil) }
    guard let result, result < 0 else { return result == byteCount ? 0 : EIO }
    return Int32(clamping: -result)
  }

  /// Opens a file again for such writes; nil where its file system has none.
  static func descriptor(of descriptor: Int32) -> Int32? {
    #if arch(x86_64)
    let direct: Int32 = 0x4000
    #else
    let direct: Int32 = 0x10000
    #endif
    // By its number, for its path may have another file by now.
    let opened = systemOpen("/proc/self/fd/\(descriptor)", O_WRONLY | direct)
    return opened >= 0 ? opened : nil
  }
}

/// The contexts that no write uses: as many as there were writes at a time.
private struct IdleContexts {
  /// Contexts belong to the process that made them.
  private var generation = ForkGeneration.ofNewFile()
  private var contexts: [UInt] = []
  private var requestCount = 0
  private var isUnsupported = false

  /// After how many requests there is a context.
  private static let requestsWithout = 128

  mutating func take() -> UInt? {
    if !generation.isCurrent { self = IdleContexts() }
    requestCount += 1
    guard !isUnsupported, requestCount > Self.requestsWithout else { return nil }
    if let context = contexts.popLast() { return context }
    guard let context = makeContext() else {
      isUnsupported = true
      return nil
    }
    return context
  }

  /// Takes a context back; one whose operation may go on is not used again.
  mutating func giveBack(_ context: UInt, isUsable: Bool) {
    guard generation.isCurrent else { return }
    if isUsable { contexts.append(context) } else { isUnsupported = true }
  }
}

private let idleContexts = Mutex(IdleContexts())

// MARK: System calls

/// The numbers of the calls, which the C library has no functions for.
private enum Number {
  #if arch(x86_64)
  static let setup = 206
  static let wait = 208
  static let submit = 209
  #else
  static let setup = 0
  static let submit = 2
  static let wait = 4
  #endif
}

/// `syscall`, whose declaration Swift cannot call since it takes any number of arguments.
private let systemCall: (@convention(c) (Int, UInt, UInt, UInt, UInt, UInt) -> Int)? =
  unsafe dlsym(nil, "syscall").map { symbol in
    unsafe unsafeBitCast(
      symbol, to: (@convention(c) (Int, UInt, UInt, UInt, UInt, UInt) -> Int).self)
  }

/// A context for one operation at a time; nil where the kernel gives none.
private func makeContext() -> UInt? {
  #if arch(x86_64) || arch(arm64)
  var context: UInt = 0
  let code = unsafe withUnsafeMutablePointer(to: &context) { place in
    systemCall?(Number.setup, 1, UInt(bitPattern: place), 0, 0, 0) ?? -1
  }
  return code == 0 ? context : nil
  #else
  return nil
  #endif
}

/// Lets the kernel begin a write; false where it did not.
private func submitWrite(
  _ descriptor: Int32, _ view: ByteView, at offset: UInt64, in context: UInt
) -> Bool {
  // The kernel's `iocb`: 64 bytes.
  unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { operation in
    unsafe operation.initializeMemory(as: UInt8.self, repeating: 0)
    // `RWF_DSYNC` and `IOCB_CMD_PWRITE`.
    unsafe operation.storeBytes(of: 2, toByteOffset: 12, as: Int32.self)
    unsafe operation.storeBytes(of: 1, toByteOffset: 16, as: UInt16.self)
    unsafe operation.storeBytes(of: descriptor, toByteOffset: 20, as: Int32.self)
    unsafe operation.storeBytes(
      of: UInt64(UInt(bitPattern: view.base)), toByteOffset: 24, as: UInt64.self)
    unsafe operation.storeBytes(of: UInt64(view.count), toByteOffset: 32, as: UInt64.self)
    unsafe operation.storeBytes(of: offset, toByteOffset: 40, as: UInt64.self)
    // The kernel has copied the operation when the call returns.
    var place = UInt(bitPattern: operation.baseAddress)
    return unsafe withUnsafeMutablePointer(to: &place) { list in
      retryingInterrupted {
        systemCall?(Number.submit, context, 1, UInt(bitPattern: list), 0, 0) ?? 0
      } == 1
    }
  }
}

/// Waits for the end of the only operation; the number of bytes or a negative error number, nil where that is not known.
private func waitForWrite(in context: UInt) -> Int? {
  // The kernel's `io_event`: 32 bytes, with the result at 16.
  unsafe withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { event in
    unsafe event.initializeMemory(as: UInt8.self, repeating: 0)
    let count = retryingInterrupted {
      systemCall?(Number.wait, context, 1, 1, UInt(bitPattern: event.baseAddress), 0) ?? 0
    }
    return unsafe count == 1 ? Int(event.load(fromByteOffset: 16, as: Int64.self)) : nil
  }
}
#endif
