#if ROOST_SEPARATE_FRAMES
import Foundation
import RoostEngine
import RoostTestSupport
import Testing

/// Scripts/asan finds what it looks for: an access outside of a frame is outside of an allocation, too.
@Suite struct SeparateFrameTests {
  @Test func aReadBehindAFrameEndsTheProcess() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let pager = try StandalonePager(
        file: MemoryFileSystem().open("frames", .create), cacheBytes: 1 << 20)
      let pointer = try pager.write(protected: []) { (writer) throws(EngineError) in
        try writer.write(kind: .leafHead, units: 1) { (bytes) throws(EngineError) in bytes.zero()
        }
      }
      let frame = try pager.reader.frame(pointer)
      let byte = unsafe frame.bytes.withUnsafeBytes { buffer in
        unsafe buffer.baseAddress?.load(fromByteOffset: buffer.count, as: UInt8.self)
      }
      print(byte ?? 0)
      exit(EXIT_SUCCESS)
    }
    let complaint = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(complaint.contains("heap-buffer-overflow"))
  }
}
#endif
