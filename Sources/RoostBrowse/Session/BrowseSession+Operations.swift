internal import RoostDynamic

extension BrowseSession {
  /// Answers an operation with a text or bytes.
  package func answer(_ operation: String, _ body: [UInt8]) -> BrowseResponse {
    do {
      let arguments = try Arguments(body)
      switch operation {
      case "bytes":
        return BrowseResponse(200, type: "application/octet-stream", body: try bytes(arguments))
      case "export":
        return BrowseResponse(200, body: try exported(arguments))
      default:
        guard let value = try value(operation, arguments) else {
          return BrowseResponse(refusing: 404, "There is no such operation.")
        }
        return BrowseResponse(200, type: "application/json", body: Array(value.json.utf8))
      }
    } catch {
      let value = BrowseError(error).answer
      return BrowseResponse(422, type: "application/json", body: Array(value.json.utf8))
    }
  }

  /// The value that an operation answers with; nil where there is none of that name.
  func value(_ operation: String, _ arguments: Arguments) throws -> DynamicValue? {
    switch operation {
    case "overview": try overview(arguments)
    case "version": .members(["version": .uint(try store.snapshot().version), "undo": undoTitle])
    case "rows": try rows(arguments)
    case "plan": try plan(arguments)
    case "object": try object(arguments)
    case "sources": try sources(arguments)
    case "condition": try condition(arguments)
    case "top": try topValues(arguments)
    case "space": try space(arguments)
    case "versions": try versionList()
    case "difference": try difference(arguments)
    default: try writingValue(operation, arguments)
    }
  }
}
