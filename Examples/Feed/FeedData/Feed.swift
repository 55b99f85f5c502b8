import Foundation
import Roost
import RoostInterchange
import RoostUI

/// The feed of one account.
package struct Feed: Sendable {
  let store: Store

  init(path: String) throws {
    store = try Store(.file(path), models: Author.self, Post.self)
  }

  /// Ends the use of the account's file.
  package func close() {
    store.close()
  }

  // MARK: From the server

  /// Takes posts over, each with its author. Posts that are there stay read and liked.
  package func receive(_ json: String) throws {
    try store.write { try $0.upsert(Post.self, from: .text(json)) { $0.author } }
  }

  // MARK: Lists

  /// The posts in a section for each day, the newest first, now and after each change.
  package func sections() -> some AsyncSequence<[FeedSection], any Error> & Sendable {
    let days = store.changes(
      of: Post.newest, sectionedBy: { FeedSection.day(of: try $0.date) },
      reading: { $0.author.name })
    return days.map { change in
      try change.sections.map {
        FeedSection(day: $0.key, posts: try change.results[$0.range].map(FeedPost.init))
      }
    }
  }

  /// The newest posts, or those that follow a post in the list.
  package func page(_ count: Int, after last: FeedPost? = nil) throws -> [FeedPost] {
    var posts = Post.newest
    if let last {
      posts = posts.where {
        $0.date < last.date || ($0.date == last.date && $0.id < last.id)
      }
    }
    return try store.snapshot().rows(posts.limit(count)).map(FeedPost.init)
  }

  /// The posts whose text has a text in it, whatever its case and accents.
  package func search(_ text: String) throws -> [FeedPost] {
    let found = Post.newest.where {
      $0.text.contains(text, options: [.caseInsensitive, .diacriticInsensitive])
    }
    return try store.snapshot().rows(found).map(FeedPost.init)
  }

  /// All authors, by name.
  package func authors() throws -> [FeedAuthor] {
    let authors = Author.all.order(by: \.name)
    return try store.snapshot().values(
      of: authors, { $0.id }, { $0.name }, { $0.posts.count },
      { $0.posts.where { !$0.isRead }.count }
    ).map { FeedAuthor(id: $0, name: $1, posts: $2, unread: $3) }
  }

  /// How many posts are unread, now and after each change.
  package func unreadCount() -> some AsyncSequence<Int, any Error> & Sendable {
    store.values(of: Post.unread) { try $0.count($1) }
  }

  // MARK: What a reader does

  /// Marks posts as read. Those that are gone do not matter.
  package func markRead(_ ids: [Int]) throws {
    try store.write {
      try $0.update(Post.where { $0.id.in(ids) }, set: \.isRead, to: true)
    }
  }

  /// Marks all posts as read, or those of one author.
  package func markAllRead(of author: Int? = nil) throws {
    var posts = Post.unread
    if let author { posts = posts.where { $0.author == Link(id: author) } }
    try store.write { try $0.update(posts, set: \.isRead, to: true) }
  }

  /// Likes a post, or does not any more.
  package func setLiked(_ isLiked: Bool, post: Int) throws {
    try store.write {
      try $0.update(Post.self, id: post) { post in
        guard post.isLiked != isLiked else { return }
        post.isLiked = isLiked
        post.likes += isLiked ? 1 : -1
      }
    }
  }

  /// Removes an author with all posts.
  package func deleteAuthor(_ id: Int) throws {
    try store.write { try $0.delete(Author.self, id: id) }
  }
}

extension FeedPost {
  init(_ post: Row<Post>) throws {
    self.init(
      id: try post.id, author: try post.author.name, text: try post.text, date: try post.date,
      likes: try post.likes, isLiked: try post.isLiked, isRead: try post.isRead)
  }
}

/// The accounts of this device: each has a file of its own.
package struct Accounts: Sendable {
  let stores: StoreDirectory

  package init(folder: URL) throws {
    stores = try StoreDirectory(folder.path)
  }

  /// The accounts that have been signed in, by name.
  package var names: [String] { get throws { try stores.names.sorted() } }

  /// Opens the feed of an account; of a new one an empty feed is made.
  package func signIn(_ name: String) throws -> Feed {
    try Feed(path: stores.path(of: name))
  }

  /// Removes an account's file, after its feed was closed.
  package func remove(_ name: String) throws {
    try stores.remove(name)
  }
}
