public import Roost

/// Something to find out about the flights, asked of Roost and said in SQL.
public struct Question: Encodable, Sendable {
  /// What one wants to know.
  public let text: String
  /// The same for a database whose tables are the files, with the numbers of their records as `row`.
  public let sql: String
  private let ask: @Sendable (Snapshot) throws -> [[Cell]]

  init<each Value: Answer>(
    _ text: String, sql: String,
    _ ask: @escaping @Sendable (Snapshot) throws -> [(repeat each Value)]
  ) {
    self.text = text
    self.sql = sql
    self.ask = { snapshot in
      try ask(snapshot).map { row in
        var cells: [Cell] = []
        for value in repeat each row { cells.append(value.cell) }
        return cells
      }
    }
  }

  /// A question whose answer is one value a row.
  init<Value: Answer>(
    _ text: String, sql: String, ofEach ask: @escaping @Sendable (Snapshot) throws -> [Value]
  ) {
    self.text = text
    self.sql = sql
    self.ask = { snapshot in try ask(snapshot).map { [$0.cell] } }
  }

  private enum CodingKeys: CodingKey { case text, sql }

  /// What Roost finds.
  public func answer(_ snapshot: Snapshot) throws -> [[Cell]] { try ask(snapshot) }
}

/// A question with what Roost found.
public struct AnsweredQuestion: Encodable, Sendable {
  let question: Question
  /// The rows of the answer.
  public let rows: [[Cell]]

  /// Asks a question.
  public init(_ question: Question, of snapshot: Snapshot) throws {
    self.question = question
    rows = try question.answer(snapshot)
  }
}

/// A value in an answer.
public enum Cell: Hashable, Encodable, Sendable, CustomStringConvertible {
  case missing
  case integer(Int)
  case number(Double)
  case text(String)

  /// The value alone.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .missing: try container.encodeNil()
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    }
  }

  /// The value as one reads it.
  public var description: String {
    switch self {
    case .missing: "–"
    case .integer(let value): "\(value)"
    case .number(let value): "\((value * 100).rounded() / 100)"
    case .text(let value): value
    }
  }
}

/// What an answer consists of.
protocol Answer: SendableMetatype {
  var cell: Cell { get }
}

extension Int: Answer {
  var cell: Cell { .integer(self) }
}

extension Double: Answer {
  var cell: Cell { .number(self) }
}

extension String: Answer {
  var cell: Cell { .text(self) }
}

extension Optional: Answer where Wrapped: Answer {
  var cell: Cell { self?.cell ?? .missing }
}
