// Errors, kept versions and the steps of migrations are the store's own: one import is enough.
@_exported public import Roost
