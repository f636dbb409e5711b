/// How long a chat keeps the positions that are shared into it; texts are kept regardless.
///
/// Owners choose one (`SharingClient.keepPositions`), the stores erase by ``period``, and clients drop what is older
/// (`PositionStretch`). Words are in databases and on the wire and must stay; periods are promised (`WordRule`,
/// `Documentation/stream.md`).
public enum PositionKeeping: String, Hashable, Sendable, CaseIterable {
    /// One day.
    case day

    /// Thirty days.
    case month

    /// 365 days.
    case year

    /// Until the chat's messages are removed.
    case forever

    /// The choice for a chat whose owner hasn't made one: thirty days.
    public static let standard = month

    /// The accepted words, for error messages.
    package static let choices = "day, month, year or forever"

    /// The time after its arrival at which a position is erased, or `nil` for never.
    public var period: Duration? {
        switch self {
        case .day: .seconds(86_400)
        case .month: .seconds(30 * 86_400)
        case .year: .seconds(365 * 86_400)
        case .forever: nil
        }
    }
}
