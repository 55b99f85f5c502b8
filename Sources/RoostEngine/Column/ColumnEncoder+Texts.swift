extension ColumnEncoder {
  static func planTexts(_ buffer: ColumnBuffer, _ rows: Range<Int>, _ plan: inout ColumnPlan) {
    let spans = unsafe buffer.cells(from: rows.lowerBound, as: ByteSpan.self)
    let heap = buffer.heapBytes
    var minimum = UInt64.max
    var maximum: UInt64 = 0
    var byteCount = 0
    var hasExternal = false
    let hasNulls = plan.nullCount > 0
    for row in 0..<rows.count {
      if hasNulls, buffer.isNull(rows.lowerBound &+ row) { continue }
      let span = unsafe spans[row]
      // The reference of an external value stores the beginning of the value.
      let start = span.isExternal ? span.offset &+ 32 : span.offset
      let prefix = heap.bigEndianPrefix(start..<span.end)
      minimum = min(minimum, prefix)
      maximum = max(maximum, prefix)
      byteCount &+= Int(span.length)
      if span.isExternal { hasExternal = true }
    }
    plan.flags.insert(.zoneMap)
    plan.minimum = minimum
    plan.maximum = maximum
    plan.encoding = .plain
    plan.heapByteCount = byteCount
    plan.width = byteCount <= Int(UInt16.max) ? 16 : 32
    if hasExternal {
      plan.flags.insert(.external)
    } else {
      planDictionary(buffer, rows, &plan)
    }
  }

  static func planUUIDs(_ buffer: ColumnBuffer, _ rows: Range<Int>, _ plan: inout ColumnPlan) {
    let values = unsafe buffer.cells(from: rows.lowerBound, as: SIMD2<UInt64>.self)
    var minimum = UInt64.max
    var maximum: UInt64 = 0
    for row in 0..<rows.count {
      if plan.nullCount > 0, buffer.isNull(rows.lowerBound &+ row) { continue }
      let prefix = unsafe UInt64(bigEndian: values[row].x)
      minimum = min(minimum, prefix)
      maximum = max(maximum, prefix)
    }
    plan.flags.insert(.zoneMap)
    plan.minimum = minimum
    plan.maximum = maximum
    plan.encoding = .rawUUID
    plan.width = 128
  }

  static func encodePlain(
    _ buffer: ColumnBuffer, _ rows: Range<Int>, _ plan: ColumnPlan, into bytes: MutableByteView
  ) {
    let layout = plan.layout
    let spans = unsafe buffer.cells(from: rows.lowerBound, as: ByteSpan.self)
    let heap = buffer.heapBytes
    if plan.flags.contains(.external) {
      for row in 0..<rows.count where unsafe spans[row].isExternal {
        let place = layout.external + row / 64 * 8
        let word = bytes.readOnly.uint64(at: place)
        bytes.store(word | 1 &<< UInt64(row % 64), at: place)
      }
    }
    var end = 0
    for row in 0..<rows.count {
      end &+= unsafe Int(spans[row].length)
      storeOffset(end, row &+ 1, plan.width, into: bytes, at: layout.offsets)
    }
    if buffer.isSequential(rows) {
      let first = unsafe spans[0].offset
      bytes.copy(heap.slice(first, end), at: layout.heap)
    } else {
      var place = layout.heap
      for row in 0..<rows.count {
        let length = unsafe Int(spans[row].length)
        unsafe bytes.copy(heap.slice(spans[row].offset, length), at: place)
        place &+= length
      }
    }
  }

  @inline(__always)
  private static func storeOffset(
    _ offset: Int, _ index: Int, _ width: Int, into bytes: MutableByteView, at part: Int
  ) {
    if width == 16 {
      bytes.store(UInt16(truncatingIfNeeded: offset), at: part &+ index &* 2)
    } else {
      bytes.store(UInt32(truncatingIfNeeded: offset), at: part &+ index &* 4)
    }
  }
}

extension ColumnBuffer {
  /// The bytes of all texts.
  var heapBytes: ByteView {
    guard let heap = unsafe storage.pointee.heap else { return ByteView() }
    return unsafe ByteView(base: heap, count: storage.pointee.heapCount)
  }
}
