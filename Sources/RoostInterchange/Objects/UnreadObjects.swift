internal import Roost

/// Finds the objects of other models that stand within the objects of a text and would be skipped, as no branch is named.
///
/// An inverse is known only to who names it. So these are objects that have, in any spelling, what the objects of a model need
/// which links to the text's model, or whose array is called as it is.
final class UnreadObjects {
  /// A model with the names of its members in the text, each by its ``Spelling/letters(of:)``.
  private struct Candidate {
    let model: String
    let members: Set<String>
    let required: Set<String>
  }

  private let make: () throws(StoreError) -> [Candidate]
  private var made: [Candidate]?

  /// - Parameter model: The model of the text's objects.
  init<M: Model>(_ model: M.Type, _ transaction: WriteTransaction, _ format: TextFormat) {
    make = { () throws(StoreError) in
      try transaction._reader._models(linkingTo: model).map { model in
        let names = format.names(of: model.name)
        func named(_ members: Set<String>) -> Set<String> {
          Set(members.map { Spelling.letters(of: names.name(of: $0) ?? $0) })
        }
        return Candidate(
          model: model.name, members: named(model.members), required: named(model.required))
      }
    }
  }

  /// Skips the value of a member that is no field.
  func skipValue(_ json: inout JSONReader) throws(TextError) {
    let member = json.string
    _ = try json.peek()
    let place = json.valuePlace
    guard let names = try json.skipElements(), let model = try model(of: names, in: member) else {
      return
    }
    json.scanner.restoreValue(place)
    json.scanner.isRefused = true
    throw json.scanner.fault(
      "`including: { $0.\(member) }`, of an `Inverse(…, \"\(member)\")`, in the call of `upsert`, which adds the objects of "
        + "\(model) too (`{ _ in }` leaves them out)", found: "an array of objects without it"
    ).within(member)
  }

  /// The model whose objects have these members, and are in a member with this name; nil if there is none.
  private func model(
    of members: Set<String>, in array: String
  ) throws(TextError) -> String? {
    let candidates: [Candidate]
    do { candidates = try made ?? make() } catch { throw .source(error) }
    made = candidates
    let letters = Set(members.map(Spelling.letters))
    let name = Spelling.letters(of: array)
    return candidates.first { candidate in
      let model = Spelling.letters(of: candidate.model)
      let isCalledSo = name == model || name == model + "s" || name == model + "es"
      return (isCalledSo || candidate.required.isSubset(of: letters))
        && !candidate.members.isDisjoint(with: letters)
    }?.model
  }
}
