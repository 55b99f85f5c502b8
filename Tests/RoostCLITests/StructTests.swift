#if Tool
import Foundation
import Roost
import RoostTestSupport
import Testing

/// Optional structs, kinds and links in the tool: what a file has for them, and what somebody means by their names.
@Suite struct StructTests {
  private let tool = ToolTests()

  private struct Address: Embedded, Hashable {
    var city: String
    var zip: String?
    static let fields = Fields(Address.init, Part("city", \.city), Part("zip", \.zip))
  }

  private struct Geo: Embedded, Hashable {
    var lat: Double
    var lon: Double
    static let fields = Fields(Geo.init, Part("lat", \.lat), Part("lon", \.lon))
  }

  private struct Home: Embedded, Hashable {
    var street: String
    var geo: Geo?
    static let fields = Fields(Home.init, Part("street", \.street), Part("geo", \.geo))
  }

  private enum Status: CaseNamed, Equatable {
    case waiting, seen(by: String)
    enum Kind: String, Sortable { case waiting, seen }
    var kind: Kind { self == .waiting ? .waiting : .seen }
  }

  private struct Patient: Model, Equatable {
    let id: Int
    var name: Geo
    var address: Address?
    var home: Home?
    var status: Status?
    static let schema = Schema(
      Patient.init, Key("id", \.id), Field("name", \.name), Field("address", \.address),
      Field("home", \.home), Field("status", \.status))
  }

  private struct Appointment: Model, Equatable {
    let id: Int
    var patient: Link<Patient>?
    var others: Links<Patient> = []
    static let schema = Schema(
      Appointment.init, Key("id", \.id), Field("patient", \.patient, .onTargetDelete(.nullify)),
      Field("others", \.others, .onTargetDelete(.nullify)))
  }

  private static let patients = [
    Patient(
      id: 1, name: Geo(lat: 1, lon: 2), address: Address(city: "Delft", zip: "2611"),
      home: Home(street: "A", geo: Geo(lat: 1, lon: 2)), status: .seen(by: "Ann")),
    Patient(id: 2, name: Geo(lat: 1, lon: 2), address: nil, home: nil, status: nil),
    Patient(
      id: 3, name: Geo(lat: 1, lon: 2), address: Address(city: "Gouda", zip: nil),
      home: Home(street: "B", geo: nil), status: .waiting),
  ]

  private func withStore(_ body: (_ path: String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/patients.roost"
      let store = try Store(.file(path), models: Patient.self, Appointment.self)
      try store.write {
        try $0.insert(contentsOf: Self.patients)
        try $0.insert(Appointment(id: 1, patient: Link(id: 1), others: [2, 1, 3]))
        try $0.insert(Appointment(id: 2, patient: Link(id: 2)))
        try $0.insert(Appointment(id: 3, patient: nil))
      }
      store.close()
      try body(path)
    }
  }

  private func patients(_ path: String) throws -> [Patient] {
    let store = try Store(.file(path), models: Patient.self, Appointment.self)
    defer { store.close() }
    #expect(try store.verify() == [])
    return try store.snapshot().fetch(Patient.all.order(by: \.id))
  }

  private func ids(_ path: String, _ query: String) throws -> String {
    let run = try tool.run(["query", path, query, "--format", "csv"])
    #expect(run.code == 0, "\(run)")
    return run.output.split(separator: "\r\n").dropFirst().map { $0.prefix { $0 != "," } }
      .joined(separator: " ")
  }

  // MARK: Queries

  @Test(
    arguments: [
      ("Patient where address == nil", "2"), ("Patient where address != nil", "1 3"),
      ("Patient where nil != address", "1 3"), ("Patient where !(address == NULL)", "1 3"),
      ("Patient where home.geo == nil", "2 3"), ("Patient where home.geo != nil", "1"),
      ("Appointment where patient.address == nil", "2 3"),
      ("Appointment where patient.address != nil", "1"),
      ("Appointment where patient { address == nil }", "2"),
      ("Appointment where others contains { outer.patient.address == nil }", ""),
      ("Appointment where others contains { outer.patient.address != nil }", "1"),
    ])
  func anOptionalStructIsComparedWithNil(_ query: String, _ expected: String) throws {
    try withStore { path in
      let found = try ids(path, query)
      #expect(found == expected)
    }
  }

  @Test func theTextOfAProgramsQueryFindsTheSame() throws {
    let missing = Patient.where { $0.address == nil }
    let placed = Patient.where { $0.home.geo != nil }
    let linked = Appointment.where { $0.patient.address == nil }
    #expect("\(missing)" == "Patient where address == nil")
    #expect("\(placed)" == "Patient where home.geo != nil")
    try withStore { path in
      let found = [
        try ids(path, "\(missing)"), try ids(path, "\(placed)"), try ids(path, "\(linked)"),
      ]
      #expect(found == ["2", "1", "2 3"], "\(linked)")
    }
  }

