import Roost
import RoostTestSupport

/// An object with two blobs, one of them in a struct, beside other fields.
struct Film: Model {
  let id: Int
  var title: String
  var pictures = Blob()
  var sound = Sound()
  static let schema = Schema(
    Film.init, Key("id", \.id), Field("title", \.title, .indexed),
    Field("pictures", \.pictures), Field("sound", \.sound))
}

struct Sound: Embedded {
  var left = Blob()
  var speed: Int? = nil
  static let fields = Fields(
    Sound.init, Part("left", \.left), Part("speed", \.speed))
}

/// Bytes that no compression makes shorter, and that differ by their seed.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var random = SeededGenerator(seed: seed)
  return random.bytes(count)
}
