import YonderTables

/// The statements that bring PostgreSQL's tables from one version to the next; each noun's are in `SchemaSteps+NOUN.swift`, those
/// of both databases in `NounLists.swift`.
///
/// ``Schema`` runs the missing steps when a store is opened, each in a transaction; SQLite's counterpart is
/// `SQLiteStore+Migrations.swift`. A step must leave a database that the program of the release before can use, as it may
/// run beside, or raise `least` in ``Schema``: columns come with defaults, a function that changes gets a new name, and a
/// renamed column takes two releases (decision 41).
enum SchemaSteps {
    /// The statements of each step: the first makes version 1 of an empty database.
    ///
    /// The steps of both databases come last. A step that a release had is never changed.
    static let all = own + TableStatement.steps.map { $0.map(\.postgreSQL) }

    /// The steps of before there were steps of both databases: none is added.
    private static let own: [[String]] = [
        accounts + chats + shares + images + objects + limits,
        versions,
        events,
        blockedNames,
        positions,
        stays,
        erasures,
        ordering,
        unknownKeepings,
    ]
}