  @Test(
    arguments: [
      "¶address == true", #"¶address == "Delft""#, "3 < ¶address", "¶address > nil",
      "¶address in [true]", #"¶address hasPrefix "D""#, "¶address == ¶home",
    ])
  func aWholeStructIsComparedWithNothingElse(_ marked: String) throws {
    try withStore { path in
      let parts = "Patient where \(marked)".components(separatedBy: "¶")
      let mark = String(repeating: " ", count: parts[0].count)
      let run = try tool.run(["query", path, parts.joined()])
      #expect(
        run.complaint == """
          roost: This is a struct: compare it with nil only, or one of its parts: address.city, address.zip.
            \(parts.joined())
            \(mark)^

          """ && run.code == 2, "\(run)")
    }
  }

  @Test func aStructThatIsAlwaysThereIsAskedByItsParts() throws {
    try withStore { path in
      let run = try tool.run(["query", path, "Patient where name == nil"])
      #expect(
        run.complaint.hasPrefix(
          "roost: name is a struct: name one of its parts: name.lat, name.lon.\n"),
        "\(run)")
    }
  }

  @Test func theObjectsThatLinkToAnObjectAreNamedAsAQueryNamesThem() throws {
    try withStore { path in
      for query in ["Patient where appointments.count > 0", "Patient where appointment.count > 0"] {
        let run = try tool.run(["query", path, query])
        #expect(
          run.complaint.contains(
            "What links to it is asked for as in (Appointment by patient).count or "
              + "(Appointment by patient) contains { … }.\n"), "\(run)")
        #expect(run.code == 2)
      }
      #expect(try ids(path, "Patient where (Appointment by patient).count > 0") == "1 2")
    }
  }

  // MARK: Changes

  @Test func aPartIsSetOnlyWhereItsStructIs() throws {
    try withStore { path in
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let run = try tool.run(["set", path, "Patient", "address.city=Leiden", "--yes"])
      #expect(
        run.complaint == """
          roost: Patient 2 has no address. Give all of its parts, also address.zip=…; or ask for objects with address != nil.
            address.city=Leiden
            ^

          """ && run.code == 1, "\(run)")
      let within = try tool.run(["set", path, "Patient where id == 3", "home.geo.lat=3", "--yes"])
      #expect(within.complaint.contains("Patient 3 has no home.geo. "), "\(within)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
      let done = try tool.run(
        ["set", path, "Patient where address != nil", "address.city=Leiden", "--yes"])
      #expect(done.output == "\(path): 2 changed.\n", "\(done)")
      var expected = Self.patients
      expected[0].address?.city = "Leiden"
      expected[2].address?.city = "Leiden"
      #expect(try patients(path) == expected)
    }
  }

  @Test func allPartsMakeAStruct() throws {
    try withStore { path in
      let run = try tool.run(
        ["set", path, "Patient", "address.city=Leiden", "address.zip=nil", "--yes"])
      #expect(run.output == "\(path): 3 changed.\n", "\(run)")
      let home = try tool.run(
        ["set", path, "Patient where id == 2", "home.street=C", "home.geo=nil", "--yes"])
      #expect(home.code == 0, "\(home)")
      let geo = try tool.run(
        ["set", path, "Patient where id == 3", "home.geo.lat=3", "home.geo.lon=4", "--yes"])
      #expect(geo.code == 0, "\(geo)")
      var expected = Self.patients
      for place in expected.indices { expected[place].address = Address(city: "Leiden", zip: nil) }
      expected[1].home = Home(street: "C", geo: nil)
      expected[2].home = Home(street: "B", geo: Geo(lat: 3, lon: 4))
      #expect(try patients(path) == expected)
      // Nothing is what an object without the struct has of its parts.
      let none = try tool.run(["set", path, "Patient where id == 2", "home.geo.lat=nil", "--yes"])
      #expect(none.code == 0, "\(none)")
    }
  }

  @Test func aStructIsRemovedWithAllItsParts() throws {
    try withStore { path in
      let run = try tool.run([
        "set", path, "Patient where id == 1", "address=null", "home=nil", "--yes",
      ])
      #expect(
        run.complaint.hasPrefix(#"Patient 1: address {"city":"Delft","zip":"2611"} → null, home "#),
        "\(run)")
      #expect(run.output == "\(path): 1 changed.\n")
      let dump = try tool.roost("dump", path).output
      #expect(
        dump.contains(
          #""address":false,"address.city":null,"address.zip":null,"home":false,"home.street":null,"home.geo":null,"home.geo.lat":null,"home.geo.lon":null"#
        ), "\(dump)")
      var expected = Self.patients
      (expected[0].address, expected[0].home) = (nil, nil)
      #expect(try patients(path) == expected)
    }
  }

  @Test(
    arguments: [
      (
        ["address=true"],
        "Patient.address is a struct: set its parts, such as address.city=…, or address=nil."
      ),
      (
        ["address=Delft"],
        "Patient.address is a struct: set its parts, such as address.city=…, or address=nil."
      ),
      (
        ["address.city=Delft", "address=nil"],
        "address.city is a part of address, which is to be nil: set one of them."
      ),
      (
        ["status.kind=waiting"],
        "Patient.status.kind is the kind of status, and a program finds it by the value: set status."
      ),
    ])
  func whatAStructOrAKindDoesNotTakeIsRefused(_ assignments: [String], _ reason: String) throws {
    try withStore { path in
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let run = try tool.run(["set", path, "Patient"] + assignments + ["--yes"])
      #expect(
        run.complaint == "roost: \(reason)\n  \(assignments[0])\n  ^\n" && run.code == 1, "\(run)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
  }

  @Test func theKindOfAValueThatIsSetIsFoundByTheProgram() throws {
    try withStore { path in
      let run = try tool.run(
        ["set", path, "Patient where id == 1", #"status={"waiting":{}}"#, "--yes"])
      #expect(
        run.complaint.hasSuffix(
          "\nstatus.kind is empty until a program opens the file, which finds the kinds\n"),
        "\(run)")
      let none = try tool.run(["set", path, "Patient where id == 3", "status=nil", "--yes"])
      #expect(!none.complaint.contains("kind"), "\(none)")
      let store = try Store(.file(path), models: Patient.self, Appointment.self)
      defer { store.close() }
      let waiting = try store.snapshot().fetch(Patient.where { $0.status.kind == .waiting })
      #expect(waiting.map(\.id) == [1])
      let seen = try store.snapshot().fetch(Patient.where { $0.status.kind == .seen })
      #expect(seen.isEmpty)
      #expect(try store.verify() == [])
    }
  }

  // MARK: Texts and other files

  @Test func aTextNeedNotHaveTheFieldThatMarksAStruct() throws {
    try withStore { path in
      let text = """
        {"id":4,"name.lat":1,"name.lon":2,"address.city":"Breda","address.zip":null}
        {"id":1,"address.city":"Leiden"}
        {"id":2,"home.street":"C"}

        """
      let run = try tool.run(
        ["import", path, "-", "--format", "ndjson", "--model", "Patient", "--update"], input: text)
      #expect(run.output == "\(path): 1 inserted, 2 updated.\n", "\(run)")
      var expected = Self.patients
      expected[0].address?.city = "Leiden"
      expected[1].home = Home(street: "C", geo: nil)
      expected.append(
        Patient(
          id: 4, name: Geo(lat: 1, lon: 2), address: Address(city: "Breda", zip: nil), home: nil,
          status: nil))
      #expect(try patients(path) == expected)
      let part = try tool.run(
        ["import", path, "-", "--format", "ndjson", "--model", "Patient", "--update"],
        input: #"{"id":2,"address.city":"Leiden"}"# + "\n")
      #expect(
        part.complaint
          == "roost: -: line 1, column 1: Patient.address is a struct of which only some parts are given; address.zip is missing.\n",
        "\(part)")
      #expect(try patients(path) == expected)
    }
  }

  @Test func linksComeBackFromSQLiteAsLinks() throws {
    try withStore { path in
      let (file, back) = (path + ".sqlite", path + ".back")
      #expect(try tool.run(["export", path, file]).code == 0)
      let run = try tool.run(["import", back, file])
      #expect(run.code == 0, "\(run)")
      #expect(!run.output.contains("others"), "\(run)")
      let schema = try tool.run(["schema", back]).output
      #expect(
        try ids(back, "Appointment where patient.id == 1 && others contains { id == 3 }") == "1",
        "\(schema)")
      let dump = try tool.run(["query", back, "Appointment sort id"]).output
      #expect(
        dump == """
          {"id":1,"patient":1,"others":[2,1,3]}
          {"id":2,"patient":2,"others":[]}
          {"id":3,"patient":null,"others":[]}

          """, "\(dump)")
      let models = try tool.run(["models", file]).output
      #expect(
        models.contains(
          #"others: try $0.links(through: "Appointment.others", from: "source", to: "target", orderedBy: "position")"#
        ), "\(models)")
    }
  }
}
#endif
