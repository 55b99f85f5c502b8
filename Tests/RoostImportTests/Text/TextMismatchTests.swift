import Foundation
import Roost
import RoostImport
import Testing

/// Values that a mapping cannot read.
@Suite struct TextMismatchTests {
  @Test func anErrorListsTheFirstValueOfEachColumnThatDoesNotFit() async throws {
    let files = try TextFiles(["a.csv": "id,age,name\n1,x,Ann\n2,3,Bob\n3,y,\nfour,5,Eve\n"])
    let path = files.url("a.csv").path
    let result = await TextFiles.values(of: .csv(["A": files.url("a.csv")])) {
      (try $0["id"] as Int, try $0["age"] as Int)
    }
    #expect(throws: TextRecordError.self) { try result.get() }
    guard case .failure(let error as TextRecordError) = result,
      case .mismatches(let list) = error
    else {
      Issue.record("another result")
      return
    }
    #expect(list.map(\.column) == ["age", "id"])
    #expect(list.map(\.line) == [2, 5])
    #expect(list.map(\.count) == [2, 1])
    #expect(list.map(\.found) == ["\"x\"", "\"four\""])
    #expect(
      error.message == """
        The mapping does not fit these values, and nothing was imported:
        - A.age was read as Int, and is "x" in the line 2 of "\(path)", as one of 2 records
        - A.id was read as Int, and is "four" in the line 5 of "\(path)"
        """)
  }

  @Test func valuesThatDoNotFitAreCountedBeyondAnErrorOfTheMapping() async throws {
    struct Odd: Error {}
    let files = try TextFiles(["a.csv": "id,age\n1,x\n2,y\n3,3\n4,z\n"])
    let source = ImportSource.csv(["A": files.url("a.csv")])
    let result = await TextFiles.values(of: source) { record in
      let age = try record["age"] as Int
      if age == 3 { throw Odd() }
      return age
    }
    guard case .failure(TextRecordError.mismatches(let list)) = result else {
      Issue.record("another result")
      return
    }
    #expect(list.map(\.column) == ["age"] && list.map(\.count) == [3])
    // Without them, the error is told.
    let alone = try TextFiles(["a.csv": "id,age\n3,3\n"])
    let other = await TextFiles.values(of: .csv(["A": alone.url("a.csv")])) { record in
      let age = try record["age"] as Int
      if age == 3 { throw Odd() }
      return age
    }
    guard case .failure(TextRecordError.mapping(_, _, line: 2, _)) = other else {
      Issue.record("another result")
      return
    }
  }

  @Test func aMemberWithinAnObjectIsNamedByItsPath() async throws {
    let files = try TextFiles(["a": #"{"address": {"zip": "x"}}"#])
    let result = await TextFiles.values(of: .ndjson(["A": files.url("a")])) {
      try $0.object("address")?["zip"] as Int?
    }
    guard case .failure(TextRecordError.mismatches(let list)) = result else {
      Issue.record("another result")
      return
    }
    #expect(list.map(\.column) == ["address.zip"])
    #expect(list.map(\.asked) == ["Int?"])
  }

  @Test func aColumnThatCSVLacksIsAnError() async throws {
    let files = try TextFiles(["a.csv": "id,age\n1,2\n"])
    let result = await TextFiles.values(of: .csv(["A": files.url("a.csv")])) {
      try $0["years"] as Int?
    }
    #expect(
      throws: TextRecordError.unknownColumn(
        className: "A", column: "years", columns: ["id", "age"])
    ) { try result.get() }
  }

  @Test func aMemberThatSomeObjectsLackIsNil() async throws {
    let files = try TextFiles(["a": "{\"age\": 1}\n{}\n{\"age\": null}"])
    let result = await TextFiles.values(of: .ndjson(["A": files.url("a")])) {
      try $0["age"] as Int?
    }
    #expect(try result.get() == [1, nil, nil])
  }

  @Test func aMemberThatAllObjectsLackIsAnErrorUnlessItMayBe() async throws {
    let files = try TextFiles(["a": "{\"age\": 1}\n{}"])
    let source = ImportSource.ndjson(["A": files.url("a")])
    let asked = await TextFiles.values(of: source) { try $0["years"] as Int? }
    #expect(
      throws: TextRecordError.unknownColumn(className: "A", column: "years", columns: ["age"])
    ) { try asked.get() }
    let result = await TextFiles.values(of: source) { try $0[ifPresent: "years"] as Int? }
    #expect(try result.get() == [nil, nil])
  }

  @Test func anErrorOfTheMappingNamesTheLine() async throws {
    struct Odd: Error {}
    let files = try TextFiles(["a": "{\"age\": 1}\n\n{\"age\": 2}"])
    let path = files.url("a").path
    let result = await TextFiles.values(of: .ndjson(["A": files.url("a")])) {
      if try $0["age"] == 2 { throw Odd() }
    }
    #expect(
      throws: TextRecordError.mapping(className: "A", path: path, line: 3, reason: "Odd()")
    ) { try result.get() }
  }

  @Test func aRecordWithoutAKeyOfItsOwnHasNoID() async throws {
    let files = try TextFiles(["a": "{\"age\": 1}"])
    let result = await TextFiles.values(of: .ndjson(["A": files.url("a")])) {
      try $0.id(as: Int.self)
    }
    #expect(throws: TextRecordError.noKey(className: "A", line: 1, column: "")) {
      try result.get()
    }
  }
}
