#if Postgres
import Logging
import Synchronization
import YonderLibPQ

/// The lock of a server that has its database for itself: a second one is refused while it lasts.
///
/// A session's advisory lock, on a connection of its own: it ends with the server, however that ends.
final class OnlyServer: Sendable {
    private let link: Link
    private let isHeld = Mutex(false)

    /// Prepares the lock over a link that nothing else uses.
    init(over link: Link) {
        self.link = link
    }

    /// Whether the lock was held when it was last looked at.
    var holds: Bool { isHeld.withLock(\.self) }

    /// Takes the lock, or makes sure that it is still held: a connection that was lost has lost it.
    ///
    /// - Returns: Whether it is held.
    /// - Throws: ``LinkFailure``.
    @discardableResult
    func take() async throws(LinkFailure) -> Bool {
        let rows = try await link.run(Self.locking, []).rows
        let holds = rows.first?.bool(0) ?? false
        isHeld.withLock { $0 = holds }
        return holds
    }

    /// Gives it back.
    func close() async {
        await link.close()
    }

    // Taken again by the session that has it, it stays taken. The number is `yonder` in ASCII.
    private static let locking = Statement(
        name: "onlyServer",
        sql: "SELECT pg_try_advisory_lock(133577208120690)"
    )
}

extension PostgreSQLStore {
    /// Whether the database answers, and is this server's alone where it has to be.
    package func isHealthy() async -> Bool {
        if let only, !only.holds { return false }
        do {
            return try await !read(Statement(name: "alive", sql: "SELECT true")).isEmpty
        } catch {
            return false
        }
    }

    /// Checks again and again that this server still holds the lock of the only server, if it needs one; until cancelled.
    ///
    /// - Parameter pause: Waits between two checks; a second by default.
    package func maintain(
        pause: @escaping @Sendable () async throws -> Void = {
            try await ContinuousClock().sleep(for: .seconds(1))
        }
    ) async {
        guard let only else { return await untilCancelled() }
        while (try? await pause()) != nil, !Task.isCancelled {
            let held = only.holds
            do throws(LinkFailure) {
                let holds = try await only.take()
                if held, !holds { logger.critical("Another server has the database; this one should end") }
            } catch {
                logger.warning("The lock of the only server can't be looked at: \(error.message)")
            }
        }
    }

    private func untilCancelled() async {
        let (stream, _) = AsyncStream<Never>.makeStream()
        for await _ in stream {}
    }
}
#endif
