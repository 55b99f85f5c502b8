/// A long list of links that is edited in the middle: a playlist, a feed, an outline.
final class ListSuite: Suite {
  private let links: Int
  private let setting: SuiteSetting

  /// How many links are inserted in one transaction.
  private static let inserted = 10_000

  init(links: Int, _ setting: SuiteSetting) {
    self.links = links
    self.setting = setting
  }

  var workloads: [Workload] {
    [
      Workload(
        name: "list-insert",
        title: "insert a link at a random place of \(grouped(links)), one of "
          + "\(grouped(Self.inserted)) in a transaction",
        unit: .microseconds, objects: links, warmsUp: false
      ) { [self] subject, _ in
        guard subject == .roost else { return nil }
        let path = setting.path(subject, "lists")
        try DatabaseFiles.remove(subject.files(at: path))
        let lists = try RoostLists(creating: path)
        try lists.fill(links: links)
        let time = try ContinuousClock().measure { try lists.insert(Self.inserted) }
        let answer = Answer(try lists.count(), try lists.sum())
        lists.close()
        return Sample(
          value: Unit.microseconds.value(time) / Double(Self.inserted), answer: answer)
      }
    ]
  }

  func close() throws {}
}
