#if Postgres
import YonderLibPQ

/// The tables `attempt`, `nonce` and `pace`: limits that the servers of one database count together.
///
/// `PostgreSQLStore+Limits.swift` runs them: what counts on the connection for counting, which no long transaction holds up,
/// the credentials on a reader, ``trimming`` with the store's upkeep. A statement that isn't answered throws `unavailable`;
/// the caller of a limit then refuses the attempt. Each statement is a transaction by itself, and uses the database's clock.
///
/// How much is allowed is decided by the callers, which pass bursts and steps; times are milliseconds since 1970. Servers of
/// other versions count in the same tables, so the meaning of a column must stay (decision 35, `SharedLimitTests`).
enum LimitTables {
    /// Takes the units of an attempt from the buckets with the keys `$1`, or takes none.
    ///
    /// Returns 0 if it took them, else the milliseconds to wait before the next try. A schema step defines `attempt_v1`;
    /// servers of an earlier version call it, too, so a change needs a new name.
    static let attempt = Statement(name: "attempt", sql: "SELECT attempt_v1($1, $2, $3)")

    /// Gives units back: bucket `$1[i]` is full `$2[i]` milliseconds earlier.
    ///
    /// The rows are locked in the order of their keys, so that two servers don't wait for each other.
    static let attemptBack = Statement(
        name: "attempt_back",
        sql: """
            WITH known AS MATERIALIZED (SELECT key FROM attempt WHERE key = ANY ($1) ORDER BY key FOR UPDATE)
            UPDATE attempt SET full_at = full_at - step FROM unnest($1::bytea[], $2::bigint[]) AS u (name, step)
            WHERE attempt.key = u.name AND attempt.key IN (SELECT key FROM known)
            """
    )

    /// Notes the mark `$1` of a signed request, which is used until `$2`.
    ///
    /// It changes one row for a new mark, and none for one that was used before: that request must be refused.
    static let nonce = Statement(
        name: "use_nonce",
        sql: "INSERT INTO nonce (mark, until) VALUES ($1, $2) ON CONFLICT DO NOTHING"
    )

    /// Reserves the next turn of `$1`, one in `$2` milliseconds.
    ///
    /// Returns the milliseconds until the turn, or no row if these are more than `$3`.
    static let turn = Statement(
        name: "take_turn",
        sql: """
            WITH clock AS MATERIALIZED (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now)
            INSERT INTO pace AS p (name, next_at) SELECT $1, now + $2 FROM clock
            ON CONFLICT (name) DO UPDATE SET next_at = greatest(p.next_at, excluded.next_at - $2) + $2
            WHERE p.next_at - (excluded.next_at - $2) <= $3
            RETURNING p.next_at - $2 - (SELECT now FROM clock)
            """
    )

    /// Removes full buckets, and nonces whose requests expired ten minutes ago.
    ///
    /// The ten minutes allow for servers whose clock is behind the database's.
    static let trimming = [
        Statement(
            name: "trim_attempts",
            sql: "DELETE FROM attempt WHERE full_at < extract(epoch FROM clock_timestamp()) * 1000"
        ),
        Statement(
            name: "trim_nonces",
            sql: "DELETE FROM nonce WHERE until < extract(epoch FROM clock_timestamp()) * 1000 - 600000"
        ),
    ]

    /// Selects, among the given credentials, those that are good, each with its account's version.
    static let goodCredentials = Statement(
        name: "good_credentials",
        sql: """
            SELECT secret, version FROM credential JOIN account ON account.id = person
            WHERE secret = ANY($1::bytea[]) AND NOT is_disabled
            """
    )

    /// The database's time, in milliseconds since 1970.
    static let time = Statement(
        name: "time",
        sql: "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    )
}
#endif
