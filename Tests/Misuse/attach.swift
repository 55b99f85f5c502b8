// refused: cannot find type 'LeafAttachment' in scope
// An object of a program's own beside a leaf, where the store looks for its columns.
import RoostEngine

final class Foreign: LeafAttachment, @unchecked Sendable {}
