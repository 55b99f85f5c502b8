import Foundation

// What the screens of the feed show, and the tests compare: the data layers for Roost and for GRDB have this file in common.

/// A post as a row of a list.
package struct FeedPost: Codable, Equatable, Identifiable, Sendable {
  package var id: Int
  package var author: String
  package var text: String
  package var date: Date
  package var likes: Int
  package var isLiked: Bool
  package var isRead: Bool

  package init(
    id: Int, author: String, text: String, date: Date, likes: Int, isLiked: Bool, isRead: Bool
  ) {
    self.id = id
    self.author = author
    self.text = text
    self.date = date
    self.likes = likes
    self.isLiked = isLiked
    self.isRead = isRead
  }
}

/// The posts of a day, the newest first.
package struct FeedSection: Codable, Equatable, Sendable {
  package var day: String
  package var posts: [FeedPost]

  /// The day of a date in UTC, such as `2026-11-25`.
  package static func day(of date: Date) -> String {
    date.formatted(.iso8601.year().month().day())
  }

  package init(day: String, posts: [FeedPost]) {
    self.day = day
    self.posts = posts
  }
}

/// An author, and how many posts there are of them.
package struct FeedAuthor: Codable, Equatable, Identifiable, Sendable {
  package var id: Int
  package var name: String
  package var posts: Int
  package var unread: Int

  package init(id: Int, name: String, posts: Int, unread: Int) {
    self.id = id
    self.name = name
    self.posts = posts
    self.unread = unread
  }
}
