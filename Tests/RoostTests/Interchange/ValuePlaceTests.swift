import Roost
import RoostInterchange
import Testing

/// The line and column in the error for a value that the property's type refuses.
@Suite struct ValuePlaceTests {
  enum Size: String, Storable, CaseIterable { case small, large }
  struct Box: Embedded {
    var size: Size?
    var weight: Int
    static let fields = Fields(Box.init, Part("size", \.size), Part("weight", \.weight))
  }
  struct Parcel: Model {
    let id: Int
    var size: Size
    var box: Box?
    var sizes: [Size]
    var from: Link<Office>
    static let schema = Schema(
      Parcel.init, Key("id", \.id), Field("size", \.size), Field("box", \.box),
      Field("sizes", \.sizes), Field("from", \.from))
  }
  struct Office: Model {
    let id: Int
    var size: Size
    static let parcels = Inverse(\Parcel.from, "parcels")
    static let schema = Schema(Office.init, Key("id", \.id), Field("size", \.size))
  }

  /// The line and the column of the only `huge` in a text.
  private func place(in text: String) throws -> [Int] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("huge") })
    let start = try #require(lines[line].firstRange(of: "huge")).lowerBound
    let before = lines[line][..<start].utf8
    // A text begins with its quotation mark.
    return [line + 1, before.count + (before.last == UInt8(ascii: "\"") ? 0 : 1)]
  }

  private func problem(_ read: () throws -> Void) -> TextProblem? {
    let error = #expect(throws: StoreError.self) { try read() }
    guard case .malformedText(let problem)? = error else {
      Issue.record("\(String(describing: error))")
      return nil
    }
    return problem
  }

  private static let objects = [
    #"[{"id":1,"size":"small","box":null,"sizes":[],"from":1},"#,
    #"{"sizes":["large"],"box":{"weight":1,"size":"large"},"id":2,"from":1,"size":"large"},"#,
    #"{"id":3,"box":{"size":null,"weight":2}, "sizes":["small"],"from":1,"size":"small"}]"#,
  ]

  @Test func aWrongCaseIsFoundWhereItStands() throws {
    let known = "a value that its Swift type knows"
    let wholes: [(line: Int, field: String, value: String)] = [
      (0, "size", #""size":"small""#), (1, "box.size", #""size":"large""#),
      (1, "size", #""from":1,"size":"large""#), (2, "size", #""size":"small""#),
    ]
    for (line, field, member) in wholes {
      var objects = Self.objects
      let wrong = member.replacing("small", with: "huge").replacing("large", with: "huge")
      let first = try #require(objects[line].firstRange(of: member))
      objects[line].replaceSubrange(first, with: wrong)
      let text = objects.joined(separator: "\n")
      let found = try #require(
        problem { _ = try Parcel.read(from: .text(text), as: .json) })
      #expect(found.field == field && found.expected == known + ": \"small\", \"large\"")
      #expect(found.found == "huge")
      #expect(try place(in: text) == [found.line, found.column], "\(text)")
    }
  }

  private struct Visit: Model {
    enum Status: Opaque { case planned, cancelled(reason: String) }

    let id: Int
    var status: Status?
    static let schema = Schema(Visit.init, Key("id", \.id), Field("status", \.status))
  }

  @Test func theFormOfAnEnumWithValuesIsSaidWhereATextHasAnother() throws {
    let found = try #require(
      problem { _ = try Visit.read(from: .text(#"[{"id":1,"status":"planned"}]"#), as: .json) })
    #expect(found.expected.contains(#"(a case of an enum: {"cash":{}}, and with values {"card":"#))
    let visits = try Visit.read(
      from: .text(
        #"[{"id":1,"status":{"planned":{}}},{"id":2,"status":{"cancelled":{"reason":"ill"}}}]"#),
      as: .json)
    #expect(visits.map(\.id) == [1, 2])
  }

  @Test func aCollectionWithAWrongCaseIsFoundWhereItBegins() throws {
    let text = Self.objects.joined(separator: "\n").replacing(#"["large"]"#, with: #"["huge"]"#)
    let found = try #require(problem { _ = try Parcel.read(from: .text(text), as: .json) })
    #expect(found.field == "sizes" && found.found == "huge")
    #expect(found.line == 2 && found.column == 10)
  }

  @Test func aWrongCaseInCSVIsFoundInItsField() throws {
    let head = "from,sizes,box.weight,box.size,size,id,box\n"
    let text =
      head + "1,[],,,small,1,\n" + "1,\"[\"\"large\"\"]\",2,large,small,2,true\n"
      + "1,[],2,huge,small,3,true\n"
    let found = try #require(problem { _ = try Parcel.read(from: .text(text), as: .csv) })
    #expect(found.field == "box.size" && found.found == "huge")
    #expect(try place(in: text) == [found.line, found.column])
  }

  @Test func aWrongCaseWithinANestedTextIsFoundWhereItStands() throws {
    let store = try Store(.inMemory, models: Office.self, Parcel.self)
    for (inner, outer) in [("huge", "small"), ("large", "huge")] {
      let text = """
        {"size":"\(outer)","parcels":[{"id":1,"size":"small","sizes":[]},
         {"id":2,"sizes":[],"size":"\(inner)"}],
         "id":1}
        """
      let found = try #require(
        problem {
          try store.write {
            _ = try $0.upsert(Office.self, from: .text(text), as: .json, including: { $0.parcels })
          }
        })
      #expect(found.model == (inner == "huge" ? "Parcel" : "Office"))
      #expect(found.field == "size" && found.found == "huge")
      #expect(try place(in: text) == [found.line, found.column], "\(text)")
    }
  }

  @Test(arguments: [
    ("sizes", #""[""a"",""b""]""#), ("numbers", #""[1,2]""#), ("prices", #""{""a"":…}""#),
    ("boxes", #""[{""size"":…}]""#),
  ])
  func aListThatIsNotJSONIsRefusedWithAnExample(_ field: String, _ example: String) throws {
    let text =
      "id,sizes,numbers,prices,boxes\n1,"
      + ["sizes", "numbers", "prices", "boxes"].map { $0 == field ? "red;green" : "" }
      .joined(separator: ",")
    let found = try #require(problem { _ = try Listed.read(from: .text(text), as: .csv) })
    #expect(found.field == field && found.found == "\"red;green\"")
    #expect(found.expected.hasSuffix(", as JSON: " + example), "\(found.expected)")
    // The example itself can be read.
    let good = text.replacing(
      "red;green",
      with: example.replacing("…", with: field == "boxes" ? #"null,""weight"":1"# : "1")
        .replacing(#""a"",""b"#, with: #""small"",""large"#))
    #expect(throws: Never.self) { try Listed.read(from: .text(good), as: .csv) }
  }

  struct Listed: Model {
    let id: Int
    var sizes: [Size]?
    var numbers: [Int]?
    var prices: [String: Double]?
    var boxes: [Box]?
    static let schema = Schema(
      Listed.init, Key("id", \.id), Field("sizes", \.sizes), Field("numbers", \.numbers),
      Field("prices", \.prices), Field("boxes", \.boxes))
  }
}
