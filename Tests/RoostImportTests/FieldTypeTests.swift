import Foundation
import Roost
import RoostImport
import Testing

/// Values of Realm that no type of Swift holds exactly, as fields of models.
@Suite struct FieldTypeTests {
  @Test func theyAreKeptExactly() throws {
    for time in RealmValue.Timestamp._unusualSamples + RealmValue.Timestamp._samples(3) {
      #expect(RealmValue.Timestamp(stored: time.stored) == time)
    }
    for decimal in RealmValue.Decimal128._unusualSamples + RealmValue.Decimal128._samples(3) {
      #expect(RealmValue.Decimal128(stored: decimal.stored) == decimal)
    }
    for id in RealmValue.ObjectID._unusualSamples + RealmValue.ObjectID._samples(20) {
      #expect(RealmValue.ObjectID(stored: id.stored) == id)
    }
    #expect(RealmValue.ObjectID(stored: "00ff") == nil)
    #expect(RealmValue.ObjectID(stored: String(repeating: "g", count: 24)) == nil)
    #expect(RealmValue.Timestamp(stored: Data([1])) == nil)
    #expect(RealmValue.Decimal128(stored: Data([1])) == nil)
    let earlier = RealmValue.Timestamp(seconds: -1, nanoseconds: -5).stored
    let later = RealmValue.Timestamp(seconds: 0, nanoseconds: 7).stored
    #expect(earlier.lexicographicallyPrecedes(later))
  }
}
