import YonderGeodesy
import YonderModel
import YonderRules

/// The right by which a long answer is read, judged while it is written.
///
/// A client may read slowly, for hours. So the right is judged at the start of each page, and between two parts of a page
/// once a second has passed; what was sent before an end of the right stays sent. Costs a read of the account each time.
struct OngoingRight: Sendable {
    /// The longest time for which it is used without being judged.
    private static let interval = Duration.seconds(1)

    private let warrant: Warrant?
    private let accounts: any AccountStore
    private let now: @Sendable () -> Timestamp
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private var judged: ContinuousClock.Instant

    /// Creates a right that was judged just now; `nil` for that of a caller without an account, which can't end.
    init(
        _ warrant: Warrant?,
        accounts: any AccountStore,
        now: @escaping @Sendable () -> Timestamp,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.warrant = warrant
        self.accounts = accounts
        self.now = now
        self.uptime = uptime
        judged = uptime()
    }

    /// Judges it for the next page.
    ///
    /// - Throws: `notSignedIn`, `notAllowed`, `unavailable`.
    mutating func judge() async throws(SharingError) {
        guard let warrant else { return }
        judged = uptime()
        try await accounts.judge(warrant.used(at: now()))
    }

    /// Judges it for the next part of a page, if that wasn't done in the last second.
    ///
    /// - Throws: As ``judge()``.
    mutating func judgeIfDue() async throws(SharingError) {
        if judged.duration(to: uptime()) >= Self.interval { try await judge() }
    }
}
