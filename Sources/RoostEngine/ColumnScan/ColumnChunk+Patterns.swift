/// Filters of texts by patterns with wildcards or folding.
extension ColumnChunk {
  /// Selects the rows whose text matches a pattern.
  func filter(_ matcher: TextMatcher, into selection: Selection) {
    switch entry.encoding {
    case .dictionary:
      let entries = Selection()
      scan(matcher, count: Int(entry.parameter), into: entries)
      scan(entries: entries, into: selection)
    case .plain: scan(matcher, count: rowCount, into: selection)
    default: return selection.reset(rowCount: rowCount, selected: false)
    }
    keepPresent(selection)
  }

  /// Selects the entries of the heap that match.
  private func scan(_ matcher: TextMatcher, count: Int, into selection: Selection) {
    if let match = matcher.form.match, !matcher.literal.isEmpty, heap.isASCII {
      // Folding ASCII keeps every text at its offset.
      var folder = TextFolder(matcher.folding)
      folder.fold(heap)
      unsafe folder.bytes.withUnsafeBytes { folded in
        unsafe matcher.literal.withUnsafeBytes { literal in
          unsafe withHeap(ByteView(folded))
            .scan(match, ByteView(literal), count: count, into: selection)
        }
      }
      return
    }
    var folder = TextFolder(matcher.folding)
    selection.fill(rowCount: count) { matcher.matches(text($0), &folder) }
  }

  /// The column with another heap of the same size.
  private func withHeap(_ heap: ByteView) -> ColumnChunk {
    ColumnChunk(
      entry: entry, rowCount: rowCount, present: present, externals: externals, cells: cells,
      offsets: offsets, heap: heap, base: base, step: step, power: power)
  }
}

extension TextPattern.Form {
  /// The corresponding match of exact bytes; nil for `equal` and `wildcards`.
  package var match: TextMatch? {
    switch self {
    case .contains: .contains
    case .prefix: .prefix
    case .suffix: .suffix
    case .equal, .wildcards: nil
    }
  }
}
