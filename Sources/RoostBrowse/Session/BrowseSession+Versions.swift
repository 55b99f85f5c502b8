internal import Roost
internal import RoostDynamic

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension BrowseSession {
  /// The most objects of a kind of change that an answer lists.
  private static let changesMax = 200

  /// The kept versions, and the steps that the file has behind it.
  func versionList() throws -> DynamicValue {
    .members([
      "newest": .uint(try store.snapshot().version),
      "versions": .list(
        try store.versions.map { version in
          .members([
            "name": .string(version.name), "date": .string(version.date.formatted(.iso8601)),
            "version": .uint(version.version), "bytes": .count(version.bytes),
            "openings": version.openings.map { .count($0) },
          ])
        }),
      "steps": .list(
        try store.history.map { .members(["name": .string($0.name)]) }),
    ])
  }

  /// What differs between two versions, by model.
  func difference(_ arguments: Arguments) throws -> DynamicValue {
    func version(_ name: String) throws -> Version {
      try self.version(arguments.optionalText(name).map { .kept($0) } ?? .newest)
    }
    let earlier = try version("from")
    let later = try version("to")
    let changes = try later.snapshot.changes(since: earlier.snapshot)
    let cells = (
      Cells(snapshot: earlier.snapshot, textMax: 400, linksMax: 3),
      Cells(snapshot: later.snapshot, textMax: 400, linksMax: 3)
    )
    var models: [DynamicValue] = []
    for name in changes.tables where !name.hasPrefix("value:roost.") {
      let found = try changes.of(name)
      guard !found.isEmpty else { continue }
      models.append(
        .members([
          "name": .string(name), "inserted": .count(found.insertions.count),
          "deleted": .count(found.deletions.count),
          "modified": .count(found.modifications.count),
          "insertions": try Self.list(found.insertions, of: name, cells.1),
          "deletions": try Self.list(found.deletions, of: name, cells.0),
          "modifications": .list(
            try found.modifications.prefix(Self.changesMax).map {
              try Self.modification($0, of: name, cells.0, cells.1)
            }),
        ]))
    }
    return .members([
      "from": earlier.value, "to": later.value, "models": .list(models),
      "max": .count(Self.changesMax),
    ])
  }

  private static func list(
    _ keys: [DynamicValue], of model: String, _ cells: Cells
  ) throws -> DynamicValue {
    .list(
      try keys.prefix(changesMax).map { key in
        let object = try cells.snapshot.object(model, key)
        return .members([
          "k": .string(key.plainText),
          "l": try object.flatMap { try cells.label(of: $0) }.map { .string($0) },
        ])
      })
  }

  private static func modification(
    _ change: DynamicTableChanges.Modification, of model: String, _ before: Cells, _ after: Cells
  ) throws -> DynamicValue {
    func value(_ field: String, _ cells: Cells) throws -> DynamicValue {
      guard let field = cells.snapshot.table(model)?.field(field),
        let object = try cells.snapshot.object(model, change.key)
      else { return .null }
      return try cells.value(field, of: object)
    }
    return .members([
      "k": .string(change.key.plainText),
      "fields": .list(
        try change.fields.map { field in
          .members([
            "name": .string(field),
            "type": (after.snapshot.table(model)?.field(field)?.type.word).map { .string($0) },
            "before": try value(field, before), "after": try value(field, after),
          ])
        }),
    ])
  }
}
