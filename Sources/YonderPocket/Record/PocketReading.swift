/// What a ``PocketRecordStore`` has.
public enum PocketReading: Hashable, Sendable {
    /// A record.
    case record(PocketRecord)
    /// No record: nothing was shared.
    case nothing
    /// There is a record, and it can't be read now: iOS protects an app's files until the first unlock after a start.
    case locked
}
