package import YonderModel

/// One unit of one rate limit of attempts.
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

/// Rate limits of attempts, in memory or in a database that several servers share.
package protocol AttemptLedger: Sendable {
    /// Uses each of the units, or none.
    ///
    /// - Returns: `nil` if the units were used; otherwise the time until all of them are available.
    /// - Throws: `unavailable`; the caller must then refuse the attempt.
    func take(_ units: [AttemptUnit]) async throws(SharingError) -> Duration?

    /// Returns the units that one ``take(_:)`` used; if the database doesn't answer, they stay used.
    func giveBack(_ units: [AttemptUnit]) async
}
