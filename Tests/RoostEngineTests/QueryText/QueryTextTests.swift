import RoostEngine
import RoostQueryText
import RoostTestSupport
import Testing

/// Texts that are no queries; that those of random queries read back is in `RandomQueryRunTests`.
@Suite struct QueryTextTests {
  @Test func noTextTraps() throws {
    let fixture = try QueryFixture(seed: 4, rows: 20, isIndexed: false)
    let catalog = fixture.engine.snapshot().catalog
    var queries = RandomQuery(fixture: fixture, random: SeededGenerator(seed: 9))
    let words = [
      "where", "sort", "(", ")", "{", "}", "[", "]", ".", "$3", "nil", "-", "1e999", "\"", "`",
      "Int[", "...", "!", "&&", "by", "as", "Double", "b\"", "\\u{", "99999999999999999999",
      "group", "select", "having", "count", "sum(", "max(age)", ",", "$1", "locale \"sv\"", "desc",
      "limit 3", "offset 1", "outer.",
    ].map { Array($0.utf8) }
    var readCount = 0
    var groupCount = 0
    for number in 0..<20_000 {
      var query = ObjectQuery(
        table: fixture.items,
        predicate: queries.predicate(depth: Int.random(in: 0...2, using: &queries.random)))
      if queries.random.chance(1, in: 2) { arrange(&query, &queries) }
      let base =
        number % 3 == 0
        ? groups(of: query, &queries).text(in: catalog) : query.text(in: catalog)
      var text = Array(base.utf8.prefix(400))
      // Some are left as they are, and read.
      for _ in 0..<Int.random(in: number % 30 == 0 ? 0...0 : 1...2, using: &queries.random) {
        let place = Int.random(in: 0...text.count, using: &queries.random)
        switch Int.random(in: 0..<4, using: &queries.random) {
        case 0:
          let word = words[Int.random(in: 0..<words.count, using: &queries.random)]
          text.insert(contentsOf: word, at: place)
        case 1: text.removeSubrange(place..<min(text.count, place + 3))
        case 2 where place < text.count:
          text[place] = UInt8.random(in: 0...255, using: &queries.random)
        default:
          let other = Int.random(in: 0...text.count, using: &queries.random)
          text.insert(contentsOf: text[min(place, other)..<max(place, other)], at: place)
        }
      }
      let changed = String(decoding: text, as: UTF8.self)
      do throws(QueryTextError) {
        let query = try ObjectQuery(changed, in: catalog)
        readCount += 1
        let written = query.text(in: catalog)
        #expect(try ObjectQuery(written, in: catalog).text(in: catalog) == written, "\(changed)")
        // What it asks may not fit the fields' types: then that is an error.
        _ = try? fixture.view.count(query)
      } catch {
        #expect(error.offset <= changed.utf8.count && !error.message.isEmpty, "\(changed)")
      }
      do throws(QueryTextError) {
        let query = try GroupQuery(changed, in: catalog)
        groupCount += 1
        let written = query.text(in: catalog)
        #expect(try GroupQuery(written, in: catalog).text(in: catalog) == written, "\(changed)")
        _ = try? fixture.view.groups(query)
      } catch {
        #expect(error.offset <= changed.utf8.count && !error.message.isEmpty, "\(changed)")
        #expect(number % 30 != 0 || base.utf8.count > 400, "\(error): \(base)")
      }
    }
    #expect(readCount > 300)
    #expect(groupCount > 300)
  }

  /// Gives a query an order, some of it that of a language, and a limit.
  private func arrange(_ query: inout ObjectQuery, _ queries: inout RandomQuery) {
    let swedish = TextCollation("sv") { $0 < $1 }
    for _ in 0..<Int.random(in: 0...2, using: &queries.random) {
      let isText = queries.random.chance(1, in: 2)
      let type = isText ? FieldType.string : queries.anyType()
      let isDescending = queries.random.chance(1, in: 2)
      query.order.append(
        SortKey(
          queries.expression(type, depth: 1, isItem: true), descending: isDescending,
          collation: isText ? swedish : nil))
    }
    if queries.random.chance(1, in: 2) {
      query.limit = Int.random(in: 0...30, using: &queries.random)
    }
    if queries.random.chance(1, in: 2) {
      query.offset = Int.random(in: 0...5, using: &queries.random)
    }
  }

