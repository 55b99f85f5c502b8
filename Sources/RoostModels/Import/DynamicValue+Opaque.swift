internal import Roost
internal import RoostDynamic
internal import RoostEngine

extension DynamicValue {
  /// What a store has of a value that is stored whole; nil for one that cannot be encoded.
  init?(opaque value: some Opaque) {
    guard case .bytes(let json) = value._constant.value else { return nil }
    self = .json(String(decoding: json, as: UTF8.self))
  }
}
