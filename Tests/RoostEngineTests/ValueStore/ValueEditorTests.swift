import RoostEngine
import RoostTestSupport
import Testing

/// Long values that are changed in place.
@Suite struct ValueEditorTests {
  /// A value beside the bytes that it must have.
  private final class ValueUnderTest {
    let pager: StandalonePager
    let partBytesMax: Int
    var bytes: [UInt8]
    /// Where the value lies; nil while it is short.
    private(set) var reference: ValueReference?

    init(_ bytes: [UInt8], partBytesMax: Int) throws {
      pager = StandalonePager(
        file: try MemoryFileSystem().open("value", .create), cacheBytes: 1 << 20)
      self.bytes = bytes
      self.partBytesMax = partBytesMax
      guard bytes.count > ValueReference.inlineByteCountMax else { return }
      // As values are written that are only ever replaced.
      reference = try pager.write(protected: []) { (writer) throws(EngineError) in
        let reference = unsafe bytes.withUnsafeBytes { buffer in
          Result { () throws(EngineError) in
            let view = unsafe ByteView(buffer)
            return ValueReference(
              pointer: try writer.writeValue(view), length: UInt64(bytes.count), prefix: view)
          }
        }
        return try reference.get()
      }
    }

    /// Changes the value in one transaction.
    ///
    /// - Parameter heldBytesMax: With so many bytes in memory they are written early; nil for the default.
    func change(
      heldBytesMax: Int? = nil, _ body: (ValueEditor, PageWriter) throws(EngineError) -> Void
    ) throws {
      reference = try pager.write(protected: []) { (writer) throws(EngineError) in
        let editor =
          if let reference {
            ValueEditor(
              reference, parentBirth: writer.transaction, partBytesMax: partBytesMax,
              reader: writer.reader)
          } else {
            ValueEditor(bytes, partBytesMax: partBytesMax, reader: writer.reader)
          }
        if let heldBytesMax { editor.heldBytesMax = heldBytesMax }
        try body(editor, writer)
        switch try editor.write(with: writer) {
        case .inline(let short):
          #expect(short == bytes)
          return nil
        case .extents(let reference): return reference
        }
      }
    }

