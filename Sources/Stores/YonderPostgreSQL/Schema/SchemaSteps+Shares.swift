// The steps of shares. `Schema` runs those that a database lacks, each once. A step that a release had is never changed;
// `SQLiteStore+Migrations.swift` has the counterparts (decisions 18 and 30; `StoreRule+Shares.swift` holds both stores
// to the same answers).

extension SchemaSteps {
    /// Shares of positions.
    static let shares = [
        """
        CREATE TABLE share (
            id bigint PRIMARY KEY, chat bigint NOT NULL, person bigint NOT NULL, started bigint NOT NULL, until bigint,
            latitude double precision, longitude double precision, radius double precision, keeping text NOT NULL,
            shows_battery boolean NOT NULL, source bigint, after bigint NOT NULL, ended bigint, ending text,
            is_erased boolean NOT NULL
        )
        """,
        "CREATE INDEX share_by_chat ON share (chat)",
        """
        CREATE INDEX share_to_erase ON share (id)
        WHERE ended IS NOT NULL AND keeping = 'expiring' AND NOT is_erased
        """,
    ]

    /// Positions that were sent before their share was started weren't erased with it: of the last day's shares each
    /// erasing begins once more.
    ///
    /// Nodes that have such a chat in memory read it again, as its version is another.
    static let erasures = [
        """
        WITH share_again AS (
            UPDATE share SET after = 0, is_erased = false
            WHERE ended IS NULL OR keeping = 'expiring' AND ended > (extract(epoch FROM now()) - 86400) * 1000
            RETURNING chat
        )
        UPDATE chat SET version = version + 1 WHERE id IN (SELECT chat FROM share_again)
        """
    ]

    /// Shares with an unknown keeping expire, too.
    static let unknownKeepings = [
        "DROP INDEX share_to_erase",
        "CREATE INDEX share_to_erase ON share (id) WHERE ended IS NOT NULL AND keeping <> 'kept' AND NOT is_erased",
    ]
}
