// The lists in which a noun has its lines: the steps that make its tables, what goes with an account, and what is copied between databases.

extension TableStatement {
    /// The steps that both databases take, in this order, after those that each had of its own.
    ///
    /// Only append: a step that a release had is never changed, moved or removed. One that a database doesn't need is empty there.
    package static let steps = [Clearing.step, feeders]

    /// The sign-ins that feed a share.
    private static let feeders = [
        TableStatement(
            "ALTER TABLE share ADD COLUMN feeders bytea",
            sqlite: "ALTER TABLE share ADD COLUMN feeders BLOB"
        ),
        "CREATE INDEX share_by_person ON share (person, chat) WHERE ended IS NULL",
    ]
}

extension AccountTable {
    /// What goes with an account, whose id is `$1`.
    static let removals = [
        "DELETE FROM account WHERE id = $1", "DELETE FROM credential WHERE person = $1",
        "DELETE FROM invitation WHERE sender = $1",
        // Contacts are in the table both ways, with an index by the first alone in SQLite.
        "DELETE FROM contact WHERE (person, other) IN (SELECT other, person FROM contact WHERE person = $1)",
        "DELETE FROM contact WHERE person = $1",
        "DELETE FROM known_network WHERE person = $1", "DELETE FROM account_event WHERE person = $1",
        "DELETE FROM block WHERE person = $1 OR other = $1",
        // Its fingerprints are of subjects and people.
        "DELETE FROM started WHERE creator = $1",
        "INSERT INTO leaving (person) VALUES ($1) ON CONFLICT DO NOTHING",
    ].map { TableStatement($0) }
}

// Every table, in the order of copying: `Migration` copies and compares by these rows, `DatabaseEnd` and `FolderEnd` read
// and write the columns. A table of either schema that is neither here nor among those left out makes a test fail
// (`MigrationTests`). A column that a schema step adds is added here, too; one with different content in the two databases
// has an expression for each.
// The order must stay where one table refers to another; sizes of pages may be changed.
extension MigrationTable {
    /// The tables that are copied, in this order.
    package static let all = accounts + chats + objects

    /// Tables of SQLite that aren't copied.
    ///
    /// The rows of `recent` are moved to `message` when the source is opened. `conflict` stays in the folder for its
    /// operator. `clearing` begins anew in the target, as its rows may be of any version. `upkeep` has states of this folder, and `sqlite_sequence` is SQLite's own;
    /// ``MigrationEnd/complete(numbers:)`` copies its numbers.
    package static let leftInFolder: Set<String> = [
        "recent", "conflict", "upkeep", "clearing", "sqlite_sequence",
    ]

    /// Tables of PostgreSQL that aren't copied.
    ///
    /// `lane` and `location_last` are computed from other tables, `clearing` begins anew. `schema` has the version of this database.
    /// `done_call`, `removed_object` and the tables of limits (`attempt`, `nonce`, `pace`) are of use only to the
    /// servers that wrote them.
    package static let leftInDatabase: Set<String> = [
        "attempt", "nonce", "pace",
        "schema", "clearing", "lane", "location_last", "done_call", "removed_object",
    ]

    private static let accounts = [
        MigrationTable(
            "account",
            key: [.int("id")],
            [
                .text("name"), .text("email"), .text("avatar"), .text("login"), .text("password"),
                .bool("is_operator"), .bool("is_disabled"), .int("created"), .int("last_seen"),
                .bool("shows_reads"), .int("hue"), .int("version"),
            ]
        ),
        MigrationTable("contact", key: [person, .int("other")]),
        MigrationTable(
            "block",
            key: [person, .int("other")],
            [.text("own_name"), .int("own_hue"), .text("other_name"), .int("other_hue")]
        ),
        MigrationTable(
            "invitation",
            key: [.bytes("secret")],
            [.int("sender"), .int("created"), .int("expires")]
        ),
        MigrationTable(
            "credential",
            key: [.bytes("secret")],
            [
                .text("kind"), person, .text("label"), .text("network"), .int("created"), .int("expires"),
                .int("last_seen"),
            ]
        ),
        MigrationTable("known_network", key: [person, .text("network")], [.int("last_seen")]),
        MigrationTable(
            "account_event",
            key: [person, .int("time"), .text("change")],
            [.text("actor"), .text("network")]
        ),
        MigrationTable("leaving", key: [person]),
        MigrationTable(
            "signing_key",
            key: [.text("id")],
            [.text("secret"), .text("name"), .text("rights"), .int("created")]
        ),
        MigrationTable(
            "image",
            key: [.int("id")],
            [
                .int("owner"), .int("created"), .text("format"), .int("width"), .int("height"),
                .bytes("bytes"),
            ],
            page: 8
        ),
        MigrationTable("image_use", key: [.int("image"), .int("chat"), .int("number")]),
    ]

    private static let chats = [
        // Messages before chats: SQLite computes some of a chat from its messages.
        MigrationTable(
            "message",
            key: [.int("chat"), .int("number")],
            [
                .int("sender"), .text("tag"), .bytes("content"), .bytes("data"), .int("time"),
                .int("expires"), .bool("recalled"), .bytes("key"), .int("fingerprint"),
                .int("written"), .int("share"), .int("late"),
            ],
            page: 500,
            isDivided: true
        ),
        MigrationTable(
            "chat",
            key: [.int("id")],
            [
                .bool("one_to_one"), .text("subject"), .bool("subject_locked"),
                .text("positions"), .int("first"), .computedInFolder("last", last, isStored: false),
                .computedInFolder("written", written, isStored: true),
                .computedInFolder("active", active, isStored: true), .int("created"), .int("erased"),
                .int("version"), .int("step_back"),
            ]
        ),
        MigrationTable("pair", key: [.int("one"), .int("other")], [.int("chat")]),
        MigrationTable(
            "started",
            key: [.int("creator"), .bytes("key")],
            [.int("chat"), .int("fingerprint")]
        ),
        MigrationTable(
            "participant",
            key: [.int("chat"), person],
            [
                .int("place"), .text("role"), .int("color"), .bool("is_present"),
                .int("stays_out"), .text("left_subject"),
            ]
        ),
        MigrationTable("span", key: [.int("chat"), person, .int("first")], [.int("last")]),
        MigrationTable("reading", key: [.int("chat"), person], [.int("number"), .int("written")]),
        MigrationTable(
            "share",
            key: [.int("id")],
            [
                .int("chat"), person, .int("started"), .int("until"), .double("latitude"),
                .double("longitude"), .double("radius"), .text("keeping"),
                .bool("shows_battery"), .int("source"), .int("after"), .int("ended"),
                .text("ending"), .bool("is_erased"), .bytes("feeders"),
            ]
        ),
    ]

    private static let objects = [
        MigrationTable(
            "entity",
            key: [.int("number")],
            [
                .text("name"), .text("readers"), .bytes("fields"),
                .computedInDatabase("count", "(SELECT sum(count)::bigint FROM lane WHERE entity = number)"),
                .int("created"), .int("updated"),
            ]
        ),
        MigrationTable("removed_entity", key: [.int("number")]),
        MigrationTable(
            "object",
            key: [.int("id")],
            [
                .int("number"), .int("entity"), .int("created"), .int("updated"), .int("latitude"),
                .int("longitude"), .bytes("fields"),
            ],
            page: 500
        ),
        MigrationTable("reference", key: [.int("target"), .int("source")]),
    ]

    private static let person = Column.int("person")
}
