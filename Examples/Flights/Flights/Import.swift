import FlightsData
import Roost
import RoostInterchange

/// Reads the five files into a store, in one transaction.
func importAll(_ folder: FlightsFolder, into store: Store) throws {
  var format = TextFormat.csv
  format.missingValues = ["NA"]
  // Weather and flights have no key of their own. A flight's plane is known by its tail number; one that is not among the
  // planes becomes nil when the transaction ends.
  var numbered = format
  numbered.numberedField = "row"
  var flights = numbered
  flights.names = ["plane": "tailnum"]
  try store.write { transaction in
    try transaction.insert(Airline.self, from: folder.text("airlines"), as: format)
    try transaction.insert(Airport.self, from: folder.text("airports"), as: format)
    try transaction.insert(Plane.self, from: folder.text("planes"), as: format)
    try transaction.insert(Weather.self, from: folder.text("weather"), as: numbered)
    try transaction.insert(Flight.self, from: folder.text("flights"), as: flights)
  }
}

extension FlightsFolder {
  /// One of the five files, a piece at a time.
  func text(_ name: String) throws -> TextInput {
    var source = try file(name)
    return TextInput(named: source.name) {
      var piece: [UInt8] = []
      return try source.read(into: &piece) ? piece : nil
    }
  }
}
