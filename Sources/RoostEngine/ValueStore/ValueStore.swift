extension PageWriter {
  /// Writes a value into extents of its own and returns the pointer to the first.
  ///
  /// - Complexity: Up to 1,044,480 bytes one extent; above, a chunk for each so many, and a list of them.
  package func writeValue(_ bytes: ByteView) throws(EngineError) -> ExtentPointer {
    guard UInt64(bytes.count) <= ValueLayout.bytesMax else {
      throw .limit(EngineLimit(.valueBytes, ValueLayout.bytesMax))
    }
    if bytes.count <= ValueLayout.chunkBytes { return try writeChunk(bytes) }
    var pointers: [ExtentPointer] = []
    var offset = 0
    while offset < bytes.count {
      let count = min(ValueLayout.chunkBytes, bytes.count - offset)
      pointers.append(try writeChunk(bytes.slice(offset, count)))
      offset += count
    }
    var level = 0
    while true {
      pointers = try writeLists(of: pointers, level: level, length: UInt64(bytes.count))
      if let root = pointers.first, pointers.count == 1 { return root }
      level += 1
    }
  }

  /// Frees all extents of a value, which an older version or this transaction wrote.
  ///
  /// - Throws: `.corrupt` when the value's lists cannot be read.
  package func freeValue(
    _ pointer: ExtentPointer, length: UInt64, parentBirth: UInt64
  ) throws(EngineError) {
    try freeValue(ValueEdge(root: pointer, length: length, parentBirth: parentBirth))
  }

  /// Frees all extents of a part of a value.
  func freeValue(_ edge: ValueEdge) throws(EngineError) {
    var pointers: [ExtentPointer] = []
    try reader.visitValue(edge, readsChunks: false, ExtentVisitor { pointers.append($0) })
    for pointer in pointers where pointer.end > highWater {
      throw .corrupt(Corruption(.pointerOutsideFile, unit: pointer.unit))
    }
    for pointer in pointers { free(pointer) }
  }

  /// Writes at most ``ValueLayout/chunkBytes``, packed if that saves an eighth and at least a unit.
  func writeChunk(_ bytes: ByteView) throws(EngineError) -> ExtentPointer {
    let units = max(1, ValueLayout.units(bytes.count))
    if units > 1, let packed = LZ4.compress(bytes), packed.count <= bytes.count / 8 * 7,
      ValueLayout.units(packed.count + 4) < units
    {
      return try write(kind: .valueLZ4, units: ValueLayout.units(packed.count + 4)) { target in
        target.store(UInt32(packed.count), at: 0)
        packed.withByteView { target.copy($0, at: 4) }
      }
    }
    return try write(kind: .valueBytes, units: units) { $0.copy(bytes, at: 0) }
  }

  /// Writes lists of pointers to chunks, or to lists of the level below; `length` is the whole value's.
  func writeLists(
    of pointers: [ExtentPointer], level: Int, length: UInt64
  ) throws(EngineError) -> [ExtentPointer] {
    var lists: [ExtentPointer] = []
    var start = 0
    let form = ValueListForm.current
    let perChild = form.childBytes(level: level)
    while start < pointers.count {
      let count = min(form.pointersMax, pointers.count - start)
      let below = min(length - UInt64(start) * perChild, UInt64(count) * perChild)
      let units = ValueLayout.units(
        ValueLayout.listPointers + ExtentPointer.size * count)
      lists.append(
        try write(kind: .valueList, units: units) { target in
          target.store(ExtentKind.valueList.rawValue, at: 0)
          target.store(UInt8(level), at: ValueLayout.listLevel)
          target.store(form.code, at: ValueLayout.listForm)
          target.store(UInt32(count), at: ValueLayout.listCount)
          target.store(below, at: ValueLayout.listLength)
          for index in 0..<count {
            pointers[start + index].store(
              in: target, at: ValueLayout.listPointers + ExtentPointer.size * index)
          }
        })
      start += count
    }
    return lists
  }
}
