// The models of shelf.sqlite, as `roost models` prints them.
// Left out: the index some_books of Book Item, of expressions or of some rows.

import Foundation
import Roost
import RoostImport
import RoostImportSQLite

enum Shelf {
  struct BookItem: Model {
    let id: String
    var author: Link<Author>?
    var title: String
    var pages: Int?
    var price: Double?
    var cover: Data?
    var isRead: Bool
    var state: State
    var odd: AnyValue
    var `class`: Int?
    var tags: Links<Tag> = []
    static let places = Inverse(\Place.book, "places")
    static let schema = Schema(
      BookItem.init,
      Key("id", \.id),
      Field("author", \.author, .onTargetDelete(.cascade)),
      Field("title", \.title, .unique),
      Field("pages", \.pages, .indexed),
      Field("price", \.price),
      Field("cover", \.cover),
      Field("isRead", \.isRead),
      Field("state", \.state),
      Field("odd", \.odd),
      Field("class", \.class),
      Field("tags", \.tags))
    static let indexes: [Index<BookItem>] = [Index(\.author, \.title)]
  }

  struct Author: Model {
    let id: Int
    var name: String
    var born: Date?
    var uuid: UUID?
    static let bookItems = Inverse(\BookItem.author, "bookItems")
    static let schema = Schema(
      Author.init,
      Key("id", \.id),
      Field("name", \.name),
      Field("born", \.born),
      Field("uuid", \.uuid))
  }

  struct Note: Model {
    let id: Int
    var text: String?
    var at: Date?
    static let schema = Schema(
      Note.init,
      Key("id", \.id),
      Field("text", \.text),
      Field("at", \.at))
  }

  struct Place: Model {
    let id: PlaceKey
    var book: Link<BookItem>?
    static let schema = Schema(
      Place.init,
      Key("id", \.id),
      Field("book", \.book))
  }

  struct Tag: Model {
    let id: String
    static let bookItems = Inverse(\BookItem.tags)
    static let schema = Schema(
      Tag.init,
      Key("id", \.id))
  }

  enum State: String, Sortable, SQLiteDecodable {
    case here
    case onLoan = "on loan"
  }

  /// A value in a column that has values of several types.
  enum AnyValue: Opaque, SQLiteDecodable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case malformedText(Data)
    case blob(Data)

    static func decode(sqlite value: SQLiteValue) -> SQLiteReading<AnyValue> {
      switch value {
      case .null: .exact(.null)
      case .integer(let integer): .exact(.integer(integer))
      case .real(let real): .exact(.real(real))
      case .text(let text): .exact(.text(text))
      case .malformedText(let bytes): .exact(.malformedText(bytes))
      case .blob(let bytes): .exact(.blob(bytes))
      }
    }
  }

  struct PlaceKey: CompoundKey {
    let shelf: Int
    let board: String
    static let parts = KeyParts(
      PlaceKey.init,
      KeyPart("shelf", \.shelf),
      KeyPart("board", \.board))
  }

  /// Makes a store of the file, or opens the one that is there.
  static func openStore(
    _ path: String, importing url: URL
  ) async throws -> Store {
    try await Store.open(
      .file(path), models: BookItem.self, Author.self, Note.self, Place.self, Tag.self,
      importing: .sqlite(url), importObjects)
  }

  /// What the objects of the file become.
  static func importObjects(_ importer: inout Importer) {
    importer.rows("Book Item") {
      BookItem(
        id: try $0.id(),
        author: try $0.link("author_id"),
        title: try $0["title"],
        pages: try $0["pages"],
        price: try $0["price"],
        cover: try $0["cover"],
        isRead: try $0["is_read"],
        state: try $0["state"],
        odd: try $0["odd"],
        class: try $0["class"],
        tags: try $0.links(through: "book_tag", from: "book", to: "tag"))
    }
    importer.rows("author") {
      Author(
        id: try $0.id(),
        name: try $0["name"],
        born: try $0.date("born", as: .grdbText),
        uuid: try $0["uuid"])
    }
    importer.rows("note") {
      Note(
        id: try $0.id(),
        text: try $0["text"],
        at: try $0.date("at", as: .iso8601))
    }
    importer.rows("place") {
      Place(
        id: PlaceKey(shelf: try $0["shelf"], board: try $0["board"]),
        book: try $0.link("book"))
    }
    importer.rows("tag") {
      Tag(
        id: try $0.id())
    }
  }
}
