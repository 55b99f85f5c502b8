import Roost

/// Twenty questions that need links, inverses, groups, sorts, calculations and texts.
public let questions = groupQuestions + sortQuestions + relationQuestions + textQuestions

/// What flights give together.
private let groupQuestions = [
  Question(
    "Which airlines fly most?",
    sql: """
      SELECT a.name, count(*) FROM flights f JOIN airlines a USING (carrier)
      GROUP BY a.name ORDER BY count(*) DESC, a.name
      """
  ) { snapshot in
    let airlines = Flight.all.grouped { $0.airline.name }.order(descending: true) { $0.count }
    return try snapshot.groups(airlines) { $0.count }.map { ($0, $1) }
  },
  Question(
    "Which airlines of a hundred flights or more are latest, on average?",
    sql: """
      SELECT a.name, count(*), avg(f.arr_delay) FROM flights f JOIN airlines a USING (carrier)
      GROUP BY a.name HAVING count(*) >= 100 ORDER BY avg(f.arr_delay) DESC, a.name
      """
  ) { snapshot in
    let airlines = Flight.all.grouped { $0.airline.name }.having { $0.count >= 100 }
      .order(descending: true) { $0.average { $0.arrivalDelay } }
    return try snapshot.groups(airlines, { $0.count }, { $0.average { $0.arrivalDelay } })
      .map { ($0, $1.0, $1.1) }
  },
  Question(
    "Where do most flights go that take more than three hours?",
    sql: """
      SELECT d.name, count(*), min(f.air_time), max(f.air_time)
      FROM flights f LEFT JOIN airports d ON d.faa = f.dest WHERE f.air_time > 180
      GROUP BY d.name ORDER BY count(*) DESC, d.name LIMIT 10
      """
  ) { snapshot in
    let destinations = Flight.where { $0.airTime > 180 }.grouped { $0.destination.name.orNil }
      .order(descending: true) { $0.count }.limit(10)
    return try snapshot.groups(
      destinations, { $0.count }, { $0.min { $0.airTime } }, { $0.max { $0.airTime } }
    ).map { ($0, $1.0, $1.1, $1.2) }
  },
  Question(
    "Who made the planes with more than 200 seats that flew, and how far did they fly?",
    sql: """
      SELECT p.manufacturer, count(*), sum(f.distance)
      FROM flights f JOIN planes p USING (tailnum) WHERE p.seats > 200
      GROUP BY p.manufacturer ORDER BY p.manufacturer
      """
  ) { snapshot in
    let makers = Flight.where { $0.plane.seats > 200 }.grouped { $0.plane.manufacturer.orNil }
    return try snapshot.groups(makers, { $0.count }, { $0.sum { $0.distance } })
      .map { ($0, $1.0, $1.1) }
  },
  Question(
    "How many flights of each month were cancelled?",
    sql: """
      SELECT month, count(*), count(dep_time), count(*) - count(dep_time)
      FROM flights GROUP BY month ORDER BY month
      """
  ) { snapshot in
    try snapshot.groups(
      Flight.all.grouped { $0.month }, { $0.count }, { $0.count { $0.departure } }
    ).map { ($0, $1.0, $1.1, $1.0 - $1.1) }
  },
  Question(
    "Which airlines make up more than twenty minutes in the air most often?",
    sql: """
      SELECT a.name, count(*) FROM flights f JOIN airlines a USING (carrier)
      WHERE f.dep_delay - f.arr_delay > 20 GROUP BY a.name ORDER BY count(*) DESC, a.name
      """
  ) { snapshot in
    let airlines = Flight.where { $0.departureDelay - $0.arrivalDelay > 20 }
      .grouped { $0.airline.name }.order(descending: true) { $0.count }
    return try snapshot.groups(airlines) { $0.count }.map { ($0, $1) }
  },
  Question(
    "How is the weather at each airport in the hours of bad sight?",
    sql: """
      SELECT o.name, count(*), avg(w.temp), max(w.wind_speed), sum(w.precip)
      FROM weather w JOIN airports o ON o.faa = w.origin WHERE w.visib < 5
      GROUP BY o.name ORDER BY o.name
      """
  ) { snapshot in
    let airports = Weather.where { $0.visibility < 5 }.grouped { $0.airport.name }
    return try snapshot.groups(
      airports, { $0.count }, { $0.average { $0.temperature } }, { $0.max { $0.windSpeed } },
      { $0.sum { $0.precipitation } }
    ).map { ($0, $1.0, $1.1, $1.2, $1.3) }
  },
  Question(
    "How many seats does each airline fly, where its planes are known?",
    sql: """
      SELECT f.carrier, sum(p.seats) FROM flights f JOIN planes p USING (tailnum)
      GROUP BY f.carrier HAVING sum(p.seats) > 10000 ORDER BY sum(p.seats) DESC, f.carrier
      """
  ) { snapshot in
    let airlines = Flight.where { $0.plane != nil }.grouped { $0.airline.id }
      .having { $0.sum { $0.plane.seats } > 10_000 }
      .order(descending: true) { $0.sum { $0.plane.seats } }
    return try snapshot.groups(airlines) { $0.sum { $0.plane.seats } }.map { ($0, $1) }
  },
]

