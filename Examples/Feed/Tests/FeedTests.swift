import FeedData
import Foundation
import Testing

/// The feed of an account in a folder of its own. The same tests are run with the data layer for Roost and with that for GRDB.
@Suite struct FeedTests {
  let folder: Folder
  let accounts: Accounts
  let feed: Feed

  init() throws {
    folder = try Folder()
    accounts = try Accounts(folder: folder.url)
    feed = try accounts.signIn("ann")
  }

  /// What the server sends.
  struct Sent: Encodable {
    struct Author: Encodable {
      var id: Int
      var name: String
    }
    var id: Int
    var author: Author
    var text: String
    var date: Date
    var likes = 0
  }

  static let midnight = Date(timeIntervalSince1970: 1_700_006_400)  // 2023-11-15
  static let ann = Sent.Author(id: 1, name: "Ann")
  static let bob = Sent.Author(id: 2, name: "Bob")

  private func post(
    _ id: Int, _ text: String, by author: Sent.Author = ann, hours: Int, likes: Int = 0
  ) -> Sent {
    let date = Self.midnight + Double(hours * 3600)
    return Sent(id: id, author: author, text: text, date: date, likes: likes)
  }

  private func receive(_ posts: [Sent]) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    try feed.receive(String(decoding: encoder.encode(posts), as: UTF8.self))
  }

  private func texts(_ sections: [FeedSection]?) -> [String]? {
    sections?.map { section in
      "\(section.day): " + section.posts.map(\.text).joined(separator: ", ")
    }
  }

  @Test func postsStandInSectionsByDayTheNewestFirst() async throws {
    try receive([
      post(1, "early", hours: 1), post(2, "late", hours: 23),
      post(3, "before", by: Self.bob, hours: -1),
    ])
    var sections = feed.sections().makeAsyncIterator()
    let first = try await sections.next()
    #expect(texts(first) == ["2023-11-15: late, early", "2023-11-14: before"])
    #expect(
      first?.last?.posts == [
        FeedPost(
          id: 3, author: "Bob", text: "before", date: Self.midnight - 3600, likes: 0,
          isLiked: false, isRead: false)
      ])
  }

  @Test func sectionsFollowWhatIsReceivedReadLikedAndDeleted() async throws {
    var sections = feed.sections().makeAsyncIterator()
    #expect(texts(try await sections.next()) == [])
    try receive([post(1, "one", hours: 1), post(2, "two", by: Self.bob, hours: 30, likes: 4)])
    #expect(texts(try await sections.next()) == ["2023-11-16: two", "2023-11-15: one"])
    try receive([post(3, "three", hours: 2)])
    #expect(texts(try await sections.next()) == ["2023-11-16: two", "2023-11-15: three, one"])
    try feed.markRead([3])
    #expect(try await sections.next()?.map { $0.posts.map(\.isRead) } == [[false], [true, false]])
    try feed.setLiked(true, post: 2)
    #expect(try await sections.next()?.first?.posts.map(\.likes) == [5])
    try receive([post(1, "one, moved", hours: 31)])
    #expect(
      texts(try await sections.next()) == ["2023-11-16: one, moved, two", "2023-11-15: three"])
    try feed.deleteAuthor(Self.ann.id)
    #expect(texts(try await sections.next()) == ["2023-11-16: two"])
  }

  @Test func sectionsShowTheNewNameOfAnAuthor() async throws {
    try receive([post(1, "one", hours: 1), post(2, "two", by: Self.bob, hours: 2)])
    var sections = feed.sections().makeAsyncIterator()
    #expect(try await sections.next()?.first?.posts.map(\.author) == ["Bob", "Ann"])
    try receive([post(1, "one", by: Sent.Author(id: 1, name: "Anna"), hours: 1)])
    #expect(try await sections.next()?.first?.posts.map(\.author) == ["Bob", "Anna"])
  }

  @Test func whatAReaderDidStaysWhenAPostIsReceivedAgain() throws {
    try receive([post(1, "one", hours: 1, likes: 2)])
    try feed.markRead([1])
    try feed.setLiked(true, post: 1)
    try receive([post(1, "one, edited", hours: 1, likes: 7)])
    let posts = try feed.page(20)
    #expect(posts.map(\.text) == ["one, edited"])
    #expect(posts.map(\.likes) == [7])
    #expect(posts.map(\.isLiked) == [true])
    #expect(posts.map(\.isRead) == [true])
  }

  @Test func aPostIsLikedOnce() throws {
    try receive([post(1, "one", hours: 1, likes: 2)])
    try feed.setLiked(true, post: 1)
    try feed.setLiked(true, post: 1)
    #expect(try feed.page(20).map(\.likes) == [3])
    try feed.setLiked(false, post: 1)
    #expect(try feed.page(20).map(\.likes) == [2])
    #expect(throws: (any Error).self) { try feed.setLiked(true, post: 9) }
  }

  /// Three posts have each date, so that pages end between posts of one date.
  @Test func pagesFollowEachOtherWithoutGapsWhateverIsReceivedMeanwhile() throws {
    try receive((0..<50).map { post($0, "\($0)", hours: $0 / 3) })
    let first = try feed.page(20)
    #expect(first.map(\.id) == Array((30..<50).reversed()))
    try receive([post(50, "new", hours: 99)])
    let second = try feed.page(20, after: first.last)
    #expect(second.map(\.id) == Array((10..<30).reversed()))
    let third = try feed.page(20, after: second.last)
    #expect(third.map(\.id) == Array((0..<10).reversed()))
    #expect(try feed.page(20, after: third.last).isEmpty)
  }

  @Test func theUnreadCountFollowsTheFeed() async throws {
    var counts = feed.unreadCount().makeAsyncIterator()
    #expect(try await counts.next() == 0)
    try receive([
      post(1, "one", hours: 1), post(2, "two", by: Self.bob, hours: 2), post(3, "three", hours: 3),
    ])
    #expect(try await counts.next() == 3)
    try feed.markRead([2, 77])
    #expect(try await counts.next() == 2)
    try feed.markAllRead(of: Self.bob.id)
    try feed.markAllRead(of: Self.ann.id)
    #expect(try await counts.next() == 0)
    try receive([post(4, "four", hours: 4)])
    #expect(try await counts.next() == 1)
    try feed.markAllRead()
    #expect(try await counts.next() == 0)
  }

  @Test func authorsComeWithTheNumbersOfTheirPosts() throws {
    try receive([
      post(1, "one", by: Self.bob, hours: 1), post(2, "two", hours: 2), post(3, "three", hours: 3),
    ])
    try feed.markRead([2])
    #expect(
      try feed.authors() == [
        FeedAuthor(id: 1, name: "Ann", posts: 2, unread: 1),
        FeedAuthor(id: 2, name: "Bob", posts: 1, unread: 1),
      ])
  }

  @Test func anAuthorGoesWithAllPosts() throws {
    try receive([
      post(1, "one", by: Self.bob, hours: 1), post(2, "two", hours: 2), post(3, "three", hours: 3),
    ])
    try feed.deleteAuthor(Self.ann.id)
    #expect(try feed.page(20).map(\.text) == ["one"])
    #expect(try feed.authors().map(\.name) == ["Bob"])
    try feed.deleteAuthor(Self.ann.id)
  }

  @Test func aSearchFindsWordsWhateverTheirCaseAndAccents() throws {
    try receive([
      post(1, "A Café in Delft", hours: 1), post(2, "two cafes", by: Self.bob, hours: 2),
      post(3, "tea", hours: 3),
    ])
    #expect(try feed.search("cafe").map(\.id) == [2, 1])
    #expect(try feed.search("CAFÉ").map(\.id) == [2, 1])
    #expect(try feed.search("delft").map(\.id) == [1])
    #expect(try feed.search("coffee").isEmpty)
    try receive([post(2, "two teas", by: Self.bob, hours: 2)])
    #expect(try feed.search("cafe").map(\.id) == [1])
    try feed.deleteAuthor(Self.ann.id)
    #expect(try feed.search("tea").map(\.id) == [2])
  }

  @Test(arguments: [
    #"[{"id": 1, "text": "no author", "date": "2026-01-01T00:00:00Z", "likes": 0}]"#,
    #"[{"id": 1, "author": {"id": 1, "name": "Ann"}, "text": "x", "date": "soon", "likes": 0}]"#,
  ])
  func whatTheServerSendsWrongIsRefusedAsAWhole(_ json: String) throws {
    #expect(throws: (any Error).self) { try feed.receive(json) }
    #expect(try feed.page(20).isEmpty)
    #expect(try feed.authors().isEmpty)
  }

  @Test func eachAccountHasAFeedOfItsOwn() throws {
    try receive([post(1, "of ann", hours: 1)])
    let names = ["Ann", "../ann", "bob@example.org", "ann"]
    for name in names.dropLast() { #expect(try accounts.signIn(name).page(20).isEmpty) }
    #expect(try accounts.names == names.sorted())
    feed.close()
    try accounts.remove("ann")
    #expect(try accounts.names == names.dropLast().sorted())
    #expect(try accounts.signIn("ann").page(20).isEmpty)
  }

  @Test func aFeedIsThereAgainAfterARestart() throws {
    try receive([post(1, "one", hours: 1)])
    feed.close()
    let restarted = try Accounts(folder: folder.url)
    #expect(try restarted.signIn("ann").page(20).map(\.text) == ["one"])
  }
}

/// A folder of a test's own, removed with it.
final class Folder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
