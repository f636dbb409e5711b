package import YonderModel

/// One unit of one rate limit of attempts.
package struct AttemptUnit: Hashable, Sendable {
    /// The bucket: names of different kinds never read the same.
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
    /// - Returns: `nil` if the units were used; otherwise the longest wait.
    /// - Throws: `unavailable`; the attempt must then be refused.
    func take(_ units: [AttemptUnit]) async throws(SharingError) -> Duration?

    /// Returns the units that one ``take(_:)`` used; if the database is away, they stay used.
    func giveBack(_ units: [AttemptUnit]) async
}