/// What comes first.
private let sortQuestions = [
  Question(
    "Which ten flights arrived latest, who flew them, where to, in whose plane?",
    sql: """
      SELECT f."row", a.name, d.name, p.manufacturer, f.arr_delay
      FROM flights f JOIN airlines a USING (carrier) LEFT JOIN airports d ON d.faa = f.dest
      LEFT JOIN planes p USING (tailnum)
      WHERE f.arr_delay IS NOT NULL ORDER BY f.arr_delay DESC, f."row" LIMIT 10
      """
  ) { snapshot in
    let latest = Flight.where { $0.arrivalDelay != nil }
      .order(by: \.arrivalDelay, descending: true).order(by: \.id).limit(10)
    return try snapshot.values(
      of: latest, { $0.id }, { $0.airline.name }, { $0.destination.name.orNil },
      { $0.plane.manufacturer.orNil }, { $0.arrivalDelay })
  },
  Question(
    "Which ten flights were fastest, in miles per hour?",
    sql: """
      SELECT f."row", f.dest, f.distance * 60.0 / f.air_time FROM flights f
      WHERE f.air_time > 0 ORDER BY f.distance * 60.0 / f.air_time DESC, f."row" LIMIT 10
      """
  ) { snapshot in
    let fastest = Flight.where { $0.airTime > 0 }
      .order(descending: true) { $0.distance.asDouble * 60 / $0.airTime.asDouble }
      .order(by: \.id).limit(10)
    return try snapshot.values(
      of: fastest, { $0.id }, { $0.destinationCode },
      { ($0.distance.asDouble * 60 / $0.airTime.asDouble).orNil })
  },
  Question(
    "Which flights of the first hours of the day go to airports above 5,000 feet?",
    sql: """
      SELECT f."row", d.name, o.name FROM flights f JOIN airports d ON d.faa = f.dest
      JOIN airports o ON o.faa = f.origin WHERE d.alt > 5000 AND f.hour < 8
      ORDER BY d.name, o.name DESC, f."row" LIMIT 20 OFFSET 5
      """
  ) { snapshot in
    let early = Flight.where { $0.destination.altitude > 5_000 && $0.hour < 8 }
      .order { $0.destination.name }.order(descending: true) { $0.origin.name }
      .order(by: \.id).limit(20, offset: 5)
    return try snapshot.values(
      of: early, { $0.id }, { $0.destination.name.orNil }, { $0.origin.name })
  },
]

