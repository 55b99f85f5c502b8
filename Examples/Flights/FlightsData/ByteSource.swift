import Foundation

/// Bytes that come in pieces: a file, or what another program unpacks.
public protocol ByteSource {
  /// What errors call it.
  var name: String { get }

  /// Adds the next piece to the buffer; false when there is none.
  mutating func read(into buffer: inout [UInt8]) throws -> Bool
}

/// How much is read at a time.
private let pieceBytes = 1 << 20

/// A file, read from its start to its end.
struct FileSource: ByteSource {
  let name: String
  private let file: FileHandle

  init(path: String) throws {
    name = path
    file = try FileHandle(forReadingFrom: URL(filePath: path))
  }

  mutating func read(into buffer: inout [UInt8]) throws -> Bool {
    guard let piece = try file.read(upToCount: pieceBytes), !piece.isEmpty else { return false }
    buffer.append(contentsOf: piece)
    return true
  }
}

/// The one entry of a zip archive, unpacked by `unzip` or Python while it is read.
struct ZipSource: ByteSource {
  let name: String
  private let process = Process()
  private let output = Pipe()

  /// What unpacks the first entry to standard output; the first that is installed will do.
  private static let tools = [
    ["unzip", "-p"],
    [
      "python3", "-c",
      "import shutil, sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); "
        + "shutil.copyfileobj(z.open(z.namelist()[0]), sys.stdout.buffer)",
    ],
  ]

  init(path: String) throws {
    name = path
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    for tool in Self.tools {
      let places = folders.map { "\($0)/\(tool[0])" }
      guard let program = places.first(where: FileManager.default.isExecutableFile) else {
        continue
      }
      process.executableURL = URL(filePath: program)
      process.arguments = tool.dropFirst() + [path]
      process.standardOutput = output
      try process.run()
      return
    }
    throw FlightsDataError.cannotUnpack(
      file: path, reason: "Install unzip or Python 3, or unpack it and leave flights.csv there.")
  }

  mutating func read(into buffer: inout [UInt8]) throws -> Bool {
    if let piece = try output.fileHandleForReading.read(upToCount: pieceBytes), !piece.isEmpty {
      buffer.append(contentsOf: piece)
      return true
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw FlightsDataError.cannotUnpack(file: name, reason: "The archive may be damaged.")
    }
    return false
  }
}
