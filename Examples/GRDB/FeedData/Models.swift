import Foundation
import GRDB

struct Author: Codable, FetchableRecord, PersistableRecord {
  var id: Int
  var name: String
  static let posts = hasMany(Post.self)

  enum Columns {
    static let name = Column(CodingKeys.name)
  }
}

struct Post: Codable, FetchableRecord, PersistableRecord {
  var id: Int
  var authorId: Int
  var text: String
  var date: Date
  var likes: Int
  var isLiked: Bool  // These two are of this device, and the server does not know them.
  var isRead: Bool
  static let author = belongsTo(Author.self)
  static let textIndex = hasOne(PostText.self, using: ForeignKey(["rowid"], to: ["id"]))

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let authorId = Column(CodingKeys.authorId)
    static let date = Column(CodingKeys.date)
    static let isRead = Column(CodingKeys.isRead)
  }

  static var newest: QueryInterfaceRequest<Post> { order { [$0.date.desc, $0.id.desc] } }
  static var unread: QueryInterfaceRequest<Post> { filter { !$0.isRead } }
}

/// The full-text index of the posts' texts.
struct PostText: TableRecord {}

extension FeedPost: FetchableRecord {}
extension FeedAuthor: FetchableRecord {}

extension QueryInterfaceRequest<Post> {
  /// The rows of a list.
  var rows: QueryInterfaceRequest<FeedPost> {
    annotated(withRequired: Post.author.select { $0.name.forKey("author") })
      .asRequest(of: FeedPost.self)
  }
}

var migrator: DatabaseMigrator {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("1") { db in
    try db.create(table: "author") { t in
      t.primaryKey("id", .integer)
      t.column("name", .text).notNull()
    }
    try db.create(table: "post") { t in
      t.primaryKey("id", .integer)
      t.belongsTo("author", onDelete: .cascade).notNull()
      t.column("text", .text).notNull()
      t.column("date", .datetime).notNull().indexed()
      t.column("likes", .integer).notNull()
      t.column("isLiked", .boolean).notNull()
      t.column("isRead", .boolean).notNull()
    }
    try db.create(virtualTable: "postText", using: FTS5()) { t in
      t.synchronize(withTable: "post")
      t.tokenizer = .unicode61(diacritics: .remove)
      t.column("text")
    }
  }
  return migrator
}
