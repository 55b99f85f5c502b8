/// The number of a field in its table, which it keeps whatever its name becomes.
///
/// 0 is the object key itself.
package typealias FieldID = UInt32
