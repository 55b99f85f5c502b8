import Foundation

/// Flights in SQLite, without indexes, as in Roost.
final class SQLiteFlights: FlightDatabase {
  private let database: SQLiteDatabase

  init(creating path: String) throws {
    database = try SQLiteDatabase(path: path)
    try database.execute(
      """
      CREATE TABLE airline(id TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE airport(
        id TEXT PRIMARY KEY, name TEXT NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL,
        altitude INTEGER NOT NULL, hoursFromUTC INTEGER NOT NULL, daylightSaving TEXT NOT NULL,
        timeZone TEXT) WITHOUT ROWID;
      CREATE TABLE plane(
        id TEXT PRIMARY KEY, year INTEGER, type TEXT NOT NULL, manufacturer TEXT NOT NULL,
        model TEXT NOT NULL, engines INTEGER NOT NULL, seats INTEGER NOT NULL, speed INTEGER,
        engine TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE weather(
        id INTEGER PRIMARY KEY, origin TEXT NOT NULL, year INTEGER NOT NULL,
        month INTEGER NOT NULL, day INTEGER NOT NULL, hour INTEGER NOT NULL, temperature REAL,
        dewPoint REAL, humidity REAL, windDirection INTEGER, windSpeed REAL, windGust REAL,
        precipitation REAL NOT NULL, pressure REAL, visibility REAL NOT NULL, time REAL NOT NULL);
      CREATE TABLE flight(
        id INTEGER PRIMARY KEY, year INTEGER NOT NULL, month INTEGER NOT NULL,
        day INTEGER NOT NULL, departure INTEGER, scheduledDeparture INTEGER NOT NULL,
        departureDelay INTEGER, arrival INTEGER, scheduledArrival INTEGER NOT NULL,
        arrivalDelay INTEGER, carrier TEXT NOT NULL, number INTEGER NOT NULL, tailNumber TEXT,
        plane TEXT REFERENCES plane(id), origin TEXT NOT NULL, destination TEXT NOT NULL,
        airTime INTEGER, distance INTEGER NOT NULL, hour INTEGER NOT NULL,
        minute INTEGER NOT NULL, time REAL NOT NULL);
      """)
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
    switch question {
    case .carrier:
      try integers("SELECT count(*) FROM flight WHERE carrier = ?") {
        $0.bind(constants.carrier, at: 1)
      }
    case .route:
      try integers("SELECT count(*) FROM flight WHERE origin = ? AND destination = ?") {
        $0.bind(constants.origin, at: 1)
        $0.bind(constants.destination, at: 2)
      }
    case .cancelled:
      try integers("SELECT count(*) FROM flight WHERE month = ? AND departure IS NULL") {
        $0.bind(constants.month, at: 1)
      }
    case .delay: try integers("SELECT sum(departureDelay) FROM flight")
    case .late:
      try integers("SELECT count(*) FROM flight WHERE departureDelay > ?") {
        $0.bind(constants.minutes, at: 1)
      }
    case .seats:
      try integers(
        "SELECT count(*) FROM flight f JOIN plane p ON p.id = f.plane WHERE p.seats > ?"
      ) { $0.bind(constants.seats, at: 1) }
    case .unknown: try integers("SELECT count(*) FROM flight WHERE plane IS NULL")
    case .distance: try distance(constants)
    case .earliest:
      try integers(
        """
        SELECT id FROM flight WHERE origin = ? AND arrivalDelay IS NOT NULL
        ORDER BY arrivalDelay, id LIMIT 10
        """
      ) { $0.bind(constants.origin, at: 1) }
    case .morning:
      try integers(
        "SELECT count(*) FROM flight WHERE month = ? AND hour < 9 AND distance > 1000"
      ) { $0.bind(constants.month, at: 1) }
    }
  }

  /// The first column of all rows.
  private func integers(
    _ query: String, _ bind: (SQLiteStatement) -> Void = { _ in }
  ) throws -> Answer {
    let statement = try database.prepare(query)
    defer { statement.reset() }
    bind(statement)
    var found: [Int] = []
    while try statement.step() { found.append(statement.integer(0)) }
    return Answer(integers: found, numbers: [])
  }

  private func distance(_ constants: FlightConstants) throws -> Answer {
    let statement = try database.prepare(
      "SELECT max(distance), avg(airTime) FROM flight WHERE month = ?")
    defer { statement.reset() }
    statement.bind(constants.month, at: 1)
    _ = try statement.step()
    return Answer(integers: [statement.integer(0)], numbers: [statement.number(1)])
  }

  func seats(ofFirst count: Int) throws -> Int {
    let statement = try database.prepare(
      """
      SELECT sum(p.seats) FROM (SELECT plane FROM flight ORDER BY id LIMIT ?) f
      JOIN plane p ON p.id = f.plane
      """)
    statement.bind(count, at: 1)
    return try statement.scalar()
  }
}
