import Foundation
import Roost
import RoostImport
import RoostImportSQLite
import Testing

/// A store of Core Data that its app goes on writing to.
@Suite struct CoreDataRefreshTests {
  @Test func aStoreIsBroughtUpToDateWithWhatTheAppWroteLater() async throws {
    let file = try CoreDataFile()
    let mapping: @Sendable (inout Importer) -> Void = {
      $0.rows(of: "Note") { Item(id: try $0.id(), text: try $0["words"]) }
    }
    let store = try await Store.open(
      .inMemory, models: Item.self, importing: file.source, mapping)
    try file.file.run(
      """
      UPDATE ZNOTE SET ZWORDS = 'changed' WHERE Z_PK = 2;
      DELETE FROM ZNOTE WHERE Z_PK = 1;
      INSERT INTO ZNOTE VALUES (4, 6, 1, NULL, 'four');
      """)
    file.file.close()
    let differences = try await store.compare(with: file.source, mapping).differences
    #expect(differences.count == 3)
    _ = try await store.refresh(from: file.source, mapping)
    let items = try store.snapshot().fetch(Item.all.order(by: \.id))
    #expect(items.map { "\($0.id) \($0.text)" } == ["2 changed", "3 three", "4 four"])
    let after = try await store.compare(with: file.source, mapping).differences
    #expect(after.isEmpty)
  }
}
