/// The statements that bring PostgreSQL's tables from one version to the next.
enum SchemaSteps {
    /// The statements of each step: the first makes version 1 of an empty database.
    ///
    /// Add steps, never change one that a release had.
    static let all: [[String]] = [
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
