package import YonderModel

/// Finds open sessions whose sign-in ended without a frame to this server.
///
/// Another server may remove a session or token while the bus is away, and so may `yonder user --store`. The watch compares the credentials
/// of the open sessions with the store.
package struct SignInWatch: Sendable {
    /// The time between two checks.
    package static let interval = Duration.seconds(15)

    /// The most credentials of one query.
    package static let pageLimit = 1_000

    private let open: @Sendable () async -> Set<SecretHash>
    private let gone: @Sendable ([SecretHash]) async throws(SharingError) -> [SecretHash]
    private let end: @Sendable (Set<SecretHash>) -> Void

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - open: Returns the credentials of the sessions that are open now.
    ///   - gone: Returns the credentials, among at most ``pageLimit``, that are no longer valid.
    ///   - end: Ends the sessions of credentials.
    package init(
        open: @escaping @Sendable () async -> Set<SecretHash>,
        gone: @escaping @Sendable ([SecretHash]) async throws(SharingError) -> [SecretHash],
        end: @escaping @Sendable (Set<SecretHash>) -> Void
    ) {
        self.open = open
        self.gone = gone
        self.end = end
    }

    /// Ends the sessions whose credential is no longer valid.
    ///
    /// If the store doesn't answer, no session ends.
    ///
    /// - Throws: `unavailable`; invalid credentials of earlier pages have ended then.
    package func look() async throws(SharingError) {
        let credentials = Array(await open())
        for start in stride(from: 0, to: credentials.count, by: Self.pageLimit) {
            let page = Array(credentials[start..<min(start + Self.pageLimit, credentials.count)])
            let ended = try await gone(page)
            if !ended.isEmpty { end(Set(ended)) }
        }
    }
}
