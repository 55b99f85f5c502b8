import Foundation
import Roost

/// Roost as an app uses it, with its defaults: each commit is durable.
final class RoostSubject: Subject {
  static let name = "Roost"

  private let path: String
  private let store: Store

  init(path: String) throws {
    try Store.remove(at: path)
    self.path = path
    store = try Store(.file(path), models: Person.self, Group.self)
  }

  func insert(_ groups: [Group], _ people: [Person]) throws {
    try store.write { transaction in
      try transaction.insert(contentsOf: groups)
      try transaction.insert(contentsOf: people)
    }
  }

  func settle() {}

  func fileBytes() throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  func close() throws {
    store.close()
    try Store.remove(at: path)
  }

  func sumOfIDAndAge(ids: [Int]) throws -> Int {
    try store.read { transaction in
      var sum = 0
      for id in ids {
        guard let person = try transaction.fetch(Person.self, id: id) else { continue }
        sum += person.id + person.age
      }
      return sum
    }
  }

  func count(age: Int) throws -> Int {
    try store.read { try $0.count(Person.where { $0.age == age }) }
  }

  func aggregate() throws -> (scoreSum: Double, averageAge: Double, latest: Int) {
    try store.read { transaction in
      let everyone = Person.all
      return (
        try transaction.sum(\.score, of: everyone),
        try transaction.average(\.age, of: everyone) ?? 0,
        try transaction.max(\.createdAt, of: everyone) ?? 0
      )
    }
  }

  func insertDurably(_ person: Person) throws {
    try store.write { try $0.insert(person) }
  }

  func updateDurably(id: Int, age: Int) throws {
    _ = try store.write { try $0.update(Person.self, id: id) { $0.age = age } }
  }
}
