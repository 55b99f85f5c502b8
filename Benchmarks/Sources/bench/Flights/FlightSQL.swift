/// The flights' tables in SQL, without indexes but that of the link to the planes, as in Roost.
enum FlightSQL {
  static let schema = """
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
    CREATE INDEX flight_plane ON flight(plane);
    """

  /// The seats of the planes of the first flights.
  static let seats = """
    SELECT sum(p.seats) FROM (SELECT plane FROM flight ORDER BY id LIMIT ?) f
    JOIN plane p ON p.id = f.plane
    """

  /// What a question is given.
  enum Argument {
    case integer(Int)
    case text(String)
  }
}

extension FlightQuestion {
  /// The question in SQL.
  var sql: String {
    switch self {
    case .carrier: "SELECT count(*) FROM flight WHERE carrier = ?"
    case .route: "SELECT count(*) FROM flight WHERE origin = ? AND destination = ?"
    case .cancelled: "SELECT count(*) FROM flight WHERE month = ? AND departure IS NULL"
    case .delay: "SELECT sum(departureDelay) FROM flight"
    case .late: "SELECT count(*) FROM flight WHERE departureDelay > ?"
    case .seats: "SELECT count(*) FROM flight f JOIN plane p ON p.id = f.plane WHERE p.seats > ?"
    case .unknown: "SELECT count(*) FROM flight WHERE plane IS NULL"
    case .distance: "SELECT max(distance), avg(airTime) FROM flight WHERE month = ?"
    case .earliest:
      """
      SELECT id FROM flight WHERE origin = ? AND arrivalDelay IS NOT NULL
      ORDER BY arrivalDelay, id LIMIT 10
      """
    case .morning: "SELECT count(*) FROM flight WHERE month = ? AND hour < 9 AND distance > 1000"
    }
  }

  /// The arguments of the question in SQL, in their order.
  func arguments(_ constants: FlightConstants) -> [FlightSQL.Argument] {
    switch self {
    case .carrier: [.text(constants.carrier)]
    case .route: [.text(constants.origin), .text(constants.destination)]
    case .cancelled, .distance, .morning: [.integer(constants.month)]
    case .late: [.integer(constants.minutes)]
    case .seats: [.integer(constants.seats)]
    case .earliest: [.text(constants.origin)]
    case .delay, .unknown: []
    }
  }
}
