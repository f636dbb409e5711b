// The steps of limits that all servers of a database count together: buckets, nonces and turns. `Schema` runs those that
// a database lacks. A step that a release had is never changed (decision 35, `SharedLimitTests`).

extension SchemaSteps {
    /// The tables of limits that the servers of one database count together.
    ///
    /// `full_at` is the time in milliseconds at which a bucket is full again. `attempt_v1` locks the buckets in the order of
    /// their keys, inserts those that are missing, and then uses a unit of each, or of none.
    static let limits = [
        "CREATE TABLE attempt (key bytea PRIMARY KEY, full_at bigint NOT NULL)",
        """
        CREATE FUNCTION attempt_v1(keys bytea[], bursts bigint[], steps bigint[]) RETURNS bigint
        LANGUAGE plpgsql SET enable_seqscan = off AS $$
        DECLARE moment bigint; wait bigint;
        BEGIN
            INSERT INTO attempt AS a (key, full_at) SELECT name, 0 FROM unnest(keys) AS u (name) ORDER BY name
                ON CONFLICT (key) DO UPDATE SET full_at = a.full_at;
            moment := extract(epoch FROM clock_timestamp()) * 1000;
            SELECT max(full_at - moment - (burst - 1) * step) INTO wait
                FROM unnest(keys, bursts, steps) AS u (name, burst, step) JOIN attempt ON key = name;
            IF wait > 0 THEN RETURN wait; END IF;
            UPDATE attempt SET full_at = greatest(full_at, moment) + step
                FROM unnest(keys, steps) AS u (name, step) WHERE key = name;
            RETURN 0;
        END $$
        """,
        "CREATE TABLE nonce (mark bytea PRIMARY KEY, until bigint NOT NULL)",
        "CREATE INDEX nonce_by_end ON nonce (until)",
        "CREATE TABLE pace (name text COLLATE \"C\" PRIMARY KEY, next_at bigint NOT NULL)",
    ]
}
