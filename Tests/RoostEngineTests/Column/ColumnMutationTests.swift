import RoostEngine
import RoostTestSupport
import Testing

/// Whatever the bytes of a column are: it is rejected, or reading it is safe.
///
/// A failure is a trap of the whole run; the seed and the round are printed before each shape.
struct ColumnMutationTests {
  @Test(arguments: ColumnSample.Shape.allCases)
  func damagedColumnsAreRejectedOrReadWithoutATrap(shape: ColumnSample.Shape) {
    var generator = SeededGenerator(seed: 31)
    let (selection, scratch) = (Selection(), Selection())
    var readable = 0
    for round in 0..<1600 {
      let bits = shape.interestingBits[round / 8 % shape.interestingBits.count]
      let sample = ColumnSample(
        shape, count: [1, 64, 70, 129][round % 4], nullPercent: round % 8 < 4 ? 0 : 30, bits: bits,
        using: &generator)
      let encoded = sample.encoded()
      let (entry, extent) = (encoded.entry, encoded.bytes.array)
      for _ in 0..<2 {
        encoded.restore(entry, extent)
        encoded.mutate(using: &generator)
        let rowCount =
          generator.chance(1, in: 6)
          ? Int.random(in: 0...4200, using: &generator) : encoded.rowCount
        guard
          let chunk = try? ColumnChunk(
            validating: encoded.entry, extent: encoded.bytes, rowCount: rowCount, unit: 9)
        else { continue }
        readable += 1
        chunk.readEverything(sample, selection, scratch, &generator)
      }
    }
    #expect(readable > 0)
  }

  @Test func entriesOfAnyBytesAreRejectedOrReadWithoutATrap() {
    var generator = SeededGenerator(seed: 32)
    let extent = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
    defer { unsafe extent.deallocate() }
    let sample = ColumnSample(.uniqueTexts, count: 9, nullPercent: 0, using: &generator)
    let (selection, scratch) = (Selection(), Selection())
    for _ in 0..<20_000 {
      for offset in stride(from: 0, to: 256, by: 8) {
        unsafe extent.storeBytes(
          of: generator.chance(1, in: 2) ? 0 : generator.next(), toByteOffset: offset,
          as: UInt64.self)
      }
      // Small numbers, so that more than the first check is passed.
      let entry = ColumnEntry(
        field: 1, type: PhysicalType.allCases.randomElement(using: &generator) ?? .integer,
        encoding: ColumnEncoding.allCases.randomElement(using: &generator) ?? .raw,
        width: [0, 1, 2, 4, 8, 16, 24, 32, 64, 128].randomElement(using: &generator) ?? 0,
        flags: ColumnFlags(rawValue: UInt8(generator.next() % 16)), group: 0,
        parameter: UInt16(generator.next() % 4), offset: UInt32(generator.next() % 3) * 8,
        length: UInt32(generator.next() % 40) * 8, nullCount: UInt32(generator.next() % 3),
        minimum: generator.next() % 5, maximum: generator.next() % 9)
      let rowCount = Int.random(in: 0...40, using: &generator)
      let view = unsafe ByteView(UnsafeRawBufferPointer(extent))
      if let chunk = try? ColumnChunk(validating: entry, extent: view, rowCount: rowCount, unit: 9)
      {
        chunk.readEverything(sample, selection, scratch, &generator)
      }
    }
  }
}

extension ColumnMutationTests {
  /// A dictionary column of one row, with so many texts of two bytes.
  private func dictionary(_ count: Int) throws -> PhysicalType? {
    let heap = ((count + 1) * 4 + 7) & ~7
    let byteCount = heap + (count * 2 + 7) & ~7
    let extent = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
    defer { unsafe extent.deallocate() }
    for place in extent.indices { unsafe extent[place] = 0 }
    for number in 0...count {
      unsafe extent.storeBytes(of: UInt32(number * 2), toByteOffset: number * 4, as: UInt32.self)
      guard number < count else { break }
      unsafe extent.storeBytes(
        of: UInt16(number).bigEndian, toByteOffset: heap + number * 2, as: UInt16.self)
    }
    let entry = ColumnEntry(
      field: 1, type: .bytes, encoding: .dictionary, width: 0, flags: [], group: 0,
      parameter: UInt16(count), offset: 0, length: UInt32(byteCount), nullCount: 0, minimum: 0,
      maximum: 0)
    let view = unsafe ByteView(UnsafeRawBufferPointer(extent))
    return try ColumnChunk(validating: entry, extent: view, rowCount: 1, unit: 9).type
  }

