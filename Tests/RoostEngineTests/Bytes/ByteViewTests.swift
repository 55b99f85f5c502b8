import RoostEngine
import RoostTestSupport
import Testing

@Suite struct ByteViewTests {
  @Test func loadsLittleEndianAtAnyAlignment() {
    let bytes: [UInt8] = [0xAA, 1, 2, 3, 4, 5, 6, 7, 0xF8]
    withView(bytes) { view in
      #expect(view.uint8(at: 1) == 1)
      #expect(view.uint16(at: 1) == 0x0201)
      #expect(view.uint32(at: 1) == 0x0403_0201)
      #expect(view.uint64(at: 1) == 0xF807_0605_0403_0201)
      #expect(view.int64(at: 1) == Int64(bitPattern: 0xF807_0605_0403_0201))
      #expect(view.load(at: 7, as: Int16.self) == Int16(bitPattern: 0xF807))
    }
  }

  @Test func storesWhatItLoads() {
    var bytes = [UInt8](repeating: 0xEE, count: 12)
    unsafe bytes.withUnsafeMutableBytes { buffer in
      let view = unsafe MutableByteView(buffer)
      view.zero()
      view.store(0x0102_0304_0506_0708 as UInt64, at: 1)
      view.store(-2 as Int16, at: 10)
      #expect(view.readOnly.uint64(at: 1) == 0x0102_0304_0506_0708)
      #expect(view.readOnly.load(at: 10, as: Int16.self) == -2)
    }
    #expect(bytes == [0, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0xFE, 0xFF])
  }

  @Test func givesNoSliceOutsideItself() {
    withView([1, 2, 3, 4]) { view in
      #expect(view.checkedSlice(1, 3)?.array == [2, 3, 4])
      #expect(view.checkedSlice(4, 0)?.count == 0)
      for (offset, count) in [(-1, 1), (0, 5), (5, 0), (4, 1), (0, -1), (2, Int.max), (.max, 1)] {
        #expect(view.checkedSlice(offset, count) == nil)
      }
    }
  }

  @Test func hasNoBytesWhenItIsEmpty() {
    #expect(ByteView().count == 0)
    #expect(ByteView().array == [])
    #expect(ByteView().bytesEqual(unsafe ByteView(UnsafeRawBufferPointer(start: nil, count: 0))))
    let target = unsafe MutableByteView(UnsafeMutableRawBufferPointer(start: nil, count: 0))
    target.zero()
    target.copy(ByteView(), at: 0)
    #expect(target.readOnly.array == [])
  }

  @Test func comparesAsUnsignedBytesWithAPrefixFirst() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<2000 {
      let left = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        [0, 1, 0x7F, 0x80, 0xFF][Int.random(in: 0..<5, using: &generator)] as UInt8
      }
      let right = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        [0, 1, 0x7F, 0x80, 0xFF][Int.random(in: 0..<5, using: &generator)] as UInt8
      }
      withView(left) { leftView in
        withView(right) { rightView in
          #expect(leftView.precedes(rightView) == left.lexicographicallyPrecedes(right))
          #expect(leftView.bytesEqual(rightView) == (left == right))
          #expect(leftView.compare(rightView).signum() == -rightView.compare(leftView).signum())
        }
      }
    }
  }

  private func withView(_ bytes: [UInt8], _ body: (ByteView) -> Void) {
    unsafe bytes.withUnsafeBytes { unsafe body(ByteView($0)) }
  }
}
