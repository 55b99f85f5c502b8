// refused: 'columns' is inaccessible due to 'package' protection level
// The columns of a result, which threads may share and which one of them changes.
import RoostEngine

func change(_ table: ValueTable) { table.columns[0].append(5 as Int64) }