  @Test func aDictionaryOfMoreTextsThanALeafHasRowsIsRefused() throws {
    #expect(try dictionary(4096) == .bytes)
    #expect(throws: EngineError.self) { try dictionary(4097) }
  }
}

extension EncodedColumn {
  /// Puts the column back as it was encoded.
  fileprivate func restore(_ entry: ColumnEntry, _ extent: [UInt8]) {
    self.entry = entry
    unsafe self.extent.copyBytes(from: extent)
  }

  /// Changes a few bytes of the column, of its entry, or of both.
  fileprivate func mutate(using generator: inout SeededGenerator) {
    let changes = Int.random(in: 1...3, using: &generator)
    for _ in 0..<changes {
      let byte = UInt8(
        truncatingIfNeeded: generator.chance(1, in: 3) ? generator.next() : generator.next() & 1)
      if unsafe extent.count > Int(entry.offset), entry.offset < 4096, generator.chance(1, in: 2) {
        let place = unsafe Int.random(in: Int(entry.offset)..<extent.count, using: &generator)
        unsafe extent[place] ^= byte
      } else {
        var stored = [UInt8](repeating: 0, count: ColumnEntry.byteCount)
        let changed = unsafe stored.withUnsafeMutableBytes { buffer -> ColumnEntry? in
          guard let base = buffer.baseAddress else { return nil }
          let view = unsafe MutableByteView(base: base, count: buffer.count)
          entry.store(in: view, at: 0)
          let place = Int.random(in: 4..<40, using: &generator)
          view.store(view.readOnly.uint8(at: place) ^ byte, at: place)
          return ColumnEntry(view.readOnly, at: 0)
        }
        if let changed { entry = changed }
      }
    }
  }
}

extension ColumnChunk {
  /// Uses every way of reading the chunk that there is.
  fileprivate func readEverything(
    _ sample: ColumnSample, _ selection: Selection, _ scratch: Selection,
    _ generator: inout SeededGenerator
  ) {
    for row in 0..<rowCount {
      _ = value(row)
      if type == .bytes { _ = external(row) }
    }
    let decoded = ColumnBuffer(type: type)
    decoded.append(self, rows: 0..<rowCount)
    decoded.append(self, rows: rowCount / 3..<rowCount)
    _ = ColumnEncoder.plan(decoded, rows: 0..<rowCount)
    try? checkInvariants(unit: 9)
    let constants = sample.constants(using: &generator)
    for constant in constants.prefix(12) + [value(rowCount / 2)] {
      let comparison = Comparison.allCases.randomElement(using: &generator) ?? .equal
      filter(comparison, constant, into: selection)
      _ = count(comparison, constant, scratch: scratch)
    }
    filter(oneOf: constants, into: selection, scratch: scratch)
    decoded.append(self, selected: selection)
    switch type {
    case .integer:
      _ = sum()
      _ = sum(selection)
      _ = integerExtremes(selection)
    case .double, .float:
      _ = sumOfDoubles()
      _ = sumOfDoubles(selection)
      _ = doubleExtremes()
    case .bytes, .uuid:
      _ = rowOfMinimum()
      _ = rowOfMaximum(selection)
    }
    guard type == .bytes else { return }
    for match in TextMatch.allCases {
      filter(match, [0x61], into: selection)
      filter(match, [0x61, 0x62, 0x63], into: selection)
    }
  }
}
