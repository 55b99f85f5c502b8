extension PlainBuffer where Element: Comparable {
  /// Sorts the elements in ascending order.
  mutating func sort() {
    unsafe withUnsafeMutableElements { elements in
      var elements = unsafe elements
      unsafe elements.sort()
    }
  }
}

/// Radix sort (Knuth, volume 3, algorithm 5.2.5R), and insertion sort for few elements.
extension PlainBuffer {
  /// Sorts the elements of a range stably by one digit.
  ///
  /// - Parameters:
  ///   - spare: As many elements, of any content before and after.
  ///   - ends: A zero for each digit, of which there are a power of two; gets where the digit's elements end.
  ///   - digit: Its lowest bits count, as many as there are digits.
  /// - Returns: False where all have the same digit; nothing is moved then.
  @inline(__always)
  mutating func distribute(
    _ range: Range<Int>, using spare: inout PlainBuffer, ends: inout [Int],
    by digit: (Element) -> Int
  ) -> Bool {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= min(count, spare.count) && !range.isEmpty
        && ends.count.nonzeroBitCount == 1, "Range outside the buffer.")
    let mask = ends.count - 1
    // Digits are less than the count of ends, and the ends that are used are less than the count of elements.
    let isMoved = unsafe ends.withUnsafeMutableBufferPointer { ends in
      unsafe withUnsafeElements { elements in
        for index in range { unsafe ends[digit(elements[index]) & mask] &+= 1 }
        guard unsafe ends[digit(elements[range.lowerBound]) & mask] < range.count else {
          return false
        }
        var next = range.lowerBound
        for value in 0...mask {
          let count = unsafe ends[value]
          unsafe ends[value] = next
          next &+= count
        }
        unsafe spare.withUnsafeMutableElements { spare in
          for index in range {
            let element = unsafe elements[index]
            let value = digit(element) & mask
            unsafe spare[ends[value]] = element
            unsafe ends[value] &+= 1
          }
        }
        return true
      }
    }
    guard isMoved else { return false }
    if range.count == count, count == spare.count {
      swap(&self, &spare)
    } else {
      unsafe withUnsafeMutableElements { elements in
        unsafe spare.withUnsafeElements { spare in
          unsafe _ = UnsafeMutableBufferPointer(rebasing: elements[range])
            .update(fromContentsOf: UnsafeBufferPointer(rebasing: spare[range]))
        }
      }
    }
    return true
  }

  /// Sorts all elements stably by a number, which lies in a range.
  ///
  /// - Parameter spare: As many elements, of any content before and after.
  @inline(__always)
  mutating func sort(
    by number: (Element) -> UInt64, in range: ClosedRange<UInt64>, using spare: inout PlainBuffer
  ) {
    guard count > 32 else { return sortByInsertion(0..<count) { number($0) < number($1) } }
    // For few elements, clearing 2048 ends would take longer than sorting.
    let digitBits = count < 1024 ? 8 : 11
    let bits = UInt64.bitWidth - (range.upperBound - range.lowerBound).leadingZeroBitCount
    for shift in stride(from: 0, to: bits, by: digitBits) {
      var ends = [Int](repeating: 0, count: 1 << digitBits)
      _ = distribute(0..<count, using: &spare, ends: &ends) {
        Int(truncatingIfNeeded: (number($0) &- range.lowerBound) &>> UInt64(shift))
      }
    }
  }

  /// Sorts a range of few elements stably.
  @inline(__always)
  mutating func sortByInsertion(_ range: Range<Int>, by precedes: (Element, Element) -> Bool) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Range outside the buffer.")
    // All indices lie in the range.
    unsafe withUnsafeMutableElements { elements in
      for index in range.dropFirst() {
        let element = unsafe elements[index]
        var place = index
        while place > range.lowerBound, unsafe precedes(element, elements[place - 1]) {
          unsafe elements[place] = elements[place - 1]
          place -= 1
        }
        unsafe elements[place] = element
      }
    }
  }

  /// A buffer of `count` elements with undefined content.
  static func uninitialized(_ count: Int) -> PlainBuffer {
    var buffer = PlainBuffer(minimumCapacity: count)
    unsafe buffer.append(unsafely: count) { _ in }
    return buffer
  }
}
