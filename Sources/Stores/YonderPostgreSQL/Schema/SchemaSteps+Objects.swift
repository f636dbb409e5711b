// The step of objects: entities, objects, references, lanes and notes of removals. `Schema` runs the steps that a
// database lacks, each once. A step that a release had is never changed; another form is another step, which only adds,
// as servers of two versions run side by side. `SQLiteStore+Migrations.swift` has the counterparts (decision 34,
// `PostgreSQLObjectTests`).

extension SchemaSteps {
    /// Entities and their objects.
    ///
    /// An entity's objects lie in 16 lanes, by their ids. A lane's row has the number of the newest change in it, and
    /// how many objects it has; a transaction that writes an object locks its lane first. So a lane's changes are
    /// numbered without gaps, a definition changes only while all 16 are locked, and the count is exact. An object has
    /// the number of its last change, and a row of `removed_object` that of a removal. Removals are forgotten after an
    /// hour; `lane.trimmed` is the highest number of a forgotten one. So a node that knows a lane up to some number
    /// reads all changes after this number, or notices that removals among them are forgotten.
    ///
    /// `object.number` is the order of creation, in which objects are listed.
    static let objects = [
        """
        CREATE TABLE entity (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE,
            readers text COLLATE "C" NOT NULL, fields bytea NOT NULL, created bigint NOT NULL,
            updated bigint NOT NULL, version bigint NOT NULL DEFAULT 1
        )
        """,
        "CREATE TABLE removed_entity (number bigint PRIMARY KEY)",
        """
        CREATE TABLE lane (
            entity bigint NOT NULL, lane bigint NOT NULL, last bigint NOT NULL DEFAULT 0,
            count bigint NOT NULL DEFAULT 0, trimmed bigint NOT NULL DEFAULT 0, PRIMARY KEY (entity, lane)
        ) WITH (fillfactor = 50)
        """,
        """
        CREATE TABLE object (
            id bigint PRIMARY KEY, number bigint GENERATED ALWAYS AS IDENTITY, entity bigint NOT NULL,
            change bigint NOT NULL, created bigint NOT NULL, updated bigint NOT NULL, latitude integer,
            longitude integer, fields bytea NOT NULL
        )
        """,
        "CREATE UNIQUE INDEX object_by_number ON object (entity, number)",
        // `id % 16` is the object's lane, as in `ObjectLane`.
        "CREATE INDEX object_by_change ON object (entity, (id % 16), change)",
        "CREATE INDEX object_by_place ON object (number) WHERE latitude IS NOT NULL",
        """
        CREATE TABLE removed_object (
            entity bigint NOT NULL, lane bigint NOT NULL, change bigint NOT NULL, id bigint NOT NULL,
            time timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (entity, lane, change)
        )
        """,
        "CREATE INDEX removed_object_by_time ON removed_object (time)",
        "CREATE TABLE reference (target bigint NOT NULL, source bigint NOT NULL, PRIMARY KEY (target, source))",
        "CREATE INDEX reference_by_source ON reference (source)",
    ]
}
