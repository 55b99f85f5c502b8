import Foundation
import Roost
import RoostInterchange
import Testing

/// Models as dictionaries; their round trip is in ``TypeMatrixTests``.
@Suite struct DictionaryTests {
  private let customer = Customer(
    id: 1, name: "Ann",
    address: Address(city: "Delft", zip: nil, place: Place(latitude: 52, longitude: 4)),
    billing: nil)

  @Test func aDictionaryHasTheStoredValues() throws {
    let dictionary = try customer.dictionary()
    #expect(dictionary["id"] as? Int64 == 1)
    #expect(dictionary["name"] as? String == "Ann")
    #expect(dictionary["billing"] == nil)
    let address = try #require(dictionary["address"] as? [String: any Sendable])
    #expect(address["city"] as? String == "Delft" && address["zip"] == nil)
    #expect((address["place"] as? [String: any Sendable])?["latitude"] as? Double == 52)
  }

  @Test func takesTheValuesThatAppsHave() throws {
    let none: String? = nil
    let place: [String: Double] = ["latitude": 52, "longitude": 4]
    let read = try Customer(dictionary: [
      "id": UInt8(1), "name": "Ann" as String?, "other": [1, 2],
      "address": ["city": "Delft", "zip": none, "place": place] as [String: any Sendable],
    ])
    #expect(read == customer)
  }

  @Test func saysWhichFieldCannotBeRead() {
    struct Unknown: Sendable {}
    let bad: [(field: String, dictionary: [String: any Sendable])] = [
      ("id", ["name": "Ann"]),
      ("name", ["id": 1, "name": 7, "address": ["city": "Delft"]]),
      ("address.city", ["id": 1, "name": "Ann", "address": ["zip": "1"]]),
      (
        "address.place",
        [
          "id": 1, "name": "",
          "address": ["city": "", "place": Unknown()] as [String: any Sendable],
        ]
      ),
    ]
    for (field, dictionary) in bad {
      let error = #expect(throws: StoreError.self) { try Customer(dictionary: dictionary) }
      guard case .malformedText(let problem)? = error else { continue }
      #expect(problem.field == field && problem.line == 0)
    }
  }
}
