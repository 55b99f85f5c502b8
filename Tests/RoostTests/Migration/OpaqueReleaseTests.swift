import Roost
import RoostTestSupport
import Testing

/// A photo as the newer release has it.
private enum New {
  struct Camera: Opaque, Hashable {
    var name: String
    var lens: String?
  }
  enum Place: CaseNamed, Hashable {
    case unknown
    case city(name: String, zip: String?)
    enum Kind: String, Sortable { case unknown, city }
    var kind: Kind {
      switch self {
      case .unknown: .unknown
      case .city: .city
      }
    }
  }
  struct Frame: Embedded, Hashable {
    var camera: Camera
    static let fields = Fields(Frame.init, Part("camera", \.camera))
  }
  struct Photo: Model, Equatable {
    let id: Int
    var title: String
    var camera: Camera
    var second: Camera?
    var frame: Frame
    var place: Place
    static let schema = Schema(
      Photo.init, Key("id", \.id), Field("title", \.title), Field("camera", \.camera),
      Field("second", \.second), Field("frame", \.frame), Field("place", \.place))
  }
}

/// As the older one has it, whose types know less.
private enum Old {
  struct Camera: Opaque, Hashable { var name: String }
  enum Place: CaseNamed, Hashable {
    case unknown
    case city(name: String)
    enum Kind: String, Sortable { case unknown, city }
    var kind: Kind {
      switch self {
      case .unknown: .unknown
      case .city: .city
      }
    }
  }
  struct Frame: Embedded, Hashable {
    var camera: Camera
    static let fields = Fields(Frame.init, Part("camera", \.camera))
  }
  struct Photo: Model, Equatable {
    let id: Int
    var title: String
    var camera: Camera
    var second: Camera?
    var frame: Frame
    var place: Place
    static let schema = Schema(
      Photo.init, Key("id", \.id), Field("title", \.title), Field("camera", \.camera),
      Field("second", \.second), Field("frame", \.frame), Field("place", \.place))
  }
}

/// Opaque values that a release reads with fewer properties than they were stored with.
@Suite struct OpaqueReleaseTests {
  private let camera = New.Camera(name: "Leica", lens: "35 mm")

  private func photo(_ id: Int) -> New.Photo {
    New.Photo(
      id: id, title: "first", camera: camera, second: camera, frame: New.Frame(camera: camera),
      place: .city(name: "Delft", zip: "2611"))
  }

  /// Stores photos, lets the older release change them, and returns them.
  private func photos(_ change: (WriteTransaction) throws -> Void) throws -> [New.Photo] {
    try withTemporaryDirectory { directory in
      let path = directory + "/photos.roost"
      do {
        let store = try Store(.file(path), models: New.Photo.self)
        try store.write { try $0.insert(contentsOf: [photo(1), photo(2)]) }
      }
      do {
        let store = try Store(.file(path), models: Old.Photo.self)
        try store.write(change)
      }
      let store = try Store(.file(path), models: New.Photo.self)
      return try store.snapshot().fetch(New.Photo.all.order(by: \.id))
    }
  }

  @Test func whatAReleaseDoesNotChangeKeepsThePropertiesThatItDoesNotKnow() throws {
    var expected = [photo(1), photo(2)]
    for position in expected.indices { expected[position].title = "second" }
    let byClosure = try photos { transaction in
      for id in 1...2 { try transaction.update(Old.Photo.self, id: id) { $0.title = "second" } }
    }
    #expect(byClosure == expected)
    let byObject = try photos { transaction in
      for var photo in try transaction.fetch(Old.Photo.all) {
        photo.title = "second"
        try transaction.update(photo)
      }
    }
    #expect(byObject == expected)
    let byUpsert = try photos { transaction in
      let all = try transaction.fetch(Old.Photo.all)
      try transaction.upsert(
        contentsOf: all.map { photo in
          var photo = photo
          photo.title = "second"
          return photo
        })
    }
    #expect(byUpsert == expected)
  }

  @Test func whatAReleaseChangesIsAsItHasWrittenIt() throws {
    let changed = try photos { transaction in
      try transaction.update(Old.Photo.self, id: 1) { photo in
        photo.second = nil
        photo.frame.camera.name = "Rollei"
        photo.place = .unknown
      }
      try transaction.update(Old.Photo.self, id: 2, set: \.second, to: Old.Camera(name: "Leica"))
    }
    var first = photo(1)
    first.second = nil
    first.frame.camera = New.Camera(name: "Rollei")
    first.place = .unknown
    var second = photo(2)
    second.second = New.Camera(name: "Leica")
    #expect(changed == [first, second])
  }
}
