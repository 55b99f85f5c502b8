import FlightsData
import Roost

/// Reads the five files into a store, in one transaction.
func importAll(_ folder: FlightsFolder, into store: Store) throws {
  try store.write { transaction in
    try importAirlines(folder, transaction)
    try importAirports(folder, transaction)
    try importPlanes(folder, transaction)
    try importWeather(folder, transaction)
    try importFlights(folder, transaction)
  }
}

private func importAirlines(_ folder: FlightsFolder, _ transaction: WriteTransaction) throws {
  var row = try CSVReader(folder.file("airlines"), columns: ["carrier", "name"])
  while try row.next() {
    try transaction.insert(
      Airline(id: row.required(row.text(0)), name: row.required(row.text(1))))
  }
}

private func importAirports(_ folder: FlightsFolder, _ transaction: WriteTransaction) throws {
  var row = try CSVReader(
    folder.file("airports"),
    columns: ["faa", "name", "lat", "lon", "alt", "tz", "dst", "tzone"])
  while try row.next() {
    try transaction.insert(
      Airport(
        id: row.required(row.text(0)), name: row.required(row.text(1)),
        latitude: row.required(row.number(2)), longitude: row.required(row.number(3)),
        altitude: row.required(row.integer(4)), hoursFromUTC: row.required(row.integer(5)),
        daylightSaving: row.required(row.text(6)), timeZone: row.text(7)))
  }
}

private func importPlanes(_ folder: FlightsFolder, _ transaction: WriteTransaction) throws {
  var row = try CSVReader(
    folder.file("planes"),
    columns: [
      "tailnum", "year", "type", "manufacturer", "model", "engines", "seats", "speed", "engine",
    ])
  while try row.next() {
    try transaction.insert(
      Plane(
        id: row.required(row.text(0)), year: row.integer(1), type: row.required(row.text(2)),
        manufacturer: row.required(row.text(3)), model: row.required(row.text(4)),
        engines: row.required(row.integer(5)), seats: row.required(row.integer(6)),
        speed: row.integer(7), engine: row.required(row.text(8))))
  }
}

private func importWeather(_ folder: FlightsFolder, _ transaction: WriteTransaction) throws {
  var row = try CSVReader(
    folder.file("weather"),
    columns: [
      "origin", "year", "month", "day", "hour", "temp", "dewp", "humid", "wind_dir", "wind_speed",
      "wind_gust", "precip", "pressure", "visib", "time_hour",
    ])
  while try row.next() {
    try transaction.insert(
      Weather(
        id: row.recordCount, origin: row.required(row.text(0)), year: row.required(row.integer(1)),
        month: row.required(row.integer(2)), day: row.required(row.integer(3)),
        hour: row.required(row.integer(4)), temperature: row.number(5), dewPoint: row.number(6),
        humidity: row.number(7), windDirection: row.integer(8), windSpeed: row.number(9),
        windGust: row.number(10), precipitation: row.required(row.number(11)),
        pressure: row.number(12), visibility: row.required(row.number(13)),
        time: row.required(row.date(14))))
  }
}

private func importFlights(_ folder: FlightsFolder, _ transaction: WriteTransaction) throws {
  var row = try CSVReader(
    folder.file("flights"),
    columns: [
      "year", "month", "day", "dep_time", "sched_dep_time", "dep_delay", "arr_time",
      "sched_arr_time", "arr_delay", "carrier", "flight", "tailnum", "origin", "dest", "air_time",
      "distance", "hour", "minute", "time_hour",
    ])
  while try row.next() {
    let tailNumber = row.text(11)
    try transaction.insert(
      Flight(
        id: row.recordCount, year: row.required(row.integer(0)),
        month: row.required(row.integer(1)),
        day: row.required(row.integer(2)), departure: row.integer(3),
        scheduledDeparture: row.required(row.integer(4)), departureDelay: row.integer(5),
        arrival: row.integer(6), scheduledArrival: row.required(row.integer(7)),
        arrivalDelay: row.integer(8), carrier: row.required(row.text(9)),
        number: row.required(row.integer(10)), tailNumber: tailNumber,
        // A plane that is not among the planes becomes nil when the transaction ends.
        plane: tailNumber.map { Link(id: $0) }, origin: row.required(row.text(12)),
        destination: row.required(row.text(13)), airTime: row.integer(14),
        distance: row.required(row.integer(15)), hour: row.required(row.integer(16)),
        minute: row.required(row.integer(17)), time: row.required(row.date(18))))
  }
}
