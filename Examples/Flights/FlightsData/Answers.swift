/// The questions the example asks, with their answers.
public struct Answers: Hashable, Sendable {
  /// All flights.
  public var flights = 0
  /// All planes.
  public var planes = 0
  /// All airports.
  public var airports = 0
  /// All airlines.
  public var airlines = 0
  /// All records of the weather.
  public var weather = 0

  /// Flights of United Air Lines.
  public var unitedFlights = 0
  /// Flights from JFK to LAX.
  public var jfkToLAX = 0
  /// Flights that have no departure time.
  public var cancelled = 0
  /// Minutes of departure delay, all flights together.
  public var delaySum = 0
  /// Flights that have a departure delay, be it zero or less.
  public var delayCount = 0
  /// Flights that left more than two hours late.
  public var overTwoHoursLate = 0
  /// Flights of planes with more than 300 seats.
  public var over300Seats = 0
  /// Flights whose plane is not among the planes.
  public var unknownPlane = 0

  /// Nothing counted yet.
  public init() {}

  /// Each answer with its key, in the order they are printed.
  public var byKey: [(key: String, value: Int)] {
    [
      ("flights", flights), ("planes", planes), ("airports", airports), ("airlines", airlines),
      ("weather", weather), ("ua", unitedFlights), ("jfk_lax", jfkToLAX), ("cancelled", cancelled),
      ("delay_sum", delaySum), ("delay_count", delayCount), ("over_120", overTwoHoursLate),
      ("seats_over_300", over300Seats), ("unknown_plane", unknownPlane),
    ]
  }

  /// All answers as one line of JSON.
  public var json: String {
    "{" + byKey.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
  }

  /// The keys whose answers differ, with both.
  public func differences(from other: Answers) -> [String] {
    zip(byKey, other.byKey).filter { $0.value != $1.value }.map {
      "\($0.key) is \($0.value), not \($1.value)"
    }
  }
}
