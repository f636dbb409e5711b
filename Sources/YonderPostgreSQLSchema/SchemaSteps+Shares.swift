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

    /// Positions that were sent before their share was started weren't erased with it: each erasing begins once more, at the first.
    ///
    /// Programs of version 1 can use the database, too.
    static let erasures = [
        "UPDATE share SET after = 0, is_erased = false WHERE keeping = 'expiring' OR ended IS NULL"
    ]
}