    /// Compares the stored value with the bytes; returns how many units it takes.
    func check() throws -> UInt64 {
      guard let reference else {
        #expect(bytes.count <= ValueReference.inlineByteCountMax)
        return 0
      }
      let parentBirth = pager.transaction
      #expect(reference.length == UInt64(bytes.count))
      #expect(
        try pager.reader.value(
          reference.pointer, length: reference.length, parentBirth: parentBirth) == bytes)
      var units: UInt64 = 0
      var seen: Set<UInt64> = []
      try pager.reader.visitExtents(of: reference, parentBirth: parentBirth) { pointer in
        units += UInt64(pointer.units)
        #expect(seen.insert(pointer.unit).inserted)
      }
      return units
    }
  }

  @Test(arguments: 0..<12)
  func isWhatRandomChangesMakeOfIt(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let start = [0, 900, 5_000, 200_000, 1_100_000, 2_500_000][seed % 6]
    let value = try ValueUnderTest(
      random.bytes(start), partBytesMax: seed < 6 ? 64 : 4096)
    for round in 0..<60 {
      let grows = round % 20 < 12
      try value.change(heldBytesMax: seed.isMultiple(of: 2) ? 3000 : nil) {
        (editor, writer) throws(EngineError) in
        for _ in 0..<Int.random(in: 1...40, using: &random) {
          let count = value.bytes.count
          if random.chance(1, in: 4) {
            let place = Int.random(in: 0...count, using: &random)
            let most = random.chance(1, in: 20) ? count : 9000
            let length = min(Int.random(in: 0...most, using: &random), count - place)
            let new = random.bytes(length)
            try editor.overwrite(new, at: UInt64(place))
            value.bytes.replaceSubrange(place..<place + length, with: new)
          } else if random.chance(grows ? 2 : 1, in: 3) {
            let longest = random.chance(1, in: 30) ? 20_000 : 40
            let new = random.bytes(Int.random(in: 0...longest, using: &random))
            let place = random.chance(1, in: 4) ? count : Int.random(in: 0...count, using: &random)
            try editor.insert(new, at: UInt64(place))
            value.bytes.insert(contentsOf: new, at: place)
          } else {
            let most = random.chance(1, in: 20) ? count : min(count, 60)
            let length = Int.random(in: 0...most, using: &random)
            let place = Int.random(in: 0...count - length, using: &random)
            try editor.remove(UInt64(place)..<UInt64(place + length))
            value.bytes.removeSubrange(place..<place + length)
          }
          let end = value.bytes.count
          let lower = Int.random(in: 0...end, using: &random)
          let upper = min(end, lower + Int.random(in: 0...300, using: &random))
          let read = try editor.read(UInt64(lower)..<UInt64(upper))
          #expect(read == Array(value.bytes[lower..<upper]))
          #expect(editor.length == UInt64(end))
          try editor.settleIfLarge(with: writer)
        }
      }
      _ = try value.check()
    }
  }

  @Test func takesNoMoreUnitsThanItsTreeHasExtents() throws {
    var random = SeededGenerator(seed: 5)
    let value = try ValueUnderTest([], partBytesMax: 4096)
    var most: UInt64 = 0
    for round in 0..<200 {
      try value.change { (editor, _) throws(EngineError) in
        for _ in 0..<20 {
          let new = random.bytes(800)
          let place = Int.random(in: 0...value.bytes.count, using: &random)
          try editor.insert(new, at: UInt64(place))
          value.bytes.insert(contentsOf: new, at: place)
          guard round >= 100 else { continue }
          let old = Int.random(in: 0...value.bytes.count - 800, using: &random)
          try editor.remove(UInt64(old)..<UInt64(old + 800))
          value.bytes.removeSubrange(old..<old + 800)
        }
      }
      most = max(most, try value.check())
    }
    // Parts are half full or more on the whole, and a transaction's new ones lie beside those that they replace.
    #expect(most * 4096 <= UInt64(value.bytes.count) * 5 / 2)
    #expect(value.pager.highWater <= most * 2 + 16)
    try value.change { (editor, _) throws(EngineError) in
      try editor.remove(0..<editor.length)
      value.bytes = []
    }
    #expect(value.reference == nil)
  }

  @Test(arguments: [true, false])
  func insertingAlwaysAtOnePlaceFillsTheParts(atTheEnd: Bool) throws {
    let value = try ValueUnderTest([UInt8](repeating: 1, count: 2_000), partBytesMax: 4096)
    let parts = (0..<50_000).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 8) }
    try value.change { (editor, _) throws(EngineError) in
      for new in parts { try editor.insert(new, at: atTheEnd ? editor.length : 1_000) }
    }
    // What is inserted at one place stands there with the last first.
    value.bytes.insert(
      contentsOf: (atTheEnd ? parts : parts.reversed()).joined(),
      at: atTheEnd ? value.bytes.count : 1_000)
    #expect(try value.check() * 4096 <= UInt64(value.bytes.count) * (atTheEnd ? 11 : 22) / 10)
  }

  @Test func aSmallFileThatUnfoldsToMuchIsAnErrorAndNoMore() throws {
    let pager = StandalonePager(
      file: try MemoryFileSystem().open("value", .create), cacheBytes: 1 << 20)
    // Nodes whose children are all the same one: twelve billions of parts, in six extents.
    let reference = try pager.write(protected: []) { (writer) throws(EngineError) in
      let part = [UInt8](repeating: 7, count: 2000)
      let chunk = unsafe part.withUnsafeBytes { bytes in
        Result { () throws(EngineError) in try writer.writeValue(unsafe ByteView(bytes)) }
      }
      var pointer = try chunk.get()
      var length: UInt64 = 2000
      for level in 0..<5 {
        pointer = try writer.writeNode(
          Array(repeating: (pointer, length), count: 127), level: level)
        length *= 127
      }
      return unsafe part.withUnsafeBytes {
        ValueReference(pointer: pointer, length: length, prefix: unsafe ByteView($0))
      }
    }
    let birth = pager.transaction
    #expect(throws: EngineError.self) {
      try pager.reader.value(reference.pointer, length: reference.length, parentBirth: birth)
    }
    #expect(throws: EngineError.self) {
      try pager.reader.visitExtents(of: reference, parentBirth: birth) { _ in }
    }
    #expect(throws: EngineError.self) {
      try pager.write(protected: []) { (writer) throws(EngineError) in
        try writer.freeValue(reference.pointer, length: reference.length, parentBirth: birth)
      }
    }
    #expect(throws: EngineError.self) {
      let editor = ValueEditor(
        reference, parentBirth: birth, partBytesMax: 4096, reader: pager.reader)
      _ = try editor.read(0..<editor.length)
    }
  }

  @Test func damageInAPartIsAnError() throws {
    var random = SeededGenerator(seed: 9)
    let value = try ValueUnderTest([], partBytesMax: 256)
    value.bytes = random.bytes(20_000)
    let bytes = value.bytes
    try value.change { (editor, _) throws(EngineError) in try editor.insert(bytes, at: 0) }
    let reference = try #require(value.reference)
    var wrong = reference
    wrong.length += 8
    #expect(throws: EngineError.self) {
      try value.pager.reader.value(
        wrong.pointer, length: wrong.length, parentBirth: value.pager.transaction)
    }
    // The node is younger than what is said to hold the pointer to it.
    #expect(throws: EngineError.self) {
      try value.pager.reader.value(
        reference.pointer, length: reference.length,
        parentBirth: reference.pointer.birth - 1)
    }
  }
}
