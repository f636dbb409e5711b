package import YonderModel

/// The effect of a submission on an object.
///
/// Both stores return one for each accepted submission; `ObjectCatalog` updates the index by it, endpoints answer with
/// it. It is a plain value. No change at all has the same object before and after, and nobody is sent it.
package struct ObjectChange: Hashable, Sendable {
    /// The object before, or `nil` if it is new.
    package let before: Object?

    /// The object afterward, or `nil` if it was deleted; equal to `before` if nothing changed.
    package let after: Object?

    /// The object afterward in wire form, or `nil` if it was deleted.
    package let record: ObjectRecord?

    /// Creates a change.
    package init(before: Object?, after: Object?) {
        self.init(before: before, after: after, record: after.map(ObjectRecord.init))
    }

    /// Creates a change with a record that has already been encoded.
    init(before: Object?, after: Object?, record: ObjectRecord?) {
        self.before = before
        self.after = after
        self.record = record
    }
}
