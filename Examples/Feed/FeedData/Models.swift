import Foundation
import Roost

struct Author: Model {
  let id: Int
  var name: String
  static let posts = Inverse(\Post.author)
  static let schema = Schema(Author.init, Key("id", \.id), Field("name", \.name))
}

struct Post: Model {
  let id: Int
  var author: Link<Author>
  var text: String
  var date: Date
  var likes: Int
  var isLiked: Bool  // These two are of this device, and the server does not know them.
  var isRead: Bool
  static let schema = Schema(
    Post.init, Key("id", \.id), Field("author", \.author, .onTargetDelete(.cascade)),
    Field("text", \.text), Field("date", \.date, .indexed), Field("likes", \.likes),
    Field("isLiked", \.isLiked, .default(false)), Field("isRead", \.isRead, .default(false)))

  static let newest = Post.all.order(by: \.date, \.id, descending: true)
  static let unread = Post.where { !$0.isRead }
}