/// What airlines, planes and airports have to do with flights.
private let relationQuestions = [
  Question(
    "Which planes from before 1980 flew, and how often?",
    sql: """
      SELECT p.tailnum, p.year, p.manufacturer,
        (SELECT count(*) FROM flights f WHERE f.tailnum = p.tailnum)
      FROM planes p WHERE p.year < 1980
        AND EXISTS (SELECT 1 FROM flights f WHERE f.tailnum = p.tailnum)
      ORDER BY p.year, p.tailnum
      """
  ) { snapshot in
    let old = Plane.where { $0.year < 1980 && !$0[Plane.flights].isEmpty }
      .order(by: \.year).order(by: \.id)
    return try snapshot.values(
      of: old, { $0.id }, { $0.year }, { $0.manufacturer }, { $0[Plane.flights].count })
  },
  Question(
    "To which airports in the west does nobody fly?",
    sql: """
      SELECT d.faa, d.name FROM airports d WHERE d.lon < -115
        AND NOT EXISTS (SELECT 1 FROM flights f WHERE f.dest = d.faa)
      ORDER BY d.name, d.faa LIMIT 25
      """
  ) { snapshot in
    let unvisited = Airport.where { $0.longitude < -115 && $0[Airport.arrivals].isEmpty }
      .order(by: \.name).order(by: \.id).limit(25)
    return try snapshot.values(of: unvisited, { $0.id }, { $0.name })
  },
  Question(
    "At which airports does one arrive more than ten minutes late, on average?",
    sql: """
      SELECT d.faa, avg(f.arr_delay), count(*) FROM airports d JOIN flights f ON f.dest = d.faa
      GROUP BY d.faa HAVING avg(f.arr_delay) > 10 ORDER BY avg(f.arr_delay) DESC, d.faa
      """
  ) { snapshot in
    let late = Airport.where { $0[Airport.arrivals].average { $0.arrivalDelay } > 10 }
      .order(descending: true) { $0[Airport.arrivals].average { $0.arrivalDelay } }
      .order(by: \.id)
    return try snapshot.values(
      of: late, { $0.id }, { $0[Airport.arrivals].average { $0.arrivalDelay }.orNil },
      { $0[Airport.arrivals].count })
  },
  Question(
    "Which airlines fly no leg of less than 500 miles?",
    sql: """
      SELECT a.carrier, a.name FROM airlines a
      WHERE NOT EXISTS (
        SELECT 1 FROM flights f WHERE f.carrier = a.carrier AND NOT f.distance >= 500)
      ORDER BY a.carrier
      """
  ) { snapshot in
    let airlines = Airline.where { $0[Airline.flights].allSatisfy { $0.distance >= 500 } }
    return try snapshot.values(of: airlines.order(by: \.id), { $0.id }, { $0.name })
  },
  Question(
    "Which planes often go to where clocks show the time of Los Angeles?",
    sql: """
      SELECT p.tailnum, count(*) FROM planes p JOIN flights f USING (tailnum)
      JOIN airports d ON d.faa = f.dest WHERE d.tzone = 'America/Los_Angeles'
      GROUP BY p.tailnum HAVING count(*) >= 4 ORDER BY count(*) DESC, p.tailnum
      """
  ) { snapshot in
    let western = Plane.where {
      $0[Plane.flights].where { $0.destination.timeZone == "America/Los_Angeles" }.count >= 4
    }.order(descending: true) {
      $0[Plane.flights].where { $0.destination.timeZone == "America/Los_Angeles" }.count
    }.order(by: \.id)
    return try snapshot.values(
      of: western, { $0.id },
      { $0[Plane.flights].where { $0.destination.timeZone == "America/Los_Angeles" }.count })
  },
  Question(
    "Where do planes with four engines go?",
    sql: """
      SELECT d.faa, d.alt FROM airports d WHERE EXISTS (
        SELECT 1 FROM flights f JOIN planes p USING (tailnum)
        WHERE f.dest = d.faa AND p.engines = 4)
      ORDER BY d.faa
      """
  ) { snapshot in
    let airports = Airport.where { $0[Airport.arrivals].contains { $0.plane.engines == 4 } }
    return try snapshot.values(of: airports.order(by: \.id), { $0.id }, { $0.altitude })
  },
  Question(
    "Which planes fly for airlines that have fewer than fifty flights?",
    sql: """
      SELECT p.tailnum, p.model FROM planes p WHERE EXISTS (
        SELECT 1 FROM flights f WHERE f.tailnum = p.tailnum AND f.carrier IN (
          SELECT carrier FROM flights GROUP BY carrier HAVING count(*) < 50))
      ORDER BY p.model, p.tailnum LIMIT 30
      """
  ) { snapshot in
    let rare = Plane.where {
      $0[Plane.flights].contains { $0.airline[Airline.flights].count < 50 }
    }.order(by: \.model).order(by: \.id).limit(30)
    return try snapshot.values(of: rare, { $0.id }, { $0.model })
  },
]

/// What is found by what is written.
private let textQuestions = [
  Question(
    "Which Boeings with a number that begins with 737 are there?",
    sql: """
      SELECT DISTINCT model FROM planes
      WHERE manufacturer LIKE '%boeing%' AND model LIKE '737-_2%' ORDER BY model
      """,
    ofEach: { snapshot in
      let boeings = Plane.where {
        $0.manufacturer.contains("boeing", options: .caseInsensitive)
          && $0.model.like("737-?2*")
      }
      return try snapshot.distinct(of: boeings) { $0.model }
    }),
  Question(
    "What time is it where the flights from John F. Kennedy go?",
    sql: """
      SELECT DISTINCT d.tzone FROM flights f JOIN airports o ON o.faa = f.origin
      LEFT JOIN airports d ON d.faa = f.dest
      WHERE o.name LIKE 'john f%' ORDER BY d.tzone
      """,
    ofEach: { snapshot in
      let kennedy = Flight.where {
        $0.origin.name.hasPrefix("john f", options: .caseInsensitive)
      }
      return try snapshot.distinct(of: kennedy) { $0.destination.timeZone }
    }),
]
