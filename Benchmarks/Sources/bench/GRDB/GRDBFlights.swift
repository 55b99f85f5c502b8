#if GRDB
import Foundation
import GRDB

/// Flights in GRDB, as raw rows of cached statements, in the tables that SQLite has.
final class GRDBFlights: FlightDatabase {
  private let pool: DatabasePool

  init(creating path: String) throws {
    pool = try GRDBFile.open(path)
    try pool.write { try $0.execute(sql: FlightSQL.schema) }
  }

  init(opening path: String) throws { pool = try GRDBFile.open(path) }

  func close() throws { try pool.close() }

  func insert(_ tables: FlightTables) throws {
    try pool.write { database in
      try Self.insert(tables.airlines, into: "airline", database) { [$0.id, $0.name] }
      try Self.insert(tables.airports, into: "airport", database) {
        [
          $0.id, $0.name, $0.latitude, $0.longitude, $0.altitude, $0.hoursFromUTC,
          $0.daylightSaving, $0.timeZone,
        ]
      }
      try Self.insert(tables.planes, into: "plane", database) {
        [
          $0.id, $0.year, $0.type, $0.manufacturer, $0.model, $0.engines, $0.seats, $0.speed,
          $0.engine,
        ]
      }
      try Self.insert(tables.weather, into: "weather", database) {
        [
          $0.id, $0.origin, $0.year, $0.month, $0.day, $0.hour, $0.temperature, $0.dewPoint,
          $0.humidity, $0.windDirection, $0.windSpeed, $0.windGust, $0.precipitation, $0.pressure,
          $0.visibility, $0.time.timeIntervalSince1970,
        ]
      }
      try Self.insert(tables.flights, into: "flight", database) {
        [
          $0.id, $0.year, $0.month, $0.day, $0.departure, $0.scheduledDeparture,
          $0.departureDelay, $0.arrival, $0.scheduledArrival, $0.arrivalDelay, $0.carrier,
          $0.number, $0.tailNumber, $0.plane?.id, $0.origin, $0.destination, $0.airTime,
          $0.distance, $0.hour, $0.minute, $0.time.timeIntervalSince1970,
        ]
      }
    }
  }

  private static func insert<Object>(
    _ objects: [Object], into table: String, _ database: Database,
    _ values: (Object) -> [(any DatabaseValueConvertible)?]
  ) throws {
    guard let first = objects.first else { return }
    let marks = Array(repeating: "?", count: values(first).count).joined(separator: ", ")
    let statement = try database.cachedStatement(sql: "INSERT INTO \(table) VALUES (\(marks))")
    for object in objects {
      statement.setUncheckedArguments(StatementArguments(values(object)))
      try statement.execute()
    }
  }

  func answer(_ question: FlightQuestion, _ constants: FlightConstants) throws -> Answer {
    let arguments = question.arguments(constants).map { argument -> any DatabaseValueConvertible in
      switch argument {
      case .integer(let value): value
      case .text(let value): value
      }
    }
    return try pool.read { database in
      let statement = try database.cachedStatement(sql: question.sql)
      let rows = try Row.fetchCursor(statement, arguments: StatementArguments(arguments))
      var integers: [Int] = []
      var numbers: [Double] = []
      while let row = try rows.next() {
        integers.append(row[0])
        if question == .distance { numbers.append(row[1]) }
      }
      return Answer(integers: integers, numbers: numbers)
    }
  }

  func seats(ofFirst count: Int) throws -> Int {
    try pool.read { database in
      let statement = try database.cachedStatement(sql: FlightSQL.seats)
      return try Int.fetchOne(statement, arguments: [count]) ?? 0
    }
  }
}
#endif
