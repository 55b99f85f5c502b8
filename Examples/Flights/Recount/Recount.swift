public import FlightsData

/// Answers every question with plain loops over the CSV files.
///
/// This module does not import Roost: what it counts is what Roost's answers are held against. With a `carrier`, only that
/// airline's flights count.
public func recount(_ folder: FlightsFolder, carrier: String? = nil) throws -> Answers {
  var answers = Answers()

  answers.airlines = try countRecords(of: folder.file("airlines"), with: "carrier")
  answers.airports = try countRecords(of: folder.file("airports"), with: "faa")
  answers.weather = try countRecords(of: folder.file("weather"), with: "origin")

  var seatsByTail: [String: Int] = [:]
  var planes = try CSVReader(folder.file("planes"), columns: ["tailnum", "seats"])
  while try planes.next() {
    guard let tail = planes.text(0) else { continue }
    seatsByTail[tail] = planes.integer(1) ?? 0
    answers.planes += 1
  }

  var flights = try CSVReader(
    folder.file("flights"),
    columns: ["carrier", "origin", "dest", "dep_time", "dep_delay", "tailnum"])
  while try flights.next() {
    if let carrier, flights.text(0) != carrier { continue }
    answers.flights += 1
    if flights.text(0) == "UA" { answers.unitedFlights += 1 }
    if flights.text(1) == "JFK" && flights.text(2) == "LAX" { answers.jfkToLAX += 1 }
    if flights.integer(3) == nil { answers.cancelled += 1 }
    if let delay = flights.integer(4) {
      answers.delaySum += delay
      answers.delayCount += 1
      if delay > 120 { answers.overTwoHoursLate += 1 }
    }
    if let seats = flights.text(5).flatMap({ seatsByTail[$0] }) {
      if seats > 300 { answers.over300Seats += 1 }
    } else {
      answers.unknownPlane += 1
    }
  }
  return answers
}

private func countRecords(of source: any ByteSource, with column: String) throws -> Int {
  var records = try CSVReader(source, columns: [column])
  while try records.next() {}
  return records.recordCount
}
