package import YonderModel

/// One unit of one rate limit of attempts: a bucket's name, and how much it holds.
package struct AttemptUnit: Hashable, Sendable {
    /// The bucket's name; names of different kinds are never equal.
    package let name: String

    /// The bucket's limit: always the same for a name.
    package let limit: RateLimit

    /// Creates a unit of the bucket `name`.
    package init(_ name: String, limit: RateLimit) {
        self.name = name
        self.limit = limit
    }
}

/// Rate limits of attempts, in memory (`AttemptMemory`) or in a database that several servers share (`PostgreSQLStore`).
///
/// `Accounts` takes units before a password, a link or an invitation is tried, and gives them back after a success, and
/// where the server was too busy to check; `PersonLedger` counts what a person does. Which names and limits there are is
/// decided by these two. Taking twice uses two units. Names and limits are in the database: a name whose limit changes needs
/// another name (decision 35, `SharedLimitTests`).
package protocol AttemptLedger: Sendable {
    /// Uses each of the units, or none.
    ///
    /// - Returns: `nil` if the units were used; otherwise the time until all of them are available.
    /// - Throws: `unavailable`; the caller must then refuse the attempt.
    func take(_ units: [AttemptUnit]) async throws(SharingError) -> Duration?

    /// Returns the units that one ``take(_:)`` used; if the database doesn't answer, they stay used.
    func giveBack(_ units: [AttemptUnit]) async
}
