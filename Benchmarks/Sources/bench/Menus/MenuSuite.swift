import Foundation

/// A nested graph: a menu's categories, products, combos, their slots, and the products to choose from in each slot.
final class MenuSuite: Suite {
  private let databases: SharedDatabases<any MenuDatabase>
  private let objects: Int

  init(_ setting: SuiteSetting) {
    var random = SplitMix64(seed: 9)
    let menu = Menu(using: &random)
    objects = menu.objectCount
    databases = SharedDatabases { subject in
      let database = try subject.menuDatabase?.init(creating: setting.path(subject, "menu"))
      try database?.upsert(menu)
      return database
    }
  }

  var workloads: [Workload] {
    [
      workload("menu-upsert", "a menu: decode it from JSON and upsert all of it") {
        database, random in
        let menu = Menu(using: &random)
        let json = try JSONEncoder().encode(menu.categories)
        return {
          try database.upsert(json: json)
          return menu
        }
      },
      workload("menu-read", "a menu: read all of it") { database, _ in { try database.menu() } },
    ]
  }

  private func workload(
    _ name: String, _ title: String,
    ready: @escaping (any MenuDatabase, inout SplitMix64) throws -> () throws -> Menu
  ) -> Workload {
    Workload(name: name, title: title, unit: .milliseconds, objects: objects) {
      [self] subject, round in
      guard let database = try databases.of(subject) else { return nil }
      var random = round.random(for: name)
      let run = try ready(database, &random)
      var menu = Menu()
      let time = try ContinuousClock().measure { menu = try run() }
      return Sample(value: Unit.milliseconds.value(time), answer: menu.answer)
    }
  }

  func close() throws { try databases.close() }
}
