public import Roost

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ImportSource {
  /// A JSON file of several classes: an object with an array of objects for each, by the name of the class.
  ///
  /// Such are the files of Realm's tool `realm2json` in each of its forms, and the JSON that Realm Studio exports. A name that
  /// begins with `class_`, as tables of Realm do, is that without it.
  ///
  /// The file is read twice, one record at a time: the first time, to find and count the classes.
  ///
  /// - Parameters:
  ///   - url: The file. Nobody may write to it meanwhile.
  ///   - recordBytesMax: The most memory of a record, about 64 bytes for each value and its text.
  public static func json(_ url: URL, recordBytesMax: Int = 256 << 20) -> ImportSource {
    ImportSource(url, content: [], files: [""]) {
      try TextSource(document: url.path, bytesMax: recordBytesMax)
    }
  }

  /// JSON files with the objects of a class each: an array of objects, or a single one.
  ///
  /// A file is read twice, one record at a time: the first time to count the objects.
  ///
  /// - Parameters:
  ///   - files: The files, by the names of the classes; at least one.
  ///   - recordBytesMax: As for ``json(_:recordBytesMax:)``.
  public static func jsonArrays(
    _ files: [String: URL], recordBytesMax: Int = 256 << 20
  ) -> ImportSource {
    text(files, .array(at: nil), recordBytesMax)
  }

  /// Files with the objects of a class each, one JSON object per line.
  ///
  /// - Parameters:
  ///   - files: The files, by the names of the classes; at least one.
  ///   - recordBytesMax: As for ``json(_:recordBytesMax:)``.
  public static func ndjson(
    _ files: [String: URL], recordBytesMax: Int = 256 << 20
  ) -> ImportSource {
    text(files, .lines, recordBytesMax)
  }

  /// CSV files as in RFC 4180 with the objects of a class each; the first record names the columns.
  ///
  /// The fields have no types: they become those that the mapping asks for. A column `age:int` can be read as `age`.
  ///
  /// - Parameters:
  ///   - files: The files, by the names of the classes; at least one.
  ///   - separator: The character between fields: ASCII, and neither a quotation mark nor a line break.
  ///   - missingValues: Words that mean "no value", besides an empty field. A field in quotation marks has a value.
  ///   - recordBytesMax: As for ``json(_:recordBytesMax:)``.
  public static func csv(
    _ files: [String: URL], separator: Character = ",", missingValues: Set<String> = [],
    recordBytesMax: Int = 256 << 20
  ) -> ImportSource {
    guard let byte = separator.asciiValue, !"\"\r\n".contains(separator) else {
      preconditionFailure("The separator of CSV must be an ASCII character.")
    }
    return text(files, .csv(CSVForm(separator: byte, missing: missingValues)), recordBytesMax)
  }

  private static func text(
    _ files: [String: URL], _ form: TextClass.Form, _ bytesMax: Int
  ) -> ImportSource {
    let paths = files.mapValues(\.path)
    var urls = files.sorted { $0.key < $1.key }.map(\.value)
    precondition(!urls.isEmpty, "Name at least one file.")
    let first = urls.removeFirst()
    return ImportSource(first, content: [], files: [""], companions: urls) {
      try TextSource(paths, form, bytesMax: bytesMax)
    }
  }
}

extension Importer {
  /// Makes an object of a model of each record of a class in JSON or CSV.
  ///
  /// ```swift
  /// let store = try await Store.open("app.roost", models: Person.self, importing: .csv(["Person": url])) {
  ///   $0.records("Person") { record in
  ///     Person(id: try record["id"], name: try record["name"], employer: try record.link("employer_id"))
  ///   }
  /// }
  /// ```
  ///
  /// Values that the mapping cannot read end the import with ``TextRecordError/mismatches(_:)``, which has those of all columns. To
  /// leave such records out, and count them: `do { … } catch let error as TextRecordError { throw LeftOut("\(error)") }`.
  ///
  /// - Parameters:
  ///   - className: The class, under its name in the source.
  ///   - mayBeMissing: Whether sources are imported too that have no such class, as of an older release of the app.
  ///   - make: Makes the object. A record for which it returns nil, or throws ``LeftOut``, is left out, and counted; any other
  ///     error ends the import. It may be called several times for a record.
  public mutating func records<M: Model>(
    _ className: String, mayBeMissing: Bool = false,
    _ make: @escaping @Sendable (TextRecord) throws -> M?
  ) {
    add(className, of: TextSource.self, mayBeMissing: mayBeMissing, make)
  }
}
