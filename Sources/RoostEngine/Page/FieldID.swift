/// The number of a field in its table, which stays the same when the field is renamed.
///
/// 0 is the object key itself.
package typealias FieldID = UInt32
