import Roost

/// Flights in Roost, with the models of `Examples/Flights`.
final class RoostFlights: FlightDatabase {
  private let store: Store

  init(creating path: String) throws {
    store = try Store(
      .file(path), models: Airline.self, Airport.self, Plane.self, Weather.self, Flight.self)
  }

  convenience init(opening path: String) throws { try self.init(creating: path) }

  func close() { store.close() }

  func insert(_ tables: FlightTables) throws {
    try store.write { transaction in
      try transaction.insert(contentsOf: tables.airlines)
      try transaction.insert(contentsOf: tables.airports)
      try transaction.insert(contentsOf: tables.planes)
      try transaction.insert(contentsOf: tables.weather)
      try transaction.insert(contentsOf: tables.flights)
    }
  }

  func answer(_ question: FlightQuestion, _ constants: FlightConstants) throws -> Answer {
    try store.read { snapshot in
      func count(_ condition: (QueryRoot<Flight>) -> QueryCondition) throws -> Answer {
        Answer(try snapshot.count(Flight.where(condition)))
      }
      switch question {
      case .carrier: return try count { $0.carrier == constants.carrier }
      case .route:
        return try count {
          $0.origin == constants.origin && $0.destination == constants.destination
        }
      case .cancelled: return try count { $0.month == constants.month && $0.departure == nil }
      case .delay: return Answer(try snapshot.sum(\.departureDelay, of: Flight.all))
      case .late: return try count { $0.departureDelay > constants.minutes }
      case .seats: return try count { $0.plane.seats > constants.seats }
      case .unknown: return try count { $0.plane == nil }
      case .distance:
        let flights = Flight.where { $0.month == constants.month }
        return Answer(
          integers: [try snapshot.max(\.distance, of: flights) ?? 0],
          numbers: [try snapshot.average(\.airTime, of: flights) ?? 0])
      case .earliest:
        let flights = Flight.where { $0.origin == constants.origin && $0.arrivalDelay != nil }
          .order(by: \.arrivalDelay, \.id).limit(10)
        return Answer(integers: try snapshot.rows(flights).map { try $0.id }, numbers: [])
      case .morning:
        return try count {
          $0.month == constants.month && $0.hour < 9 && $0.distance > 1000
        }
      }
    }
  }

  func seats(ofFirst count: Int) throws -> Int {
    try store.read { snapshot in
      var seats = 0
      for flight in try snapshot.rows(Flight.all.limit(count)) {
        seats += try flight.plane?.seats ?? 0
      }
      return seats
    }
  }
}
