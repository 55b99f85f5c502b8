public import Roost
public import RoostInterchange

// The same files as in the example beside this, with everything that names something else as a link.

/// An airline, known by its code.
struct Airline: Model {
  let id: String
  var name: String
  static let flights = Inverse(\Flight.airline)
  static let schema = Schema(Airline.init, Key("carrier", \.id), Field("name", \.name))
}

/// A plane, known by its tail number.
struct Plane: Model {
  let id: String
  var year: Int?
  var manufacturer, model: String
  var engines, seats: Int
  static let flights = Inverse(\Flight.plane)
  static let schema = Schema(
    Plane.init, Key("tailnum", \.id), Field("year", \.year),
    Field("manufacturer", \.manufacturer), Field("model", \.model), Field("engines", \.engines),
    Field("seats", \.seats))
}

/// An airport, known by its code.
struct Airport: Model {
  let id, name: String
  var latitude, longitude: Double
  /// In feet.
  var altitude: Int
  var timeZone: String?
  static let departures = Inverse(\Flight.origin)
  static let arrivals = Inverse(\Flight.destination)
  static let weather = Inverse(\Weather.airport)
  static let schema = Schema(
    Airport.init, Key("faa", \.id), Field("name", \.name), Field("lat", \.latitude),
    Field("lon", \.longitude), Field("alt", \.altitude), Field("tzone", \.timeZone))
}

/// The weather at an airport in an hour.
struct Weather: Model {
  let id: Int
  var airport: Link<Airport>
  var month, day, hour: Int
  /// In degrees Fahrenheit.
  var temperature: Double?
  var windSpeed: Double?
  var precipitation, visibility: Double
  static let schema = Schema(
    Weather.init, Key("row", \.id), Field("origin", \.airport), Field("month", \.month),
    Field("day", \.day), Field("hour", \.hour), Field("temp", \.temperature),
    Field("wind_speed", \.windSpeed), Field("precip", \.precipitation),
    Field("visib", \.visibility))
}

/// A flight. Its plane or its destination may be unknown, and its times are missing when it was cancelled.
struct Flight: Model {
  let id: Int
  var month, day: Int
  var departure, departureDelay, arrivalDelay: Int?
  var airline: Link<Airline>
  var number: Int
  var plane: Link<Plane>?
  var origin: Link<Airport>
  var destination: Link<Airport>?
  var destinationCode: String
  var airTime: Int?
  var distance, hour: Int
  static let schema = Schema(
    Flight.init, Key("row", \.id), Field("month", \.month), Field("day", \.day),
    Field("dep_time", \.departure), Field("dep_delay", \.departureDelay),
    Field("arr_delay", \.arrivalDelay), Field("carrier", \.airline), Field("flight", \.number),
    Field("tailnum", \.plane, .onMissingTarget(.nullify)), Field("origin", \.origin),
    Field("airport", \.destination, .onMissingTarget(.nullify)),
    Field("dest", \.destinationCode), Field("air_time", \.airTime),
    Field("distance", \.distance), Field("hour", \.hour))
}

/// A new store in memory with the five files, each read by its name.
public func storeForQuestions(_ file: (String) throws -> TextInput) throws -> Store {
  let store = try Store(
    .inMemory, models: Airline.self, Plane.self, Airport.self, Weather.self, Flight.self)
  var format = TextFormat.csv
  format.missingValues = ["NA"]
  var numbered = format
  numbered.numberedField = "row"
  var flights = numbered
  flights.names = ["airport": "dest"]
  try store.write { transaction in
    try transaction.insert(Airline.self, from: file("airlines"), as: format)
    try transaction.insert(Airport.self, from: file("airports"), as: format)
    try transaction.insert(Plane.self, from: file("planes"), as: format)
    try transaction.insert(Weather.self, from: file("weather"), as: numbered)
    try transaction.insert(Flight.self, from: file("flights"), as: flights)
  }
  return store
}
