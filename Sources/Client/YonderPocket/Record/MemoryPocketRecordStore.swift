/// A ``PocketRecord`` in memory, for previews and tests: one store outlives the simulated processes that use it.
///
/// It must do what `PocketRecordStore` says, as `FilePocketRecordStore` does (`PocketSharingTests` and `PocketSignInTests`
/// run with it).
@MainActor public final class MemoryPocketRecordStore: PocketRecordStore {
    /// The record, or `nil`.
    public private(set) var record: PocketRecord?

    /// Whether the record can't be read, as before the first unlock.
    public var isLocked = false

    /// Creates a store.
    public init(_ record: PocketRecord? = nil) {
        self.record = record
    }

    /// The record, unless it is locked.
    public func read() -> PocketReading {
        isLocked ? .locked : record.map(PocketReading.record) ?? .nothing
    }

    /// Keeps a record.
    ///
    /// - Throws: ``Locked`` if the store is locked.
    public func keep(_ record: PocketRecord) throws {
        if isLocked { throw Locked() }
        self.record = record
    }

    /// Removes the record.
    ///
    /// - Throws: ``Locked`` if the store is locked.
    public func remove() throws {
        if isLocked { throw Locked() }
        record = nil
    }

    /// The store can't be written now.
    public struct Locked: Error {
        /// Creates the error.
        public init() {}
    }
}
