/// The first few of what is offered, in an order, in a heap with the last of them first.
///
/// Each call must get the same order.
struct BoundedHeap<Element> {
  private let countMax: Int
  private(set) var elements: [Element] = []

  /// - Parameter countMax: How many are kept; at least one.
  init(countMax: Int) { self.countMax = countMax }

  /// Which one the next that is better replaces; nil as long as there is room.
  var last: Element? { elements.count < countMax ? nil : elements.first }

  /// Adds an element; where there is no room, in place of ``last``, which it must precede.
  @inline(__always)
  mutating func insert(_ element: Element, by precedes: (Element, Element) -> Bool) {
    if elements.count < countMax {
      elements.append(element)
      siftUp(precedes)
    } else {
      elements[0] = element
      siftDown(precedes)
    }
  }

  @inline(__always)
  private mutating func siftUp(_ precedes: (Element, Element) -> Bool) {
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard precedes(elements[parent], elements[child]) else { return }
      elements.swapAt(parent, child)
      child = parent
    }
  }

  @inline(__always)
  private mutating func siftDown(_ precedes: (Element, Element) -> Bool) {
    var parent = 0
    while true {
      var last = parent
      var child = 2 * parent + 1
      while child < elements.count, child <= 2 * parent + 2 {
        if precedes(elements[last], elements[child]) { last = child }
        child += 1
      }
      if last == parent { return }
      elements.swapAt(parent, last)
      parent = last
    }
  }
}
