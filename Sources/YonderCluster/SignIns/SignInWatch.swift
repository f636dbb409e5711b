package import YonderModel

/// Finds open sessions whose sign-in ended, or whose account changed, without a frame to this server.
///
/// Another server may remove a session or token while the bus is away, and so may `yonder user --store`. The watch compares the credentials
/// of the open sessions, and the versions of their accounts, with the store.
package struct SignInWatch: Sendable {
    /// The time between two checks.
    package static let interval = Duration.seconds(15)

    /// The time between two questions whether the store answers.
    package static let probeInterval = Duration.seconds(3)

    /// The most credentials of one query.
    package static let pageLimit = 1_000

    private let open: @Sendable () async -> [SecretHash: Int64]
    private let good: @Sendable ([SecretHash]) async throws(SharingError) -> [SecretHash: Int64]
    private let end: @Sendable (Set<SecretHash>) -> Void
    private let renew: @Sendable ([SecretHash: Int64]) -> Void

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - open: Returns the credentials of the sessions that are open now, each with the version of its account that the session knows.
    ///   - good: Returns the credentials, among at most ``pageLimit``, that are good, each with its account's version.
    ///   - end: Ends the sessions of credentials.
    ///   - renew: Has the clients of credentials' sessions connect again, if these still know the version that was compared.
    package init(
        open: @escaping @Sendable () async -> [SecretHash: Int64],
        good: @escaping @Sendable ([SecretHash]) async throws(SharingError) -> [SecretHash: Int64],
        end: @escaping @Sendable (Set<SecretHash>) -> Void,
        renew: @escaping @Sendable ([SecretHash: Int64]) -> Void
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

    /// Ends the sessions whose credential is no longer good, and has those connect again whose account has another version: a later one, or
    /// an earlier one after the database has lost commits.
    ///
    /// If the store doesn't answer, no session ends.
    ///
    /// - Throws: `unavailable`; what earlier pages have found was done then.
    package func look() async throws(SharingError) {
        let sessions = await open()
        let credentials = Array(sessions.keys)
        for start in stride(from: 0, to: credentials.count, by: Self.pageLimit) {
            let page = Array(credentials[start..<min(start + Self.pageLimit, credentials.count)])
            let versions = try await good(page)
            let gone = Set(page.filter { versions[$0] == nil })
            let others = sessions.filter { secret, version in versions[secret].map { $0 != version } ?? false
            }
            if !gone.isEmpty { end(gone) }
            if !others.isEmpty { renew(others) }
        }
    }
}