  /// The groups of the objects of a query, with all that can be asked of them.
  private func groups(of objects: ObjectQuery, _ queries: inout RandomQuery) -> GroupQuery {
    var query = GroupQuery(objects, by: [])
    for _ in 0..<Int.random(in: 0...2, using: &queries.random) {
      let type = queries.anyType()
      query.keys.append(queries.expression(type, depth: 1, isItem: true))
    }
    if queries.random.chance(3, in: 4) {
      query.aggregates = QueryOracle.aggregates
      query.aggregates.append(
        Aggregate(.average, of: queries.expression(.int, depth: 1, isItem: true)))
      query.having = having(FieldID(query.keys.count), depth: 2, &queries)
    }
    let columns = query.keys.count + query.aggregates.count
    if columns > 0, queries.random.chance(1, in: 2) {
      let column = FieldID(Int.random(in: 1...columns, using: &queries.random))
      query.order = [SortKey(field: column, descending: queries.random.chance(1, in: 2))]
    }
    if queries.random.chance(1, in: 3) {
      query.limit = Int.random(in: 0...9, using: &queries.random)
      query.offset = Int.random(in: 0...3, using: &queries.random)
    }
    return query
  }

  /// A condition on the columns behind the keys, which are those of the oracle's aggregates.
  private func having(
    _ keys: FieldID, depth: Int, _ queries: inout RandomQuery
  ) -> Predicate {
    if depth > 0, queries.random.chance(1, in: 2) {
      let first = having(keys, depth: depth - 1, &queries)
      let second = having(keys, depth: depth - 1, &queries)
      switch Int.random(in: 0..<3, using: &queries.random) {
      case 0: return .and([first, second])
      case 1: return .or([first, second])
      default: return .not(first)
      }
    }
    let number = Int64.random(in: -3...9, using: &queries.random)
    let comparison = Comparison.allCases[Int.random(in: 0..<6, using: &queries.random)]
    switch Int.random(in: 0..<9, using: &queries.random) {
    case 0: return .compare(keys + 1, comparison, .integer(number))
    case 1: return .compare(keys + 2, comparison, .double(Double(number) / 2))
    case 2: return .oneOf(keys + 3, [.integer(number), .null])
    case 3: return .text(keys + 4, .prefix, Array("an".utf8))
    case 4: return .matches(.field(keys + 4), queries.pattern(Array("Anna".utf8)))
    case 5: return .isNull(keys + 5)
    case 6: return .comparison(.field(keys + 1), comparison, .field(keys + 6))
    case 7: return .comparison(.field(keys + 5), comparison, .field(keys + 2))
    default: return keys > 0 ? .not(.isNull(1)) : .always(true)
    }
  }

  @Test(arguments: [
    "Item group age",
    "Item select count",
    "Item select",
    "Item where group == 3 sort group group group select count having group != nil",
    #"Item where age > 3 sort name locale "sv" desc limit 50 offset 2 group flag, group.title "#
      + "select count, count(note), sum(price), max(age), average(age + 1) "
      + "having count > 2 && (group.title != nil || flag != true) && average(age + 1) <= 40.5 "
      + #"sort max(age) desc, group.title locale "sv" limit 20 offset 1"#,
    "Item group (age + 1), folded[i](name) select min(name) having (age + 1) in [1, 2] || "
      + #"min(name) hasPrefix "a" || folded[i](name) contains[d] "b""#,
    // Where words could mean something else, columns are called by their numbers.
    "Item group age, age, 3 select count, count having $2 == 1 && $3 == 3 && $5 > 2 sort $2 desc",
    "Item group (Group by members).count select sum(age as Double) having "
      + "(Group by members).count > 1 && !(sum(age as Double) > 0.5 || sum(age as Double) == inf)",
    "Item group token, flag having token != nil && flag == true",
    "Item group name, flag select count, count(note), sum(price), average(price), max(name) "
      + "having (count > count(note) && !(sum(price) == average(price))) || name != max(name)",
    "Item group name select sum((serial as Decimal) * 0.5), average(cost) "
      + "having sum((serial as Decimal) * 0.5) > 12.5 sort average(cost) desc",
  ])
  func groupsAreWrittenAsTheyWereRead(_ text: String) throws {
    let view = try QueryFixture(seed: 4, rows: 200, isIndexed: false).view
    let query = try GroupQuery(text, in: view.catalog)
    #expect(query.text(in: view.catalog) == text)
    _ = try view.groups(query)
  }

