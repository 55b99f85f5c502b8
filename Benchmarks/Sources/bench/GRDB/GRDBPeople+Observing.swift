#if GRDB
import Dispatch
import GRDB

extension GRDBRecordPeople: Observing {
  func observe(_ people: ObservedPeople, while changes: [PersonChange]) throws -> [Resumption<
    Person
  >.Seen] {
    // No sync, as in the other's relaxed commits.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    defer {
      // Where it fails here, it fails for the next workload too, and is said there.
      try? pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    }
    let requests =
      switch people {
      case .all: [GRDBPerson.order(Column("id"))]
      case .byName: [GRDBPerson.order(Column("name"))]
      case .groups: (0..<People.groupCount).map { GRDBPerson.filter(Column("grp") == $0) }
      }
    let resumption = Resumption<Person>()
    let queue = DispatchQueue(label: "bench.observe")
    let observers = requests.map { request in
      let lists = ValueObservation.tracking { try request.fetchAll($0) }
      let scheduler = .async(onQueue: queue) as AsyncValueObservationScheduler
      @Sendable func fail(_ error: any Error) { fatalError("GRDB's observation ended: \(error)") }
      @Sendable func note(_ list: [GRDBPerson]) {
        resumption.note { id in list.first { $0.person.id == id }?.person }
      }
      guard requests.count > 1 else {
        return lists.start(in: pool, scheduling: scheduler, onError: fail, onChange: note)
      }
      // Those whom a change does not concern are not told.
      return lists.removeDuplicates { $0.elementsEqual($1) { $0.person == $1.person } }
        .start(in: pool, scheduling: scheduler, onError: fail, onChange: note)
    }
    defer { for observer in observers { observer.cancel() } }
    for _ in observers { resumption.wait() }
    return try changes.map { change in
      try resumption.time(change.id, isChanged: change.isSeen(in:)) {
        try pool.write { database in
          let (column, value): (String, any DatabaseValueConvertible) =
            switch change.value {
            case .age(let age): ("age", age)
            case .name(let name): ("name", name)
            }
          try database.execute(
            sql: "UPDATE person SET \(column) = ? WHERE id = ?", arguments: [value, change.id])
        }
      }
    }
  }
}
#endif
