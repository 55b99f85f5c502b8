import RoostEngine
import RoostTestSupport

/// The bytes of a store file, to be changed as somebody would who knows the format.
struct FileImage {
  var bytes: [UInt8]
  private let path: String

  /// The bytes of the store on a disk.
  init(_ disk: SimulatedDisk, path: String = Library.path) {
    bytes = disk.contents(of: path) ?? []
    self.path = path
  }

  /// A disk with these bytes.
  var disk: SimulatedDisk {
    let disk = SimulatedDisk()
    disk.install(bytes, at: path)
    return disk
  }

  func number<T: FixedWidthInteger>(_ type: T.Type = UInt64.self, at offset: Int) -> T {
    (0..<MemoryLayout<T>.size).reversed().reduce(0) { $0 << 8 | T(bytes[offset + $1]) }
  }

  mutating func set<T: FixedWidthInteger>(_ value: T, at offset: Int) {
    for place in 0..<MemoryLayout<T>.size {
      bytes[offset + place] = UInt8(truncatingIfNeeded: value >> T(8 * place))
    }
  }

  /// Where the newest slot begins.
  var slot: Int {
    [16_384, 32_768, 49_152]
      .filter { number(at: $0) == 0x7465_4D74_736F_6F52 }
      .max { number(UInt64.self, at: $0 + 8) < number(UInt64.self, at: $1 + 8) } ?? 16_384
  }

  /// Makes the checksum of the header right again.
  mutating func sealHeader() { set(hash(0..<4088), at: 4088) }

  /// Makes the checksums of the newest slot and its mark right again.
  mutating func sealSlot() {
    let slot = slot
    let checksum = hash(slot..<slot + 4088)
    set(checksum, at: slot + 4088)
    let mark = (slot == 49_152 ? 16_384 : slot + 16_384) + 4096
    set(checksum, at: mark + 16)
    sealMark(at: mark)
  }

  /// Makes the checksum of a mark right again.
  mutating func sealMark(at mark: Int) { set(hash(mark..<mark + 24), at: mark + 24) }

  /// Where the pages of the newest slot's free log begin, the newest first.
  var freeLogPages: [Int] {
    var pages: [Int] = []
    var pointer = slot + 144
    for _ in 0..<number(UInt32.self, at: slot + 168) {
      let page = Int(number(UInt32.self, at: pointer)) * Unit.bytes
      pages.append(page)
      pointer = page + 16
    }
    return pages
  }

  /// Where the record of a tree's root begins in the newest slot.
  func root(of tree: UInt32) -> Int {
    let slot = slot
    for index in 0..<Int(number(UInt16.self, at: slot + 172)) {
      let record = slot + 512 + 48 * index
      if number(UInt32.self, at: record) == tree { return record }
    }
    return slot
  }

  /// Changes the root node of a tree, and makes all checksums right again.
  mutating func changeRootNode(of tree: UInt32, _ change: (inout FileImage, Int) -> Void) {
    changeExtent(pointerAt: root(of: tree) + 24, change)
  }

  /// Changes an extent that the newest slot points to, and makes all checksums right again.
  mutating func changeExtent(
    pointerAt pointer: Int, _ change: (inout FileImage, Int) -> Void
  ) {
    let start = Int(number(UInt32.self, at: pointer)) * Unit.bytes
    let end = start + (Int(bytes[pointer + 5]) + 1) * Unit.bytes
    change(&self, start)
    set(hash(start..<end), at: pointer + 16)
    sealSlot()
  }

  private func hash(_ range: Range<Int>) -> UInt64 {
    unsafe bytes[range].withUnsafeBytes { unsafe XXH3.hash($0) }
  }
}
