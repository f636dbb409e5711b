#if Postgres
import Synchronization
import YonderLibPQ

/// A server's claim to its database: one without the bus has it for itself, the nodes of a cluster have it together.
///
/// A session's advisory lock, exclusive or shared, on a connection of its own: it ends with the server, however that ends.
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

    /// Whether the lock is held, as far as is known.
    var holds: Bool { isHeld.withLock { $0 } }

    /// Takes the lock, or makes sure that it is still held: a connection that was lost has lost it.
    ///
    /// A server that has the database for itself doesn't hold the lock while it can't be looked at: another server may have taken it.
    /// A node goes on, as the others are its like.
    ///
    /// - Returns: Whether it is held.
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

    /// Gives it back.
    func close() async {
        await link.close()
    }

    // Taken again by the session that has it, it stays taken. The number is `yonder` in ASCII.
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
