import Foundation
import Roost
import RoostQueryText
import Testing

/// Texts that are no condition: each has its error at the byte where the mistake is.
@Suite struct PredicateErrorTests {
  private func error(_ text: String, _ values: [(any PropertyValue)?]) -> QueryTextError? {
    do throws(QueryTextError) {
      _ = try Query<Job>(where: text, values: values)
      return nil
    } catch { return error }
  }

  /// Expects an error at the mark `¶` in a text, which is no part of it.
  private func expect(
    _ marked: String, _ message: String, _ values: (any PropertyValue)?...,
    location: SourceLocation = #_sourceLocation
  ) {
    let parts = marked.components(separatedBy: "¶")
    #expect(parts.count == 2, sourceLocation: location)
    let found = error(parts.joined(), values)
    #expect(found?.offset == parts[0].utf8.count, "\(marked)", sourceLocation: location)
    #expect(found?.message == message, "\(marked)", sourceLocation: location)
  }

  @Test func unknownSignsAndWordsAreNamedAtTheirPlaces() {
    expect("priority ¶~ 3", "There is no sign ~ in a query.")
    expect("priority > 3 ¶; DROP", "There is no sign ; in a query.")
    expect(
      "name == 'a' ¶— nein",
      "Here the condition ends, or goes on with AND or OR; — is no operator here.")
    expect(
      "name ¶MATCHES 'a.*'", "There is no MATCHES: regular expressions are not asked of a store.")
    expect(
      "priority ¶XOR 3",
      "Here the condition ends, or goes on with AND or OR; XOR is no operator here.")
    expect(
      "priority > 3 ¶priority",
      "Here the condition ends, or goes on with AND or OR; priority is no operator here.")
    expect(
      "priority > 3 ¶sort name",
      "Here the condition ends, or goes on with AND or OR; sort is no operator here.")
    expect(
      "priority > 3¶)", "Here the condition ends, or goes on with AND or OR; ) is no operator here."
    )
    expect("(priority > 3¶", "Here comes ), and not the end.")
    expect("¶", "Here comes a field, a constant or a parenthesis.")
    expect("priority >¶", "Here comes a field, a constant or a parenthesis.")
    expect("priority > 3 AND ¶", "Here comes a field, a constant or a parenthesis.")
    expect("¶AND priority > 3", "Here comes a field, a constant or a parenthesis.")
    expect("name CONTAINS[¶x] 'a'", "c or i leaves out cases, d diacritics; there is no x.")
    expect("name CONTAINS[cd ¶'a'", "Here comes ], and not a text.")
    expect("name ¶<[c] 'a'", "Only == and != leave out cases or diacritics.")
    expect("name == 'a¶", "The text has no second quotation mark.")
    expect(#"name == 'a\q¶'"#, #"After a backslash come n, r, t, 0, ", ', \ or u{…}."#)
    expect("priority == $¶-", "A number or a name follows $.")
  }

  @Test func aTextThatIsNoCaseOfAnEnumIsRefused() {
    expect("state == ¶'bsuy'", "Job.state has no case bsuy. Did you mean \"busy\"?")
    expect("¶'lost' != state", "Job.state has no case lost. It has open, busy, done.")
    expect("state IN {'open', ¶'Done'}", "Job.state has no case Done. Did you mean \"done\"?")
    expect("state == ¶%@", "Job.state has no case shut. It has open, busy, done.", "shut")
    expect("ANY blockers.state == ¶'opne'", "Job.state has no case opne. Did you mean \"open\"?")
    #expect(error("state == %@ OR state == 'open' OR state BEGINSWITH 'x'", [JobState.done]) == nil)
    #expect(error("name == 'bsuy'", []) == nil)
  }

  @Test func whatIsNotReadIsNamedAtItsPlace() {
    func expectEnd(
      _ marked: String, _ sign: String, location: SourceLocation = #_sourceLocation
    ) {
      expect(
        marked,
        "Here the condition ends, or goes on with AND or OR; \(sign) is no operator here.",
        location: location)
    }
    expectEnd("name ¶TEXT 'alpha'", "TEXT")
    expectEnd("place ¶geoWithin geoCircle([1, 2], 3)", "geoWithin")
    expectEnd("priority > 3 ¶DISTINCT(name)", "DISTINCT")
    expectEnd("TRUEPREDICATE ¶LIMIT(3)", "LIMIT")
    expectEnd("TRUEPREDICATE ¶limit 3", "limit")
    expectEnd("token == uuid¶(00000000-0000-0000-0000-000000000000)", "(")
    expectEnd("token == oid¶(6001c033600510df3bbfd864)", "(")
    expect(
      "@¶type == 'Job'", "There is no @type here: a value may begin with @links.Model.field.")
    expect(
      "labels.@¶type == 'string'",
      """
      There is no @type: behind a dot are @count, @size, @sum, @min, @max, @avg, @keys, @allKeys, \
      @values and @allValues.
      """)
  }

  @Test func unknownFieldsAndObjectsAreNamedAtTheirPlaces() {
    expect("¶prioritee > 3", #"Job has no field prioritee. Did you mean "priority"?"#)
    expect("priority > 3 AND ¶nme == 'a'", #"Job has no field nme. Did you mean "name"?"#)
    expect("project.¶boss == 'a'", "Project has no field boss.")
    expect("¶place.street == 'a'", "Job has no field place.street.")
    expect("¶name.length > 3", "There is nothing behind this field.")
    expect("ANY ¶blockers.nme == 'a'", #"Job has no field nme. Did you mean "name"?"#)
    expect("blockers.@max.¶prio > 3", "Job has no field prio.")
    expect("¶%K == 3", "Job has no field priority) OR TRUEPREDICATE.", "priority) OR TRUEPREDICATE")
    expect("ANY ¶@links.Nothing.project.id == 3", "There is no model Nothing in the store.")
    expect("@links.Job.¶name.@count == 3", "This is no link.")
    expect("¶$x.name == 'a'", "There is no object $x here.")
    expect(
      "SUBQUERY(blockers, $x, ¶$y.minutes > 3).@count > 1", "There is no object $y here.")
    expect(
      "SUBQUERY(blockers, $x, SUBQUERY(blockers, $y, $y.id == ¶$x.id).@count > 1).@count > 1",
      "There is no object $x here.")
  }

  @Test func valuesOfOtherTypesAreErrorsAtTheirPlaces() {
    expect(
      "priority > ¶'three'",
      "This is no constant of type Int: a number is written without quotation marks.")
    expect("priority > ¶2.5", "This is no constant of type Int.")
    expect("priority > ¶%@", "A value of type String does not stand beside one of type Int.", "3")
    expect("priority > ¶%@", "A value of type Double does not stand beside one of type Int.", 2.5)
    expect("name == ¶%@", "A value of type Int does not stand beside one of type String.", 3)
    expect(
      "due > ¶%@", "A value of type String does not stand beside one of type Date.",
      "2020-01-01T00:00:00Z")
    expect("due > ¶%@", "A value of type Double does not stand beside one of type Date.", 3.5)
    let aDate =
      #"This is no constant of type Date: a date is written as "2013-01-31T05:00:00Z" or "2013-01-31"."#
    expect("due > ¶5", aDate)
    expect("due > ¶'2026'", aDate)
    expect("due IN {'2026-01-01', ¶5}", aDate)
    expect("due BETWEEN {'2026-01-01', ¶7.5}", aDate)
    expect("token == ¶%@", "A value of type String does not stand beside one of type UUID.", "x")
    expect("isComplete == ¶%@", "A value of type Int does not stand beside one of type Bool.", 1)
    expect("name == ¶priority", "A value of type String is not compared with one of type Int.")
    expect("¶priority BEGINSWITH '1'", "This is a value of type Int, and no text.")
    expect("name BEGINSWITH ¶3", "Here comes a text in quotation marks.")
    expect("name BEGINSWITH ¶%@", "Here comes a text in quotation marks.", 3)
    expect("name BEGINSWITH ¶nil", "Here comes a text in quotation marks.")
    expect("name BEGINSWITH ¶assignee", "Here comes a text in quotation marks.")
    expect("¶priority ==[c] 'a'", "This is a value of type Int, and no text.")
    expect("name ==[c] ¶3", "Here comes a text in quotation marks.")
    expect("¶priority CONTAINS 3", "This has no objects or elements; a text contains a text.")
    expect(
      "priority + ¶effort > 3",
      "Values of type Int and Double do not mix: … as Double converts one of them.")
    expect(
      "size - ¶priority > 3",
      "Values of type UInt and Int do not mix: … as Int converts one of them.")
    expect(
      "cost * ¶effort > 3",
      "Values of type Decimal and Double do not mix: … as Decimal converts one of them.")
    expect("cost + ¶name == 'a'", "Values of type Decimal and String do not mix.")
    expect("(assignee ?? ¶priority) == 'a'", "Values of type String and Int do not mix.")
    expect("priority < ¶size", "A value of type Int is not compared with one of type UInt.")
    expect("priority == ¶%@", "This value is a list, which only IN and BETWEEN take.", [1, 2])
    expect(
      "priority IN {1, ¶'a'}",
      "This is no constant of type Int: a number is written without quotation marks.")
    expect(
      "priority IN ¶%@", "A value of type String does not stand beside one of type Int.", ["a"])
    expect("priority IN {1, ¶minutes}", "A list has constants only.")
    expect("priority IN ¶3", "In { … } come constants; objects or elements have a name.")
    expect("priority BETWEEN ¶{1}", "Behind BETWEEN come two values: {1, 3}.")
    expect("priority BETWEEN ¶%@", "Behind BETWEEN come two values: {1, 3}.", [1, 2, 3])
    expect("priority BETWEEN ¶3 AND 4", "Behind BETWEEN come two values: {1, 3}.")
    expect(
      "priority > ¶ratings", "A collection is compared with no other value: ask for its elements.")
    expect("¶priority", "This is a value: a condition compares it with something.")
    expect("priority > 1 AND ¶isComplete", "This is true or false: write == true behind it.")
  }

  @Test func collectionsAreAskedAsTheyCanBe() {
    let several = """
      These are several: begin with ANY, ALL or NONE, or ask them for count, sum { … }, min { … }, \
      max { … } or average { … }.
      """
    let single = "This is one value: ANY, ALL, NONE and IN are asked of objects or elements."
    expect("¶blockers.priority > 3", several)
    expect("ANY ¶priority > 3", single)
    expect("ANY ¶blockers.@count > 3", single)
    expect("ANY ¶attributes['kind'] == 'a'", single)
    expect("'a' IN ¶name", single)
    expect("ANY ¶priority", "ANY, ALL and NONE are asked of a path that begins the comparison.")
    expect(
      "ANY ¶3 == priority", "ANY, ALL and NONE are asked of a path that begins the comparison.")
    expect("ANY ¶{'a', 'b'} IN labels", "Here comes a field, a constant or a parenthesis.")
    expect(
      "blockers.@¶median.priority > 3",
      """
      There is no @median: behind a dot are @count, @size, @sum, @min, @max, @avg, @keys, @allKeys, \
      @values and @allValues.
      """)
    expect("¶blockers.@max > 3", "max is asked of a field of the objects.")
    expect("¶labels.@keys.@count > 3", "A dictionary has keys; this is none.")
    expect("¶attributes.@keys == 'a'", "Keys and values are several: begin with ANY, ALL or NONE.")
    expect(
      "labels[¶0] == 'a'",
      "Only a dictionary has values of keys; elements are not asked by their place.")
    expect("labels[¶FIRST] == 'a'", "Elements are not asked by their place, and FIRST is one.")
    expect("attributes[¶name] == 'a'", "In brackets behind a dictionary is a key.")
    expect(
      "attributes[¶3] == 'a'",
      #"This is no constant of type String: a text is written in quotation marks, "3"."#)
    expect(
      "SUBQUERY(¶name, $x, $x.id > 3).@count > 1",
      "A SUBQUERY is asked of objects or elements, and here are none.")
    expect(
      "SUBQUERY(blockers, ¶x, $x.id > 3).@count > 1",
      "Here comes the name of each of the objects: $task.")
    expect(
      "SUBQUERY(blockers, $x, $x.id > 3).@¶max.id > 1", "A SUBQUERY is counted: .@count follows it."
    )
    expect("SUBQUERY(blockers, $x, $x.id > 3) ¶> 1", "Here comes ., and not >.")
  }

  @Test func thePlacesOfValuesAndTheValuesAreOfOneNumber() {
    expect("name == ¶%@", "Here comes value 1; the number of values is 0.")
    expect("name == %@ OR name == ¶%@", "Here comes value 2; the number of values is 1.", "a")
    expect("priority == ¶$1", "Here comes value 2; the number of values is 1.", 3)
    expect("name == 'a'¶", "Value 1 of 1 has no place in the text.", "a")
    expect("name == '%@'¶", "Value 1 of 1 has no place in the text.", "a")
    expect("name == %@¶", "Value 2 of 2 has no place in the text.", "a", "b")
    expect("priority == ¶%d", "Values come by %@ and names of fields by %K; there is no %d.", 3)
    expect("name == ¶%s", "Values come by %@ and names of fields by %K; there is no %s.", "a")
    expect("name == ¶% @", "A value is %@ without a space.", "a")
    expect("¶%K == 3", "By %K comes the name of a field, as a text.", 3)
    expect("¶name == 'a'", "Value 1 of 1 cannot be compared.", Decimal.nan)
    expect("¶name == 'a'", "Value 1 of 1 cannot be compared.", JobPlace(city: "a", zip: nil))
  }

  @Test func aTextOfItsOwnHasNoValues() throws {
    let store = try Store(.inMemory, models: Job.self, Project.self)
    func error(_ text: String) -> String? {
      do throws(QueryTextError) {
        _ = try Query<Job>(text, in: store)
        return nil
      } catch { return "\(error)" }
    }
    #expect(
      error("Job where name == %@")
        == "At byte 18: A text of its own has no values: they belong to Query(where:).")
    #expect(error("Job where $1 == 'a' && minutes % priority == 1") == nil)
  }

  @Test func deepTextsAreErrorsAndLongOnesAreRead() throws {
    func nested(_ open: String, _ middle: String, _ close: String, _ count: Int) -> String {
      String(repeating: open, count: count) + middle + String(repeating: close, count: count)
    }
    let deep = "Parentheses and negations lie within each other more than 50 deep."
    for text in [
      nested("(", "priority > 3", ")", 100_000), nested("NOT ", "priority > 3", "", 100_000),
      nested("!", "priority > 3", "", 100_000), nested("(", "", "", 100_000),
      nested("SUBQUERY(blockers, $x, ", "$x.id > 3", ").@count > 0", 10_000),
      nested("blockers contains { ", "id > 3", " }", 10_000),
    ] {
      #expect(error(text, [])?.message == deep)
    }
    #expect(error("priority > " + nested("(", "3", ")", 49), []) == nil)
    let between = nested("blockers.where { ", "id > 3", " }.count BETWEEN {1, 2}", 30)
    #expect(error(between, [])?.message == "BETWEEN lies in others more than 4 deep.")
    let links = "More than 200 links and operations follow each other."
    #expect(
      error("project" + String(repeating: ".name", count: 1_000) + " == 'a'", [])?.message == links)
    #expect(
      error("priority" + String(repeating: " + 1", count: 100_000) + " > 3", [])?.message == links)
    #expect(error("%K == 3", [String(repeating: "project.", count: 1_000)])?.message == links)
    // A hundred thousand conditions and values take no more than their own time.
    let many = Array(repeating: "priority > 3", count: 100_000).joined(separator: " AND ")
    #expect(error(many, []) == nil)
    #expect(error("priority IN %@", [Array(0..<100_000)]) == nil)
    let list = (0..<100_000).map { "\($0)" }.joined(separator: ",")
    #expect(error("priority IN {" + list + "}", []) == nil)
    #expect(error("name == '" + String(repeating: "a", count: 1_000_000) + "'", []) == nil)
    #expect(error(String(repeating: "a", count: 1_000_000) + " == 3", []) != nil)
  }

  @Test func whatALabelledValueHoldsNeverChangesTheCondition() throws {
    let store = try JobWorld.seeded.store()
    for text in [
      "' OR TRUEPREDICATE OR name == '", "\" OR 1 == 1", "%@", "$0", "`", "\\", "nil", "", "} OR {",
      "\0", "a) OR (TRUEPREDICATE",
    ] {
      let query = try Query<Job>(where: "name == %@ AND assignee != %@", text, text)
      let expected = JobWorld.seeded.jobs.values.filter { $0.name == text && $0.assignee != text }
      #expect(try store.read { try $0.count(query) } == expected.count)
      let readBack = try query.readBack(in: store)
      #expect(try store.read { try $0.count(readBack) } == expected.count)
    }
  }
}
