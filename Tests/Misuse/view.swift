// refused: cannot find 'ByteView' in scope
// A view of bytes, from which any other bytes could be read.
import RoostEngine

func read(_ bytes: UnsafeRawBufferPointer) -> UInt64 { unsafe ByteView(bytes).uint64(at: 4096) }
