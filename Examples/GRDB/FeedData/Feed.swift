import Foundation
import GRDB

/// The feed of one account.
package struct Feed: Sendable {
  let database: DatabasePool

  init(path: String) throws {
    database = try DatabasePool(path: path)
    try migrator.migrate(database)
  }

  /// Ends the use of the account's file.
  package func close() {
    try? database.close()
  }

  // MARK: From the server

  private struct SentPost: Decodable {
    var id: Int
    var author: Author
    var text: String
    var date: Date
    var likes: Int
  }

  /// Takes posts over, each with its author. Posts that are there stay read and liked.
  package func receive(_ json: String) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let posts = try decoder.decode([SentPost].self, from: Data(json.utf8))
    try database.write { db in
      for sent in posts {
        try sent.author.upsert(db)
        let old = try Post.fetchOne(db, key: sent.id)
        try Post(
          id: sent.id, authorId: sent.author.id, text: sent.text, date: sent.date,
          likes: sent.likes, isLiked: old?.isLiked ?? false, isRead: old?.isRead ?? false
        ).save(db)
      }
    }
  }

  // MARK: Lists

  /// The posts in a section for each day, the newest first, now and after each change.
  package func sections() -> some AsyncSequence<[FeedSection], any Error> & Sendable {
    ValueObservation.tracking { try Post.newest.rows.fetchAll($0) }.removeDuplicates()
      .map { posts in
        var sections: [FeedSection] = []
        for post in posts {
          let day = FeedSection.day(of: post.date)
          if sections.last?.day != day { sections.append(FeedSection(day: day, posts: [])) }
          sections[sections.count - 1].posts.append(post)
        }
        return sections
      }
      .values(in: database)
  }

  /// The newest posts, or those that follow a post in the list.
  package func page(_ count: Int, after last: FeedPost? = nil) throws -> [FeedPost] {
    var posts = Post.newest.limit(count)
    if let last {
      posts = posts.filter {
        $0.date < last.date || ($0.date == last.date && $0.id < last.id)
      }
    }
    return try database.read { try posts.rows.fetchAll($0) }
  }

  /// The posts whose text has words that begin with those of a text, whatever their case and accents.
  package func search(_ text: String) throws -> [FeedPost] {
    guard let pattern = FTS5Pattern(matchingAllPrefixesIn: text) else { return [] }
    let found = Post.newest.joining(required: Post.textIndex.matching(pattern))
    return try database.read { try found.rows.fetchAll($0) }
  }

  /// All authors, by name.
  package func authors() throws -> [FeedAuthor] {
    try database.read { db in
      try Author.order { $0.name }
        .annotated(
          with: Author.posts.count.forKey("posts"),
          Author.posts.filter { !$0.isRead }.forKey("unreadPosts").count.forKey("unread")
        )
        .asRequest(of: FeedAuthor.self).fetchAll(db)
    }
  }

  /// How many posts are unread, now and after each change.
  package func unreadCount() -> some AsyncSequence<Int, any Error> & Sendable {
    ValueObservation.tracking { try Post.unread.fetchCount($0) }.removeDuplicates()
      .values(in: database)
  }

  // MARK: What a reader does

  /// Marks posts as read. Those that are gone do not matter.
  package func markRead(_ ids: [Int]) throws {
    try database.write { db in
      _ = try Post.filter(keys: ids).updateAll(db) { $0.isRead.set(to: true) }
    }
  }

  /// Marks all posts as read, or those of one author.
  package func markAllRead(of author: Int? = nil) throws {
    var posts = Post.unread
    if let author { posts = posts.filter { $0.authorId == author } }
    try database.write { _ = try posts.updateAll($0) { $0.isRead.set(to: true) } }
  }

  /// Likes a post, or does not any more.
  package func setLiked(_ isLiked: Bool, post: Int) throws {
    try database.write { db in
      var post = try Post.find(db, key: post)
      guard post.isLiked != isLiked else { return }
      try post.updateChanges(db) {
        $0.isLiked = isLiked
        $0.likes += isLiked ? 1 : -1
      }
    }
  }

  /// Removes an author with all posts.
  package func deleteAuthor(_ id: Int) throws {
    try database.write { _ = try Author.deleteOne($0, key: id) }
  }
}

/// The accounts of this device: each has a file of its own.
package struct Accounts: Sendable {
  let folder: URL
  private static let ending = ".sqlite"

  package init(folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The accounts that have been signed in, by name.
  package var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(Self.ending) }
        .compactMap { String($0.dropLast(Self.ending.count)).removingPercentEncoding }.sorted()
    }
  }

  /// Opens the feed of an account; of a new one an empty feed is made.
  package func signIn(_ name: String) throws -> Feed {
    try Feed(path: path(of: name))
  }

  /// Removes an account's file, after its feed was closed.
  package func remove(_ name: String) throws {
    for suffix in ["-wal", "-shm", ""] {
      let path = path(of: name) + suffix
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }

  /// A name may be any text; in the file's name, whatever is not a small letter or a digit is written by its number.
  private func path(of name: String) -> String {
    let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyz0123456789")
    let escaped = name.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    return folder.appendingPathComponent(escaped + Self.ending).path
  }
}
