/// A table that both databases have: its names, its columns, and the key by which its rows are read in order.
package struct MigrationTable: Hashable, Sendable {
    /// The name in a folder's SQLite.
    package let folder: String

    /// The name in PostgreSQL.
    package let database: String

    /// The columns; those of the key come first.
    package let columns: [Column]

    /// The number of columns of the key.
    ///
    /// The key is unique, and both databases have an index by it.
    package let keyCount: Int

    /// The most rows of one read or write.
    package let page: Int

    /// Whether the comparison has a part for each value of the first column, as for the messages of a chat.
    package let isDivided: Bool

    /// Describes a table; `database` is `folder` by default.
    package init(
        _ folder: String,
        _ database: String? = nil,
        key: [Column],
        _ others: [Column] = [],
        page: Int = 2_000,
        isDivided: Bool = false
    ) {
        self.folder = folder
        self.database = database ?? folder
        columns = key + others
        keyCount = key.count
        self.page = page
        self.isDivided = isDivided
    }

    /// The columns of the key.
    package var key: ArraySlice<Column> { columns.prefix(keyCount) }

    /// The values of the key in a row of all columns.
    package func key(of row: [Cell]) -> [Cell] { Array(row.prefix(keyCount)) }
}

/// A column: its names, its type, and SQL for its value in a database that doesn't store it.
package struct Column: Hashable, Sendable {
    /// The types that both databases have.
    package enum Kind: Hashable, Sendable {
        case int
        /// `INTEGER` in SQLite, `boolean` in PostgreSQL.
        case bool
        case double
        case text
        case bytes
    }

    /// The type.
    package let kind: Kind

    /// The name in SQLite, or `nil` if SQLite doesn't store it.
    package let folder: String?

    /// The name in PostgreSQL, or `nil` if PostgreSQL doesn't store it.
    package let database: String?

    /// SQL for the value in SQLite.
    package let folderValue: String

    /// SQL for the value in PostgreSQL.
    package let databaseValue: String

    private init(
        _ kind: Kind,
        _ folder: String?,
        _ database: String?,
        folderValue: String? = nil,
        databaseValue: String? = nil
    ) {
        self.kind = kind
        self.folder = folder
        self.database = database
        self.folderValue = folderValue ?? folder ?? ""
        self.databaseValue = databaseValue ?? database ?? ""
    }

    /// A number or a time; the name in PostgreSQL is that in SQLite by default.
    package static func int(_ folder: String, _ database: String? = nil) -> Column {
        Column(.int, folder, database ?? folder)
    }

    /// A truth value.
    package static func bool(_ folder: String, _ database: String) -> Column {
        Column(.bool, folder, database)
    }

    /// A number with a fraction.
    package static func double(_ name: String) -> Column { Column(.double, name, name) }

    /// A text without zero bytes.
    package static func text(_ folder: String, _ database: String? = nil) -> Column {
        Column(.text, folder, database ?? folder)
    }

    /// Bytes.
    package static func bytes(_ name: String) -> Column { Column(.bytes, name, name) }

    /// A number that SQLite computes, and stores as well if `isStored`.
    package static func computedInFolder(_ name: String, _ value: String, isStored: Bool) -> Column {
        Column(.int, isStored ? name : nil, name, folderValue: value)
    }

    /// A number that PostgreSQL computes from other tables.
    package static func computedInDatabase(_ name: String, _ value: String) -> Column {
        Column(.int, name, nil, databaseValue: value)
    }
}
