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
}
