#if Tool
import Foundation
import Roost
import RoostDynamic
import RoostTestSupport
import Testing

/// What a file holds, at a glance and field by field.
@Suite struct OverviewTests {
  private let tool = ToolTests()

  @Test func aFileAloneGivesAnOverview() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/shop.roost"
      try Origin.fill(path)
      _ = try tool.roost("keep", path, "before")
      let run = try tool.roost(path)
      #expect(run.complaint == "" && run.code == 0)
      #expect(try tool.roost("info", path) == run)
      let lines = run.output.split(separator: "\n")
      try #require(lines.count == 8)
      let start = "\(path): format 1, version "
      #expect(lines[0].hasPrefix(start) && lines[0].hasSuffix(" free"))
      func words(_ line: Substring) -> [Substring] { line.split(separator: " ") }
      #expect(words(lines[1]) == ["model", "key", "fields", "objects", "size"])
      #expect(words(lines[2]).prefix(5) == ["Customer", "id:", "Int", "29", "3"])
      #expect(words(lines[3]).prefix(5) == ["Product", "code:", "String", "3", "2"])
      #expect(
        words(lines[4]).prefix(8)
          == ["Seat", "id:", "(row:", "Int,", "letter:", "String)", "2", "1"])
      #expect(words(lines[5]).prefix(5) == ["Order", "id:", "UUID", "11", "3"])
      #expect(lines[6] == "values: settings, last visit")
      #expect(lines[7].hasPrefix("kept: \"before\", 20"))

      let json = try tool.roost(path, "--format", "json")
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
      let models = try #require(object["models"] as? [[String: Any]])
      #expect(models.map { $0["objects"] as? Int } == [3, 2, 1, 3])
      #expect(object["values"] as? [String] == ["settings", "last visit"])
    }
  }

  @Test func anEmptyStoreAndItsStepsAreShown() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/empty.roost"
      try DynamicStore(path, access: .create).close()
      #expect(try tool.roost(path).output.hasSuffix(" free\n\nNo models.\n"))
      #expect(
        try tool.roost("schema", path)
          == ToolTests.Run(output: "\(path): no models.\n", complaint: "", code: 0))
      try OddStore.make(directory + "/odd.roost")
      try Odd.openStore(directory + "/odd.roost").close()
      let run = try tool.roost(directory + "/odd.roost")
      #expect(run.output.contains("\n1 step, the last one \"Names of models for Swift\"\n"))
    }
  }

  @Test func whatIsNoStoreAndNoCommandIsSaid() throws {
    try withTemporaryDirectory { directory in
      let none = try tool.roost("nonsense")
      #expect(
        none
          == ToolTests.Run(
            output: "",
            complaint:
              "roost: there is neither a command nor a file nonsense. See `roost --help`.\n",
            code: 2)
      )
      let help = try tool.run([])
      #expect(help.code == 0 && help.output.contains("SUBCOMMANDS:"))
    }
  }

  @Test func theSchemaListsFieldsWithTypesAndOptions() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/shop.roost"
      try Origin.fill(path)
      let run = try tool.roost("schema", path)
      #expect(run.complaint == "" && run.code == 0)
      let blocks = run.output.components(separatedBy: "\n\n")
      try #require(blocks.count == 6)
      func words(_ block: String) -> [[Substring]] {
        block.split(separator: "\n").map { $0.split(separator: " ") }
      }
      #expect(
        words(blocks[2]) == [
          ["Seat"], ["id", "(row:", "Int,", "letter:", "String)", "key"], ["isFree", "Bool"],
        ])
      #expect(
        words(blocks[3]) == [
          ["Order"], ["id", "UUID", "key"],
          ["customer", "Link<Customer>", "cascade", "on", "delete"],
          ["helper", "Link<Customer>?", "nullify", "on", "delete,", "nullify", "if", "missing"],
          ["seat", "Link<Seat>?"], ["previous", "Link<Order>?"], ["products", "Links<Product>"],
          ["date", "Date"], ["number", "Int?"], ["payment", "JSON"], ["delivery", "JSON?"],
          ["delivery.kind", "String?"], ["customer,", "date", "index"],
          ["date", "where", "number", ">", "7", "&&", "helper", "!=", "nil", "index"],
          ["delivery.kind", "index"], ["number,", "date", "unique", "index"],
        ])
      #expect(words(blocks[0])[2] == ["name", "String", "indexed"])
      #expect(words(blocks[0])[5] == ["isVip", "Bool", "default", "false"])
      #expect(words(blocks[4])[0] == ["value:settings", "(kept", "under", "a", "name)"])

      let json = try tool.roost("schema", path, "--format", "json").output.split(separator: "\n")
      // The keys, and an email.
      let uniques = json.flatMap { $0.matches(of: /"isKey":(true|false),"isUnique":true/) }
      #expect(uniques.count == json.count + 1)
      #expect(json.count == 6)
      let order = try #require(
        try JSONSerialization.jsonObject(with: Data(json[3].utf8)) as? [String: Any])
      let fields = try #require(order["fields"] as? [[String: Any]])
      #expect(
        fields.map { $0["onTargetDelete"] as? String }.prefix(3) == [nil, "cascade", "nullify"])
      #expect((order["indexes"] as? [[String: Any]])?.last?["isUnique"] as? Bool == true)
    }
  }
}
#endif
