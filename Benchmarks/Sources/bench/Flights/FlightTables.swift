import FlightsData
import Roost

/// All rows of nycflights13, as the models of the example have them.
struct FlightTables {
  let airlines: [Airline]
  let airports: [Airport]
  let planes: [Plane]
  let weather: [Weather]
  let flights: [Flight]

  /// Reads the CSV files, through a store in memory: so a plane that is not known becomes nil.
  init(folder: String) throws {
    let store = try Store(
      .inMemory, models: Airline.self, Airport.self, Plane.self, Weather.self, Flight.self)
    try importAll(FlightsFolder(path: folder), into: store)
    let snapshot = store.snapshot()
    airlines = try snapshot.fetch(Airline.all)
    airports = try snapshot.fetch(Airport.all)
    planes = try snapshot.fetch(Plane.all)
    weather = try snapshot.fetch(Weather.all)
    flights = try snapshot.fetch(Flight.all)
  }
}

/// What is asked of the flights, in the order of the constants.
enum FlightQuestion: String, CaseIterable {
  case carrier = "flights of an airline"
  case route = "flights from one airport to another"
  case cancelled = "cancelled flights in a month"
  case delay = "minutes of delay, all departures together"
  case late = "flights that left so many minutes late"
  case seats = "flights of planes with so many seats"
  case unknown = "flights whose plane is unknown"
  case distance = "longest distance and average air time of a month"
  case earliest = "ten flights that arrived most ahead of time from an airport"
  case morning = "long flights early in a month's mornings"
}

/// The constants of the questions.
struct FlightConstants {
  let carrier: String
  let origin: String
  let destination: String
  let month: Int
  let minutes: Int
  let seats: Int

  init(using random: inout SplitMix64) {
    carrier = ["UA", "B6", "EV", "DL", "AA"][random.below(5)]
    origin = ["EWR", "JFK", "LGA"][random.below(3)]
    destination = ["LAX", "SFO", "ORD", "ATL", "MIA"][random.below(5)]
    month = 1 + random.below(12)
    minutes = 60 + random.below(120)
    seats = 150 + random.below(200)
  }
}

/// A database of flights, with the airlines, airports, planes and the weather.
protocol FlightDatabase: FileDatabase {
  /// Adds everything, in one durable transaction.
  func insert(_ tables: FlightTables) throws
  func answer(_ question: FlightQuestion, _ constants: FlightConstants) throws -> Answer
  /// The seats of the planes of the first flights, each plane found by the flight's link to it.
  func seats(ofFirst count: Int) throws -> Int
}

extension Subject {
  /// Nil for those that do not take part; LMDB answers questions only by code of the harness's own.
  var flightDatabase: (any FlightDatabase.Type)? {
    switch self {
    case .roost: RoostFlights.self
    case .sqlite: SQLiteFlights.self
    #if GRDB
    case .grdbRows: GRDBFlights.self
    #endif
    default: nil
    }
  }
}
