import Roost
import RoostInterchange
import Testing

/// Members and columns whose names are those of fields in another spelling.
@Suite struct SpellingTests {
  struct Bike: Model {
    let id: Int
    var frameNumber: String
    var retiredOn: String?
    var address: Street?
    var parts: [Piece]
    static let schema = Schema(
      Bike.init, Key("id", \.id), Field("frameNumber", \.frameNumber),
      Field("retiredOn", \.retiredOn), Field("address", \.address),
      Field("parts", \.parts, .default([])))
  }
  struct Street: Embedded, Equatable {
    var street: String
    var zipCode: String
    var door: String?
    static let fields = Fields(
      Street.init, Part("street", \.street), Part("zipCode", \.zipCode), Part("door", \.door))
  }
  struct Piece: Embedded {
    var name: String
    var madeBy: String?
    static let fields = Fields(Piece.init, Part("name", \.name), Part("madeBy", \.madeBy))
  }

  private func problem(_ text: String, _ format: TextFormat) -> TextProblem? {
    do {
      _ = try Bike.read(from: .text(text), as: format)
    } catch StoreError.malformedText(let problem) { return problem } catch {}
    return nil
  }

  @Test(arguments: [
    (#""retired_on": "May""#, "retiredOn", "retired_on"),
    (#""Retired-On": null"#, "retiredOn", "Retired-On"),
    (#""parts": [{"name": "bell", "MadeBy": "Ann"}]"#, "parts[0].madeBy", "MadeBy"),
    (
      #""address": {"street": "A", "zip code": "1", "zipCode": "1", "DOOR": "2"}"#, "address.door",
      "DOOR"
    ),
  ])
  func anOptionalMemberOfJSONThatIsOnlySpeltOtherwiseIsAnError(
    _ member: String, _ path: String, _ name: String
  ) throws {
    let text = #"{"id": 1, "frameNumber": "F1", \#(member)}"#
    let found = try #require(problem(text, .json))
    let field = path.split(separator: ".").last.map(String.init) ?? path
    #expect(found.field == path)
    #expect(
      found.expected
        == "a member \"\(field)\" (for one of another name, set `names` of the format)")
    #expect(found.found == "one named \"\(name)\"")
  }

  @Test func aMergingUpsertSaysItToo() throws {
    let store = try Store(.inMemory, models: Bike.self)
    try store.write {
      try $0.insert(
        Bike(id: 1, frameNumber: "F1", retiredOn: "May", address: nil, parts: []))
    }
    let error = #expect(throws: StoreError.self) {
      try store.write {
        try $0.upsert(
          Bike.self, from: .text(#"{"id": 1, "retired_on": "June"}"#), as: .json,
          onConflict: .mergeGiven)
      }
    }
    #expect("\(try #require(error))".contains("one named \"retired_on\""))
  }

  @Test func aRequiredMemberIsSaidToBeThereInTheOtherSpelling() throws {
    let found = try #require(problem(#"{"id": 1, "frame_number": "F1"}"#, .json))
    #expect(found.field == "frameNumber" && found.found == "one named \"frame_number\"")
  }

  /// A member may stand beside one of the same letters, or be left unread by a name that the text lacks.
  @Test func aMemberBesideTheFieldsOwnIsIgnored() throws {
    let both = #"{"id": 1, "frame_number": "X", "frameNumber": "F1", "FRAMENUMBER": "Y", "__": 1}"#
    #expect(try Bike.read(from: .text(both), as: .json).map(\.frameNumber) == ["F1"])
    var format = TextFormat.json
    let other = #"{"id": 1, "frameNumber": "F1", "retired_on": "May"}"#
    format.names = ["retiredOn": "unread"]
    #expect(try Bike.read(from: .text(other), as: format).map(\.retiredOn) == [nil])
    format.names = ["retiredOn": "retired_on"]
    #expect(try Bike.read(from: .text(other), as: format).map(\.retiredOn) == ["May"])
  }

  @Test(arguments: [
    ("street,zip_code", "address.street", "street"),
    ("Zip Code,x,STREET", "address.street", "STREET"),
    ("x,address_door", "address.door", "address_door"),
  ])
  func partsOfAnOptionalStructWhoseColumnsAreCalledOtherwiseAreAnError(
    _ columns: String, _ part: String, _ name: String
  ) throws {
    let values = String(repeating: ",a", count: columns.split(separator: ",").count)
    let found = try #require(problem("id,frameNumber,\(columns)\n1,F1\(values)", .csv))
    #expect(found.field == "address")
    #expect(
      found.expected
        == "columns for its parts, such as \"\(part)\" (for those of another name, set `names` of the format)"
    )
    #expect(found.found == "one named \"\(name)\"")
  }

  @Test(arguments: ["street", "door", "zipcode,door", "town"])
  func columnsThatAreNotAllThatAnOptionalStructRequiresAreIgnored(_ columns: String) throws {
    let values = String(repeating: ",a", count: columns.split(separator: ",").count)
    let bikes = try Bike.read(
      from: .text("id,frameNumber,\(columns)\n1,F1\(values)"), as: .csv)
    #expect(bikes.map(\.address) == [nil])
  }
}
