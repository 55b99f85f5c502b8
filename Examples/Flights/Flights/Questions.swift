import FlightsData
import Roost

/// Something to find out from a store.
struct Question: Sendable {
  let text: String
  /// Where its answer goes.
  let answer: WritableKeyPath<Answers, Int> & Sendable
  let ask: @Sendable (Snapshot) throws -> Int
}

let questions = [
  Question(text: "flights", answer: \.flights) { try $0.count(Flight.all) },
  Question(text: "planes", answer: \.planes) { try $0.count(Plane.all) },
  Question(text: "airports", answer: \.airports) { try $0.count(Airport.all) },
  Question(text: "airlines", answer: \.airlines) { try $0.count(Airline.all) },
  Question(text: "hours of weather", answer: \.weather) { try $0.count(Weather.all) },
  Question(text: "flights by United", answer: \.unitedFlights) {
    try $0.count(Flight.where { $0.carrier == "UA" })
  },
  Question(text: "flights from JFK to LAX", answer: \.jfkToLAX) {
    try $0.count(Flight.where { $0.origin == "JFK" && $0.destination == "LAX" })
  },
  Question(text: "cancelled flights", answer: \.cancelled) {
    try $0.count(Flight.where { $0.departure == nil })
  },
  Question(text: "minutes of delay, all departures together", answer: \.delaySum) {
    try $0.sum(\.departureDelay, of: Flight.all)
  },
  Question(text: "departures with a known delay", answer: \.delayCount) {
    try $0.count(Flight.where { $0.departureDelay != nil })
  },
  Question(text: "flights more than two hours late", answer: \.overTwoHoursLate) {
    try $0.count(Flight.where { $0.departureDelay > 120 })
  },
  Question(text: "flights of planes with more than 300 seats", answer: \.over300Seats) {
    try $0.count(Flight.where { $0.plane.seats > 300 })
  },
  Question(text: "flights whose plane is unknown", answer: \.unknownPlane) {
    try $0.count(Flight.where { $0.plane == nil })
  },
]

/// All questions, asked of one version.
func answers(of snapshot: Snapshot) throws -> Answers {
  var answers = Answers()
  for question in questions { answers[keyPath: question.answer] = try question.ask(snapshot) }
  return answers
}
