import Foundation
import Roost
import RoostTestSupport

enum JobState: String, Storable, CaseIterable { case open, busy, done }

struct JobPlace: Embedded {
  var city: String
  var zip: Int?
  static let fields = Fields(JobPlace.init, Part("city", \.city), Part("zip", \.zip))
}

struct Job: Model {
  let id: Int
  var name: String
  var isComplete: Bool
  var assignee: String?
  var priority: Int
  var minutes: Int
  var effort: Double
  var cost: Decimal?
  var due: Date?
  var token: UUID
  var labels: [String]
  var ratings: [Int]
  var attributes: [String: String]
  var place: JobPlace
  var state: JobState
  var size: UInt
  var photo: Data?
  var project: Link<Project>?
  var blockers: Links<Job>
  static let schema = Schema(
    Job.init, Key("id", \.id), Field("name", \.name, .indexed), Field("isComplete", \.isComplete),
    Field("assignee", \.assignee), Field("priority", \.priority, .indexed),
    Field("minutes", \.minutes), Field("effort", \.effort), Field("cost", \.cost),
    Field("due", \.due), Field("token", \.token), Field("labels", \.labels),
    Field("ratings", \.ratings), Field("attributes", \.attributes), Field("place", \.place),
    Field("state", \.state), Field("size", \.size), Field("photo", \.photo),
    Field("project", \.project), Field("blockers", \.blockers))
}

struct Project: Model {
  let id: Int
  var name: String
  var lead: String?
  var budget: Int?
  var isOpen: Bool
  var points: [String: Int]
  var tasks: Links<Job>
  static let assigned = Inverse(\Job.project, "assigned")
  static let schema = Schema(
    Project.init, Key("id", \.id), Field("name", \.name), Field("lead", \.lead),
    Field("budget", \.budget), Field("isOpen", \.isOpen), Field("points", \.points),
    Field("tasks", \.tasks))
}

/// The objects that the conditions are asked of, as plain values.
struct JobWorld: Sendable {
  let jobs: [Int: Job]
  let projects: [Int: Project]

  func project(_ job: Job) -> Project? { job.project.flatMap { projects[$0.id] } }
  func blockers(_ job: Job) -> [Job] { job.blockers.compactMap { jobs[$0] } }
  func tasks(_ project: Project) -> [Job] { project.tasks.compactMap { jobs[$0] } }
  func assigned(_ project: Project) -> [Job] {
    jobs.values.filter { $0.project?.id == project.id }
  }

  static let names = [
    "Alpha", "ALPHA", "alphabet", "beta", "café noir", "Café", "Ångström", "Zoë", "naïve", "E*t",
    "Delta-9", "d?g", "dog", "O'Neil", "", "say \"hi\"", "Strasse", "tab\there",
  ]
  static let people = ["Ali", "Alex", "Jamie", "zoë", "Ole"]
  static let words = ["blue", "Blue", "red", "crème", "late"]
  static let start = Date(timeIntervalSince1970: 1_600_000_000)
  static func token(_ number: Int) -> UUID {
    UUID(uuid: (9, 8, 7, 6, 5, 4, 0x40, 3, 0x80, 2, 1, 0, 0, 0, 0, UInt8(number % 256)))
  }

  /// Two hundred jobs in forty projects.
  static let seeded: JobWorld = {
    var random = SeededGenerator(seed: 31)
    func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: 0..<elements.count, using: &random)]
    }
    func some<Element>(_ count: Int, _ make: () -> Element) -> [Element] {
      (0..<Int.random(in: 0...count, using: &random)).map { _ in make() }
    }
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    var jobs: [Int: Job] = [:]
    for id in 1...200 {
      var attributes: [String: String] = [:]
      for key in some(3, { pick(["kind", "owner", "note"]) }) {
        attributes[key] = pick(["bug", "chore", "Bug", "x"])
      }
      let assignee = random.chance(1, in: 3) ? nil : pick(people)
      let cost = random.chance(1, in: 4) ? nil : Decimal(number(0...4000)) / 100
      let due = random.chance(1, in: 4) ? nil : start + Double(number(0...20)) * 86_400
      let zip = random.chance(1, in: 2) ? nil : number(1...9)
      let place = JobPlace(city: pick(["Delft", "Gent", "delft"]), zip: zip)
      let photo = random.chance(1, in: 2) ? nil : Data(some(2) { UInt8(number(0...2)) })
      let project = random.chance(1, in: 5) ? nil : Link<Project>(id: number(1...40))
      let blockers = Links<Job>(ids: some(3) { number(1...200) })
      let state: JobState = pick([.open, .busy, .done])
      jobs[id] = Job(
        id: id, name: pick(names), isComplete: random.chance(1, in: 2), assignee: assignee,
        priority: number(-2...10), minutes: number(0...120), effort: Double(number(-8...40)) / 4,
        cost: cost, due: due, token: token(number(0...30)), labels: some(3) { pick(words) },
        ratings: some(4) { number(1...5) }, attributes: attributes, place: place, state: state,
        size: UInt(number(0...9)), photo: photo, project: project, blockers: blockers)
    }
    var projects: [Int: Project] = [:]
    for id in 1...40 {
      var points: [String: Int] = [:]
      for key in some(3, { pick(["speed", "style", "tests"]) }) { points[key] = number(0...9) }
      let lead = random.chance(1, in: 3) ? nil : pick(people)
      let budget = random.chance(1, in: 4) ? nil : number(0...200)
      projects[id] = Project(
        id: id, name: pick(names), lead: lead, budget: budget, isOpen: random.chance(1, in: 2),
        points: points, tasks: Links(ids: some(5) { number(1...200) }))
    }
    return JobWorld(jobs: jobs, projects: projects)
  }()

  func store() throws -> Store {
    let store = try Store(.inMemory, models: Job.self, Project.self)
    try store.write { tx in
      try tx.insert(contentsOf: projects.values.sorted { $0.id < $1.id })
      try tx.insert(contentsOf: jobs.values.sorted { $0.id < $1.id })
    }
    return store
  }
}

/// A condition as text, and the same in Swift.
struct PredicateCase<M: Model>: Sendable {
  let text: String
  let arguments: [(any PropertyValue)?]
  let holds: @Sendable (M, JobWorld) -> Bool

  init(
    _ text: String, _ arguments: (any PropertyValue)?...,
    holds: @escaping @Sendable (M, JobWorld) -> Bool
  ) {
    self.text = text
    self.arguments = arguments
    self.holds = holds
  }
}

/// Comparisons in which nil is neither below nor above anything.
func less<Value: Comparable>(_ a: Value?, _ b: Value?) -> Bool {
  if let a, let b { a < b } else { false }
}

extension String {
  /// Without cases.
  var c: String { decomposedStringWithCanonicalMapping.lowercased() }
  /// Without diacritics.
  var d: String {
    var scalars = decomposedStringWithCanonicalMapping.unicodeScalars
    scalars.removeAll { $0.properties.generalCategory == .nonspacingMark }
    return String(scalars)
  }
}

extension Collection where Element == Int {
  var sum: Int { reduce(0, +) }
  var average: Double? { isEmpty ? nil : Double(sum) / Double(count) }
}
