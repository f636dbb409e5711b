/// Keeps one phone's ``PocketRecord`` across processes: `FilePocketRecordStore` on a phone, `MemoryPocketRecordStore` in
/// previews and tests.
///
/// ``PocketSharing`` alone calls it, on the main actor. After an error of ``keep(_:)`` it calls ``remove()``, and both again
/// at later events.
///
/// Reading is synchronous, because a relaunched app makes its activity session anew before anything else.
@MainActor public protocol PocketRecordStore: AnyObject, Sendable {
    /// Reads the record.
    ///
    /// - Returns: `locked` if the record can't be read now, which is never the same as `nothing`.
    func read() -> PocketReading

    /// Keeps a record in place of the last one. It is on disk when this returns.
    ///
    /// - Throws: Whatever keeps the record from the disk.
    func keep(_ record: PocketRecord) throws

    /// Removes the record, if there is one.
    ///
    /// - Throws: Whatever keeps the record on the disk.
    func remove() throws
}
