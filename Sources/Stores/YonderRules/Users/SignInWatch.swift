package import YonderModel

/// Finds open sessions whose sign-in ended, or whose account changed, without a frame to this server.
///
/// Another server may remove a session or token while the bus is away, and so may `yonder user --store`. The watch
/// compares the credentials of the open sessions, and the versions of their accounts, with the store.
///
/// `SignInService` calls ``probe()`` every few seconds and ``look()`` at its interval; `ServerProcess` gives it the
/// exchange's functions. A failure is thrown, and the service decides what a silent store costs. That an ended sign-in
/// ends its connections within the interval is promised in `Documentation/cluster.md`; change both (`SignInWatchTests`).
package struct SignInWatch: Sendable {
    /// The time between two checks.
    package static let interval = Duration.seconds(15)

    /// The time between two questions whether the store answers.
    package static let probeInterval = Duration.seconds(3)

    /// The most credentials of one query.
    package static let pageLimit = 1_000

    private let open: @Sendable () async -> [SecretHash: Set<Int64>]
    private let good: @Sendable ([SecretHash]) async throws(SharingError) -> [SecretHash: Int64]
    private let end: @Sendable (Set<SecretHash>) -> Void
    private let renew: @Sendable ([SecretHash: Set<Int64>]) -> Void

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - open: Returns the credentials of the sessions that are open now, each with the versions of its account that
    ///     sessions know.
    ///   - good: Returns the credentials, among at most ``pageLimit``, that are good, each with its account's version.
    ///   - end: Ends the sessions of credentials.
    ///   - renew: Has the clients of credentials' sessions connect again, if these still know the versions that it is called with.
    package init(
        open: @escaping @Sendable () async -> [SecretHash: Set<Int64>],
        good: @escaping @Sendable ([SecretHash]) async throws(SharingError) -> [SecretHash: Int64],
        end: @escaping @Sendable (Set<SecretHash>) -> Void,
        renew: @escaping @Sendable ([SecretHash: Set<Int64>]) -> Void
    ) {
        self.open = open
        self.good = good
        self.end = end
        self.renew = renew
    }

    /// Asks the store for nothing.
    ///
    /// - Throws: `unavailable` if it doesn't answer.
    package func probe() async throws(SharingError) {
        _ = try await good([])
    }

    /// Ends the sessions whose credential is no longer good, and has those connect again whose account has another
    /// version: a later one, or an earlier one after the database has lost commits.
    ///
    /// If the store doesn't answer, no session ends.
    ///
    /// - Returns: When the last question was asked.
    /// - Throws: `unavailable`; what earlier pages have found was done then.
    package func look() async throws(SharingError) -> ContinuousClock.Instant {
        let sessions = await open()
        let credentials = Array(sessions.keys)
        var asked = ContinuousClock.now
        // A look without sessions asks the store all the same: the caller takes its return for an answer.
        if credentials.isEmpty { try await probe() }
        for start in stride(from: 0, to: credentials.count, by: Self.pageLimit) {
            let page = credentials[start..<min(start + Self.pageLimit, credentials.count)]
            asked = .now
            let versions = try await good(Array(page))
            let gone = Set(page.filter { versions[$0] == nil })
            var others: [SecretHash: Set<Int64>] = [:]
            for secret in page {
                guard let version = versions[secret], let known = sessions[secret], known != [version] else {
                    continue
                }
                others[secret] = known.subtracting([version])
            }
            if !gone.isEmpty { end(gone) }
            if !others.isEmpty { renew(others) }
        }
        return asked
    }
}
