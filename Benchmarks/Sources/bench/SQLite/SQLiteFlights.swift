import Foundation

/// Flights in SQLite, indexed as in Roost.
final class SQLiteFlights: FlightDatabase {
  private let database: SQLiteDatabase

  init(creating path: String) throws {
    database = try SQLiteDatabase(path: path)
    try database.execute(FlightSQL.schema)
  }

  init(opening path: String) throws { database = try SQLiteDatabase(path: path) }

  func close() throws { try database.close() }

  func insert(_ tables: FlightTables) throws {
    try database.transaction {
      try insert(tables.airlines, into: "airline", columns: 2) { row, airline in
        row.bind(airline.id, at: 1)
        row.bind(airline.name, at: 2)
      }
      try insert(tables.airports, into: "airport", columns: 8) { row, airport in
        row.bind(airport.id, at: 1)
        row.bind(airport.name, at: 2)
        row.bind(airport.latitude, at: 3)
        row.bind(airport.longitude, at: 4)
        row.bind(airport.altitude, at: 5)
        row.bind(airport.hoursFromUTC, at: 6)
        row.bind(airport.daylightSaving, at: 7)
        row.bind(airport.timeZone, at: 8)
      }
      try insert(tables.planes, into: "plane", columns: 9) { row, plane in
        row.bind(plane.id, at: 1)
        row.bind(plane.year, at: 2)
        row.bind(plane.type, at: 3)
        row.bind(plane.manufacturer, at: 4)
        row.bind(plane.model, at: 5)
        row.bind(plane.engines, at: 6)
        row.bind(plane.seats, at: 7)
        row.bind(plane.speed, at: 8)
        row.bind(plane.engine, at: 9)
      }
      try insert(tables.weather, into: "weather", columns: 16, Self.bind)
      try insert(tables.flights, into: "flight", columns: 21, Self.bind)
    }
  }

  private func insert<Row>(
    _ rows: [Row], into table: String, columns: Int, _ bind: (SQLiteStatement, Row) -> Void
  ) throws {
    let marks = Array(repeating: "?", count: columns).joined(separator: ", ")
    let statement = try database.prepare("INSERT INTO \(table) VALUES (\(marks))")
    for row in rows {
      bind(statement, row)
      try statement.run()
    }
  }

  private static func bind(_ row: SQLiteStatement, _ weather: Weather) {
    row.bind(weather.id, at: 1)
    row.bind(weather.origin, at: 2)
    row.bind(weather.year, at: 3)
    row.bind(weather.month, at: 4)
    row.bind(weather.day, at: 5)
    row.bind(weather.hour, at: 6)
    row.bind(weather.temperature, at: 7)
    row.bind(weather.dewPoint, at: 8)
    row.bind(weather.humidity, at: 9)
    row.bind(weather.windDirection, at: 10)
    row.bind(weather.windSpeed, at: 11)
    row.bind(weather.windGust, at: 12)
    row.bind(weather.precipitation, at: 13)
    row.bind(weather.pressure, at: 14)
    row.bind(weather.visibility, at: 15)
    row.bind(weather.time.timeIntervalSince1970, at: 16)
  }

  private static func bind(_ row: SQLiteStatement, _ flight: Flight) {
    row.bind(flight.id, at: 1)
    row.bind(flight.year, at: 2)
    row.bind(flight.month, at: 3)
    row.bind(flight.day, at: 4)
    row.bind(flight.departure, at: 5)
    row.bind(flight.scheduledDeparture, at: 6)
    row.bind(flight.departureDelay, at: 7)
    row.bind(flight.arrival, at: 8)
    row.bind(flight.scheduledArrival, at: 9)
    row.bind(flight.arrivalDelay, at: 10)
    row.bind(flight.carrier, at: 11)
    row.bind(flight.number, at: 12)
    row.bind(flight.tailNumber, at: 13)
    row.bind(flight.plane?.id, at: 14)
    row.bind(flight.origin, at: 15)
    row.bind(flight.destination, at: 16)
    row.bind(flight.airTime, at: 17)
    row.bind(flight.distance, at: 18)
    row.bind(flight.hour, at: 19)
    row.bind(flight.minute, at: 20)
    row.bind(flight.time.timeIntervalSince1970, at: 21)
  }

  func answer(_ question: FlightQuestion, _ constants: FlightConstants) throws -> Answer {
    let statement = try database.prepare(question.sql)
    defer { statement.reset() }
    for (place, argument) in question.arguments(constants).enumerated() {
      switch argument {
      case .integer(let value): statement.bind(value, at: Int32(place + 1))
      case .text(let value): statement.bind(value, at: Int32(place + 1))
      }
    }
    var integers: [Int] = []
    var numbers: [Double] = []
    while try statement.step() {
      integers.append(statement.integer(0))
      if question == .distance { numbers.append(statement.number(1)) }
    }
    return Answer(integers: integers, numbers: numbers)
  }

  func seats(ofFirst count: Int) throws -> Int {
    let statement = try database.prepare(FlightSQL.seats)
    statement.bind(count, at: 1)
    return try statement.scalar()
  }
}
