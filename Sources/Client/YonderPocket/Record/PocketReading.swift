/// What a ``PocketRecordStore`` has.
///
/// A `PocketRecordStore` returns it at a launch, and `PocketRules` decides by it: `locked` causes nothing, and is read again
/// (`PocketRulesTests`).
public enum PocketReading: Hashable, Sendable {
    /// A record.
    case record(PocketRecord)
    /// No record: nothing was shared.
    case nothing
    /// A record exists, but iOS doesn't let the app read it before the first unlock after a start.
    case locked
}
