import RoostEngine
import Synchronization
import Testing

/// Counts the objects that live.
private final class Census: Sendable {
  let count = Atomic(0)
}

private final class Node: SlotObject {
  let name: String
  private let census: Census
  var keeper: UnownedReference<Node> { UnownedReference(self) }

  init(_ name: String, _ census: Census = Census()) {
    self.name = name
    self.census = census
    census.count.add(1, ordering: .relaxed)
  }

  deinit { census.count.subtract(1, ordering: .relaxed) }
}

/// A leaf that another object retains, as a frame does.
private final class Frame: Sendable {
  let leaf: Mutex<Leaf?> = Mutex(nil)
  private let census: Census

  init(_ census: Census) {
    self.census = census
    census.count.add(1, ordering: .relaxed)
  }

  deinit { census.count.subtract(1, ordering: .relaxed) }
}

private final class Leaf: SlotObject {
  let keeper: UnownedReference<Frame>

  init(_ frame: Frame) { keeper = UnownedReference(frame) }
}

private final class Link: ChainLink {
  let number: Int
  let next: Link?
  private let census: Census

  init(_ number: Int, _ next: Link?, _ census: Census) {
    (self.number, self.next, self.census) = (number, next, census)
    census.count.add(1, ordering: .relaxed)
  }

  deinit { census.count.subtract(1, ordering: .relaxed) }
}

@Suite struct ReferenceSlotTests {
  private typealias Slot = ReferenceSlot<Node, Leaf>

  @Test func holdsTheFirstNodeThatIsPublished() {
    let slot = Slot()
    #expect(slot.content.isEmpty)
    #expect(slot.content.node == nil && slot.content.leaf == nil)
    let first = Node("first")
    let kept = slot.keep(first)
    #expect(kept === first)
    let keptNext = slot.keep(Node("second"))
    #expect(keptNext === first)
    let isThirdPublished = slot.publish(Node("third"))
    #expect(!isThirdPublished)
    #expect(slot.content.node?.withObject { $0.name } == "first")
    #expect(slot.content.leaf == nil)
  }

  @Test func retainsItsContentUntilItsEnd() {
    let census = Census()
    func use() {
      let slot = Slot()
      let copy = Slot()
      let isPublished = slot.publish(Node("kept", census))
      #expect(isPublished)
      let isNextPublished = slot.publish(Node("too late", census))
      #expect(!isNextPublished)
      #expect(census.count.load(ordering: .relaxed) == 1)
      let isCopied = copy.publish(slot.content)
      #expect(isCopied)
      let isEmptyCopied = copy.publish(Slot.Content.empty)
      #expect(!isEmptyCopied)
      #expect(copy.content.node?.object === slot.content.node?.object)
    }
    use()
    #expect(census.count.load(ordering: .relaxed) == 0)
  }

  @Test func retainsTheKeeperOfALeaf() {
    let census = Census()
    func publish(in slot: borrowing Slot) {
      let frame = Frame(census)
      let leaf = Leaf(frame)
      frame.leaf.withLock { $0 = leaf }
      let isPublished = slot.publish(leaf)
      #expect(isPublished)
    }
    func use() {
      let slot = Slot()
      publish(in: slot)
      #expect(census.count.load(ordering: .relaxed) == 1)
      #expect(slot.content.node == nil)
      let leaf = slot.content.leaf?.object
      #expect(leaf?.keeper.withObject { $0.leaf.withLock { $0 === leaf } } == true)
    }
    use()
    #expect(census.count.load(ordering: .relaxed) == 0)
  }

  @Test func aPublishedReferenceHoldsTheFirstObjectUntilItsEnd() {
    let census = Census()
    func use() {
      let place = PublishedReference<Node>()
      #expect(place.reference == nil)
      let first = place.publish(Node("first", census))
      let known = place.publish(Node("second", census))
      #expect(known === first)
      #expect(place.reference?.object === first)
      #expect(census.count.load(ordering: .relaxed) == 1)
    }
    use()
    #expect(census.count.load(ordering: .relaxed) == 0)
  }

  @Test func aChainHoldsAllLinksThatThreadsPublish() async {
    let census = Census()
    final class Holder: Sendable {
      let chain = PublishedChain<Link>()
    }
    func use() async {
      let holder = Holder()
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<64 {
          group.addTask { holder.chain.push { Link(number, $0, census) } }
        }
      }
      holder.chain.push { _ in nil }
      var numbers: [Int] = []
      var next = holder.chain.first?.object
      while let link = next {
        numbers.append(link.number)
        next = link.next
      }
      #expect(numbers.sorted() == Array(0..<64))
      #expect(census.count.load(ordering: .relaxed) == 64)
    }
    await use()
    #expect(census.count.load(ordering: .relaxed) == 0)
  }
}

@Suite struct FixedArrayTests {
  private struct Refusal: Error {}

  @Test func keepsElementsUntilItsEnd() {
    let census = Census()
    func use() {
      let array = FixedArray(count: 3) { Node("\($0)", census) }
      #expect(array.count == 3)
      #expect(array[0].name == "0" && array[2].name == "2")
      #expect(census.count.load(ordering: .relaxed) == 3)
    }
    use()
    #expect(census.count.load(ordering: .relaxed) == 0)
  }

  @Test func dropsItsFirstElementsWhereOneCannotBeMade() {
    let census = Census()
    #expect(throws: Refusal.self) {
      _ = try FixedArray(count: 4) { place in
        guard place < 2 else { throw Refusal() }
        return Node("\(place)", census)
      }.count
    }
    #expect(census.count.load(ordering: .relaxed) == 0)
  }

  @Test func aCopyHasMemoryOfItsOwn() {
    var array = FixedArray(repeating: UInt8(7), count: 2)
    let copy = FixedArray(copyOf: array)
    array[1] = 9
    #expect(array[0] == 7 && array[1] == 9 && copy[1] == 7)
  }

  @Test(arguments: [-1, 2])
  func anIndexOutsideEndsTheProcess(index: Int) async {
    await #expect(processExitsWith: .failure) { [index] in
      let array = FixedArray(repeating: 1, count: 2)
      print(array[index])
    }
  }
}

@Suite struct PublishedArrayTests {
  @Test func keepsTheFirstElementThatIsPublished() {
    let array = PublishedArray<Int>(count: 3)
    array.publish(5, at: 1)
    array.publish(6, at: 1)
    #expect(!array.view.has(0) && array.view.has(1) && !array.view.has(2))
    #expect(array.view[1] == 5)
  }

  @Test func anElementThatWasNotPublishedEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      let array = PublishedArray<Int>(count: 3)
      print(array.view[1])
    }
  }
}
