import Foundation
import Roost

struct Airline: Model {
  let id: String
  var name: String
  static let schema = Schema(Airline.init, Key("carrier", \.id), Field("name", \.name))
}

struct Plane: Model {
  let id: String
  var year: Int?
  var type, manufacturer, model: String
  var engines, seats: Int
  var speed: Int?
  var engine: String
  static let schema = Schema(
    Plane.init, Key("tailnum", \.id), Field("year", \.year), Field("type", \.type),
    Field("manufacturer", \.manufacturer), Field("model", \.model), Field("engines", \.engines),
    Field("seats", \.seats), Field("speed", \.speed), Field("engine", \.engine))
}

struct Airport: Model {
  let id, name: String
  var latitude, longitude: Double
  var altitude, hoursFromUTC: Int
  var daylightSaving: String
  var timeZone: String?
  static let schema = Schema(
    Airport.init, Key("faa", \.id), Field("name", \.name), Field("lat", \.latitude),
    Field("lon", \.longitude), Field("alt", \.altitude), Field("tz", \.hoursFromUTC),
    Field("dst", \.daylightSaving), Field("tzone", \.timeZone))
}

/// The weather at an airport in an hour. It has no natural key, and is numbered as it comes.
struct Weather: Model {
  let id: Int
  var origin: String
  var year, month, day, hour: Int
  var temperature, dewPoint, humidity: Double?
  var windDirection: Int?
  var windSpeed, windGust: Double?
  var precipitation: Double
  var pressure: Double?
  var visibility: Double
  var time: Date
  static let schema = Schema(
    Weather.init, Key("row", \.id), Field("origin", \.origin), Field("year", \.year),
    Field("month", \.month), Field("day", \.day), Field("hour", \.hour),
    Field("temp", \.temperature), Field("dewp", \.dewPoint), Field("humid", \.humidity),
    Field("wind_dir", \.windDirection), Field("wind_speed", \.windSpeed),
    Field("wind_gust", \.windGust), Field("precip", \.precipitation),
    Field("pressure", \.pressure), Field("visib", \.visibility), Field("time_hour", \.time))
}

/// A flight, numbered as it comes. Its plane may be unknown, and its times are missing when it was cancelled.
struct Flight: Model {
  let id: Int
  var year, month, day: Int
  var departure: Int?
  var scheduledDeparture: Int
  var departureDelay, arrival: Int?
  var scheduledArrival: Int
  var arrivalDelay: Int?
  var carrier: String
  var number: Int
  var tailNumber: String?
  var plane: Link<Plane>?
  var origin, destination: String
  var airTime: Int?
  var distance, hour, minute: Int
  var time: Date
  static let schema = Schema(
    Flight.init, Key("row", \.id), Field("year", \.year), Field("month", \.month),
    Field("day", \.day), Field("dep_time", \.departure),
    Field("sched_dep_time", \.scheduledDeparture), Field("dep_delay", \.departureDelay),
    Field("arr_time", \.arrival), Field("sched_arr_time", \.scheduledArrival),
    Field("arr_delay", \.arrivalDelay), Field("carrier", \.carrier), Field("flight", \.number),
    Field("tailnum", \.tailNumber), Field("plane", \.plane, .onMissingTarget(.nullify)),
    Field("origin", \.origin), Field("dest", \.destination), Field("air_time", \.airTime),
    Field("distance", \.distance), Field("hour", \.hour), Field("minute", \.minute),
    Field("time_hour", \.time))
}
