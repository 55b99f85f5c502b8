internal import Synchronization

/// The bytes of a file, decrypted if need be, read page by page into a cache of bounded size.
///
/// Every read checks that it lies inside of the file.
final class PageCache: Sendable {
  /// The number of bytes, after decryption.
  let byteCount: UInt64
  private let file: ReadOnlyFile
  private let pageBytes: Int
  private let isEncrypted: Bool
  private let state: Mutex<State>

  private static let cacheBytes = 8 << 20

  private struct State {
    var decryption: PageDecryption?
    var slots: [UInt64: Int] = [:]
    var pages: [Page] = []
    /// The page that is looked at first for replacement.
    var hand = 0
  }

  private struct Page {
    var number: UInt64
    var bytes: [UInt8]
    var wasUsed: Bool
  }

  /// Opens a file; with a key, an encrypted one.
  init(path: String, key: [UInt8]?) throws(RealmFileError) {
    let file = try ReadOnlyFile(path: path)
    var decryption: PageDecryption?
    if let key { decryption = try PageDecryption(key: key) }
    self.file = file
    isEncrypted = decryption != nil
    pageBytes = isEncrypted ? PageDecryption.pageBytes : 16 << 10
    byteCount =
      isEncrypted
      ? PageDecryption.byteCount(ofFile: file.state.byteCount) : file.state.byteCount
    state = Mutex(State(decryption: decryption))
  }

  /// Throws if the file was written to since it was opened.
  func checkUnchanged() throws(RealmFileError) {
    guard try file.currentState() == file.state else { throw .changed }
  }

  /// The first bytes of the file as it is stored, before any decryption: fewer if it is shorter.
  func storedPrefix(_ count: Int) throws(RealmFileError) -> [UInt8] {
    try file.read(Int(min(UInt64(count), file.state.byteCount)), at: 0)
  }

  /// The 8 bytes at a multiple of 8, as a little-endian number.
  func word(at offset: UInt64) throws(RealmFileError) -> UInt64 {
    guard offset % 8 == 0, offset < byteCount, byteCount - offset >= 8 else {
      throw .damaged(at: offset, .reference)
    }
    let size = UInt64(pageBytes)
    return try state.withLock { state throws(RealmFileError) in
      let slot = try load(offset / size, &state)
      return state.pages[slot].bytes.load(at: Int(offset % size), as: UInt64.self)
    }
  }

  /// The bytes from `offset` on.
  func bytes(_ count: Int, at offset: UInt64) throws(RealmFileError) -> [UInt8] {
    guard count >= 0, offset <= byteCount, UInt64(count) <= byteCount - offset else {
      throw .damaged(at: offset, .reference)
    }
    if !isEncrypted, count > 4 * pageBytes { return try file.read(count, at: offset) }
    let size = UInt64(pageBytes)
    return try state.withLock { state throws(RealmFileError) in
      var result: [UInt8] = []
      result.reserveCapacity(count)
      var position = offset
      let end = offset + UInt64(count)
      while position < end {
        let number = position / size
        let slot = try load(number, &state)
        let start = Int(position % size)
        let stop = Int(min(end - number * size, size))
        // A last page of a file that is no multiple of 8 may be shorter, but `byteCount` is checked above.
        result += state.pages[slot].bytes[start..<stop]
        position += UInt64(stop - start)
      }
      return result
    }
  }

  /// The slot that holds a page, which is read if it is not there yet.
  private func load(_ number: UInt64, _ state: inout State) throws(RealmFileError) -> Int {
    if let slot = state.slots[number] {
      state.pages[slot].wasUsed = true
      return slot
    }
    let bytes: [UInt8]
    if isEncrypted {
      bytes = try state.decryption?.page(number, of: file) ?? []
    } else {
      let start = number * UInt64(pageBytes)
      bytes = try file.read(Int(min(UInt64(pageBytes), byteCount - start)), at: start)
    }
    let page = Page(number: number, bytes: bytes, wasUsed: false)
    guard state.pages.count * pageBytes >= Self.cacheBytes else {
      state.pages.append(page)
      state.slots[number] = state.pages.count - 1
      return state.pages.count - 1
    }
    while state.pages[state.hand].wasUsed {
      state.pages[state.hand].wasUsed = false
      state.hand = (state.hand + 1) % state.pages.count
    }
    let slot = state.hand
    state.hand = (slot + 1) % state.pages.count
    state.slots[state.pages[slot].number] = nil
    state.pages[slot] = page
    state.slots[number] = slot
    return slot
  }
}