  @Test func groupsAreThoseThatTheTextSays() throws {
    let fixture = try QueryFixture(seed: 4, rows: 20, isIndexed: false)
    let query = try GroupQuery(
      "Item where age >= 18 group flag, group.title select count, sum( age+1 ), max(age) "
        + "having $3 > 2 && flag == false sort (sum(age + 1)) desc limit 20 offset 5",
      in: fixture.engine.snapshot().catalog)
    var expected = GroupQuery(
      ObjectQuery(
        table: fixture.items, predicate: .compare(1, .greaterOrEqual, .integer(18))),
      by: [.field(8), .target(9, .field(2))])
    let sum = ColumnExpression.arithmetic(
      .add, .integer(.min ... .max), .field(1), .constant(.integer(1)))
    expected.aggregates = [
      Aggregate(.count, of: 0), Aggregate(.sum, of: sum), Aggregate(.maximum, of: 1),
    ]
    expected.having = .and([
      .compare(3, .greater, .integer(2)), .compare(1, .equal, .integer(0)),
    ])
    expected.order = [SortKey(field: 4, descending: true)]
    expected.limit = 20
    expected.offset = 5
    #expect(query == expected)
  }

  @Test(arguments: [
    ("Item", 4, "Here groups begin"), ("Item group", 10, "Here comes a field"),
    ("Item group agee", 11, "no field agee"), ("Item group age select sum", 25, "Here comes ("),
    ("Item group age select age", 22, "Behind select come count"),
    ("Item select count, age", 19, "Here comes count, sum"),
    (#"Item group age having name == "x""#, 22, "no column of the groups: these are age."),
    ("Item group age having 3 == age", 22, "Here comes a column"),
    ("Item group name select count having name == count", 44, "not compared with one of type Int"),
    ("Item group name select count having count > sum(age)", 44, "no column"),
    ("Item group age having $2 == 3", 22, "no column"),
    ("Item group age having sum(price) > 3", 22, "no column"),
    ("Item group age having age + 1 > 3", 22, "no column"),
    ("Item group age having age", 22, "Of groups"),
    ("Item group age having group { age > 3 }", 22, "Of groups"),
    (
      "Item group name select count, sum(cost) having sum(cost) > \"x\"", 59,
      "no constant of type Decimal"
    ),
    ("Item select sum(name)", 16, "There is no sum of values of type String."),
    ("Item group name having name == 3", 31, "no constant of type String"),
    (#"Item group age sort age locale "sv""#, 20, "A locale orders texts"),
    ("Item group age limit -1", 21, "a number of objects"),
    ("Item where sum(age) > 3 select count", 11, "sum is asked of groups"),
  ])
  func whatIsWrongWithGroupsSaysWhere(_ text: String, _ offset: Int, _ message: String) throws {
    let catalog = try QueryFixture(seed: 4, rows: 20, isIndexed: false).view.catalog
    do throws(QueryTextError) {
      let query = try GroupQuery(text, in: catalog)
      Issue.record("\(query)")
    } catch {
      #expect(error.offset == offset && error.message.contains(message), "\(error)")
    }
  }

  @Test(arguments: [
    // What the 200,000 random queries found.
    "Item where (flag as Double) > 0.5",
    #"Item where (note ?? data) contains b"lhE=""#,
    #"Item where (data + note) == b"eA==""#,
    #"Item where (b"3Q==" + data) in [b"", b"eA==", b"/w=="]"#,
    #"Item where parent.(b"jus=") in [b"eA==", b"/w=="]"#,
    #"Item where ((data + name) ?? (data + name)) in [b"eA=="]"#,
    #"Item where (data + (Group by members).min { title }) < b"QQ==""#,
    "Item where cost == nan", "Item where cost in [nan, 0.5, nil]",
    "Item where (cost * 1.19) > (cost - 0.5)", "Item where (cost as Double) > 0.5",
    "Item where ((serial as Decimal) / cost) <= -2.5 sort (cost % 7) desc",
    "Item where ((Item by parent).average { cost } + 0.1) in [1.5, nan]",
    "Item where (cost / 3) < (Item by parent).sum { cost }",
  ])
  func aTextIsWrittenAsItWasRead(_ text: String) throws {
    let view = try QueryFixture(seed: 4, rows: 200, isIndexed: false).view
    let query = try ObjectQuery(text, in: view.catalog)
    #expect(query.text(in: view.catalog) == text)
    _ = try view.count(query)
  }

  /// Alone, a constant would be read as an `Int`; what stands beside it may be unsigned.
  @Test func constantsBesideConstantsAreReadBackAsTheyWere() throws {
    let fixture = try QueryFixture(seed: 1, rows: 20, isIndexed: false)
    let serial = ColumnExpression.field(14)
    let constant = ColumnExpression.constant(.integer(.max))
    let either = ColumnExpression.coalescing(constant, .constant(.integer(.max - 1)))
    let unsigned = NumberKind.unsigned(max: .max)
    for value in [
      .arithmetic(.add, unsigned, either, serial), .arithmetic(.add, unsigned, serial, either),
      .arithmetic(.add, unsigned, .coalescing(either, serial), serial),
      .arithmetic(.add, unsigned, constant, .coalescing(serial, either)),
      .arithmetic(.add, unsigned, either, either),
    ] as [ColumnExpression] {
      var query = ObjectQuery(table: fixture.items)
      query.order = [SortKey(value)]
      let text = query.text(in: fixture.engine.snapshot().catalog)
      #expect(try ObjectQuery(text, in: fixture.engine.snapshot().catalog) == query, "\(text)")
    }
  }

  @Test func aNaNOfAnySignIsOne() throws {
    let fixture = try QueryFixture(seed: 4, rows: 20, isIndexed: false)
    let catalog = fixture.engine.snapshot().catalog
    let query = ObjectQuery(
      table: fixture.items,
      predicate: .or([
        .oneOf(3, [.double(-.nan), .double(.signalingNaN)]), .compare(4, .equal, .float(-.nan)),
        .compare(QueryFixture.Kind.due, .equal, .double(-.nan)),
      ]))
    let text = query.text(in: catalog)
    #expect(text == "Item where score in [nan, nan] || ratio == nan || due == nan")
    #expect(try ObjectQuery(text, in: catalog).text(in: catalog) == text)
  }

  @Test func deepTextsAreRefused() throws {
    let catalog = try QueryFixture(seed: 4, rows: 20, isIndexed: false).view.catalog
    let parts = [
      ("(", ")"), ("!", ""), ("group { ", "}"), ("age + (", ")"), ("parent.", ""), ("age + ", ""),
      ("age ?? ", ""), ("sum(", ")"),
    ]
    let conversions = "Item where age" + String(repeating: " as Int", count: 100_000) + " == 1"
    #expect(throws: QueryTextError.self) { try ObjectQuery(conversions, in: catalog) }
    for (open, close) in parts {
      let text =
        "Item where " + String(repeating: open, count: 100_000) + "age == 1"
        + String(repeating: close, count: 100_000)
      #expect(throws: QueryTextError.self) { try ObjectQuery(text, in: catalog) }
      let groups = text.replacing("where", with: "group age having")
      #expect(throws: QueryTextError.self) { try GroupQuery(groups, in: catalog) }
    }
  }
}
