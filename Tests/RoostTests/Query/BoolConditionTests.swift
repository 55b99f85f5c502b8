import Roost
import RoostTestSupport
import Testing

/// Conditions on bools, with nil and without, beside what Swift says of them.
struct BoolConditionTests {
  struct Task: Model {
    let id: Int
    var isDone: Bool
    var isUrgent: Bool
    var isKnown: Bool?
    static let schema = Schema(
      Task.init, Key("id", \.id), Field("isDone", \.isDone),
      Field("isUrgent", \.isUrgent, .indexed), Field("isKnown", \.isKnown, .indexed))
    static let indexes: [Index<Task>] = [
      Index(\.isDone, where: { !$0.isDone }), Index(\.isUrgent, where: { $0.isUrgent != false }),
      Index(\.isKnown, where: { $0.isKnown != true }),
    ]
  }

  private struct Condition {
    let build: (QueryRoot<Task>) -> QueryCondition
    let holds: (Task) -> Bool

    init(
      _ build: @escaping (QueryRoot<Task>) -> QueryCondition, _ holds: @escaping (Task) -> Bool
    ) {
      self.build = build
      self.holds = holds
    }

    static func draw(_ depth: Int, _ random: inout SeededGenerator) -> Condition {
      let flag = random.chance(1, in: 2)
      switch Int.random(in: depth > 0 ? 0..<11 : 0..<8, using: &random) {
      case 0: return Condition({ $0.isDone == flag }, { $0.isDone == flag })
      case 1: return Condition({ $0.isDone != flag }, { $0.isDone != flag })
      case 2: return Condition({ !$0.isDone }, { !$0.isDone })
      case 3: return Condition({ $0.isUrgent != flag }, { $0.isUrgent != flag })
      case 4: return Condition({ !$0.isUrgent }, { !$0.isUrgent })
      case 5: return Condition({ $0.isKnown != flag }, { $0.isKnown != flag })
      case 6: return Condition({ $0.isKnown == flag }, { $0.isKnown == flag })
      case 7: return Condition({ $0.id < 700 }, { $0.id < 700 })
      case 8:
        let part = draw(depth - 1, &random)
        return Condition({ !part.build($0) }, { !part.holds($0) })
      case 9:
        let (first, second) = (draw(depth - 1, &random), draw(depth - 1, &random))
        return Condition(
          { first.build($0) && second.build($0) }, { first.holds($0) && second.holds($0) })
      default:
        let (first, second) = (draw(depth - 1, &random), draw(depth - 1, &random))
        return Condition(
          { first.build($0) || second.build($0) }, { first.holds($0) || second.holds($0) })
      }
    }
  }

  private func tasks(_ random: inout SeededGenerator) -> [Task] {
    (0..<2000).map { id in
      Task(
        id: id, isDone: !random.chance(1, in: 100), isUrgent: random.chance(1, in: 50),
        isKnown: random.chance(1, in: 40) ? nil : random.chance(39, in: 40))
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func conditionsOnBoolsFindWhatSwiftFinds(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let tasks = tasks(&random)
    let store = try Store(.inMemory, models: Task.self)
    try store.write { try $0.insert(contentsOf: tasks) }
    let snapshot = store.snapshot()
    for _ in 0..<200 {
      let condition = Condition.draw(3, &random)
      let query = Task.where(condition.build)
      let expected = tasks.filter(condition.holds)
      #expect(try snapshot.count(query) == expected.count, "\(query)")
      #expect(try snapshot.fetch(query.order(by: \.id)) == expected, "\(query)")
      let first = try snapshot.fetch(query.order(by: \.isDone, \.id).limit(5))
      #expect(first.allSatisfy(condition.holds) && first.count == min(5, expected.count))
    }
  }

  @Test func anIndexOfWhatIsNotTrueAnswersWhatIsFalse() throws {
    var random = SeededGenerator(seed: 9)
    let store = try Store(.inMemory, models: Task.self)
    try store.write { try $0.insert(contentsOf: tasks(&random)) }
    let snapshot = store.snapshot()
    for query in [Task.where { $0.isDone == false }, Task.where { !$0.isDone }] {
      #expect(try snapshot.explain(query).rowsExamined == 0)
    }
    // Nil is not true either: those objects are none of the condition `== false`.
    let plan = try snapshot.explain(Task.where { $0.isKnown != true })
    #expect(plan.rowsExamined == 0, "\(plan)")
  }
}
