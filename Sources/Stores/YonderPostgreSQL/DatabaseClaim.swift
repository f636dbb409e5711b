#if Postgres
import Synchronization
import YonderLibPQ

/// A server's claim to its database: exclusive for a server without the bus, shared by the nodes of a cluster.
///
/// The claim is an advisory lock of a database session, on a connection of its own: PostgreSQL releases the lock when
/// the server ends, also without a proper stop.
///
/// `PostgreSQLStore` takes it when it opens and asks ``holds`` before writes; `PostgreSQLStore+Upkeep.swift` looks each
/// second whether it is still held. A server whose exclusive claim isn't certain writes nothing until it has it again.
/// The lock's number must stay, as servers of all versions agree by it (decision 30).
final class DatabaseClaim: Sendable {
    /// Whether no other server may use the database.
    let isExclusive: Bool

    private let link: Link
    private let isHeld = Mutex(false)

    /// Prepares the lock over a link that nothing else uses.
    init(over link: Link, isExclusive: Bool) {
        self.link = link
        self.isExclusive = isExclusive
    }

    /// Whether the lock was held at the last check.
    var holds: Bool { isHeld.withLock { $0 } }

    /// Takes the lock, or checks that it is still held, because a lost connection loses the lock.
    ///
    /// Without an answer, an exclusive claim counts as lost: another server may have taken the lock meanwhile. A shared
    /// claim counts as held, because only nodes of the same cluster can share it.
    ///
    /// - Returns: Whether the lock is held.
    /// - Throws: ``LinkFailure``.
    @discardableResult
    func take() async throws(LinkFailure) -> Bool {
        do throws(LinkFailure) {
            let rows = try await link.run(isExclusive ? Self.exclusive : Self.shared, []).rows
            let holds = rows.first?.bool(0) ?? false
            isHeld.withLock { $0 = holds }
            return holds
        } catch {
            if isExclusive { isHeld.withLock { $0 = false } }
            throw error
        }
    }

    /// Releases the lock by closing its connection.
    func close() async {
        await link.close()
    }

    // A session may take a lock that it already has. The number is `yonder` in ASCII.
    private static let exclusive = Statement(
        name: "claim_exclusive",
        sql: "SELECT pg_try_advisory_lock(133577208120690)"
    )
    private static let shared = Statement(
        name: "claim_shared",
        sql: "SELECT pg_try_advisory_lock_shared(133577208120690)"
    )
}
#endif
