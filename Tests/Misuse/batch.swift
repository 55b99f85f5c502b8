// refused: 'batch' is inaccessible due to 'package' protection level
// The columns of a transaction's rows, which must be of one length.
import RoostEngine

func columns(_ transaction: WriteTransaction) throws { _ = try transaction.batch(for: 1) }
