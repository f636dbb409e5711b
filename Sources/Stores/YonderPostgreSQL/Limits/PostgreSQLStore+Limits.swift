#if Postgres
import Crypto
package import YonderGeodesy
import YonderLibPQ
package import YonderModel
package import YonderRules

// Limits that all servers of a database count together, over the link `counting`: `SharedLimits` passes sign-in
// attempts, `PersonLedger` what people do, the places API its nonces, the geocoder its turns; `DatabaseClock` asks for
// samples. A lost answer is `unavailable`, and is never asked again, since it may have counted. The keys' hash and the
// statements must stay while two versions run side by side (decision 35, `SharedLimitTests`, `StatementCostTests`).
extension PostgreSQLStore: AttemptLedger {
    /// See ``AttemptLedger/take(_:)``.
    package func take(_ units: [AttemptUnit]) async throws(SharingError) -> Duration? {
        let answer = try await count(
            LimitTables.attempt,
            [
                Self.keys(units), .ints(units.map { Int64($0.limit.burst) }), Self.steps(units),
            ]
        )
        guard let wait = answer.rows.first?.int(0) else { throw .storeFailed }
        return wait > 0 ? .milliseconds(wait) : nil
    }

    /// See ``AttemptLedger/giveBack(_:)``.
    package func giveBack(_ units: [AttemptUnit]) async {
        _ = try? await count(LimitTables.attemptBack, [Self.keys(units), Self.steps(units)])
    }

    /// The buckets' keys: hashes, so that the table has no login and no address in clear.
    private static func keys(_ units: [AttemptUnit]) -> Parameter {
        .byteArrays(units.map { Array(SHA256.hash(data: Array($0.name.utf8)).prefix(16)) })
    }

    private static func steps(_ units: [AttemptUnit]) -> Parameter {
        .ints(units.map { max(1, Int64($0.limit.interval / .milliseconds(1))) })
    }
}

extension PostgreSQLStore {
    /// Records a nonce of a signed request.
    ///
    /// - Parameters:
    ///   - mark: The hash of the key and the nonce.
    ///   - until: When a request with the nonce expires.
    /// - Returns: Whether it is the first use, on any server.
    /// - Throws: `unavailable`; the nonce may then have been used up.
    package func useNonce(_ mark: [UInt8], until: Timestamp) async throws(SharingError) -> Bool {
        try await count(LimitTables.nonce, [.bytes(mark), .int(until.milliseconds)]).affected == 1
    }

    /// Reserves the next turn under a name, of which all servers together get at most one in each `interval`.
    ///
    /// - Returns: The time until the turn; `nil`, with no turn reserved, if this would be longer than `patience`.
    /// - Throws: `unavailable`.
    package func takeTurn(_ name: String, every interval: Duration, patience: Duration)
        async throws(SharingError) -> Duration?
    {
        let step = max(1, Int64(interval / .milliseconds(1)))
        let longest = Int64(patience / .milliseconds(1))
        let answer = try await count(LimitTables.turn, [.text(name), .int(step), .int(longest)])
        return answer.rows.first.map { .milliseconds(max(0, $0.int(0))) }
    }

    /// Returns the credentials among these that are good, each with its account's version.
    ///
    /// - Throws: `unavailable`.
    package func versions(of credentials: [SecretHash]) async throws(SharingError) -> [SecretHash: Int64] {
        var versions: [SecretHash: Int64] = [:]
        for row in try await read(LimitTables.goodCredentials, [.byteArrays(credentials.map(\.bytes))]) {
            if let secret = SecretHash(row.bytes(0)) { versions[secret] = row.int(1) }
        }
        return versions
    }

    /// Asks for the database's time.
    ///
    /// - Throws: `unavailable`.
    package func clockSample() async throws(SharingError) -> ClockSample {
        let sent = ContinuousClock.now
        let answer = try await count(LimitTables.time)
        let received = ContinuousClock.now
        guard let time = answer.rows.first?.int(0) else { throw .storeFailed }
        return ClockSample(sent: sent, time: Timestamp(milliseconds: time), received: received)
    }

    /// Removes full buckets and expired nonces.
    func trimLimits() async throws(SharingError) {
        for statement in LimitTables.trimming { try await run(statement) }
    }

    /// Runs a statement that is a transaction by itself, once: if the connection is lost, the call fails without a
    /// repetition.
    private func count(_ statement: Statement, _ parameters: [Parameter] = []) async throws(SharingError)
        -> Unit.Answer
    {
        do throws(LinkFailure) {
            return try await counting.run(statement, parameters)
        } catch {
            throw refusal(of: error, in: statement.name)
        }
    }
}
#endif
