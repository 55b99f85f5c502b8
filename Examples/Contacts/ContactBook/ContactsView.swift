#if canImport(SwiftUI)
import Roost
import RoostUI
public import SwiftUI

/// The same contacts in SwiftUI: the list is what is in the store, and a search finds as one types.
public struct ContactsView: View {
  @State private var contacts: LiveQuery<Contact>
  @State private var search = ""
  private let store: Store

  /// Shows a book.
  public init(_ book: ContactBook) {
    store = book.store
    _contacts = State(initialValue: LiveQuery(Contact.byName, in: book.store))
  }

  private var sections: [(letter: String, contacts: [Contact])] {
    Dictionary(grouping: contacts.objects) { Contact.letter(of: $0.name) }
      .map { (letter: $0.key, contacts: $0.value) }.sorted { $0.letter < $1.letter }
  }

  /// The list.
  public var body: some View {
    List {
      ForEach(sections, id: \.letter) { section in
        Section(section.letter) {
          ForEach(section.contacts) { contact in
            LabeledContent(contact.name, value: contact.phone)
          }
          .onDelete { places in
            let ids = places.map { section.contacts[$0].id }
            Task { try await store.write { try $0.delete(Contact.self, ids: ids) } }
          }
        }
      }
    }
    .animation(.default, value: contacts.objects)
    .searchable(text: $search)
    .onChange(of: search) {
      contacts.query =
        search.isEmpty
        ? Contact.byName
        : Contact.where { [search] in $0.name.contains(search, options: [.caseInsensitive]) }.order(
          by: \.name)
    }
    .overlay { if let error = contacts.error { Text("\(error)") } }
  }
}
#endif
