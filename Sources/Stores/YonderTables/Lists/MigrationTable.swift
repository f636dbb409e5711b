/// A table that both databases have: its name, its columns, and the key by which its rows are read in order.
///
/// `MigrationTable+All.swift` lists every table; `Migration` reads pages of it from one end and writes them to the
/// other, by the SQL that ``MigrationEnd`` makes of it. A value, which checks nothing: a wrong name or type is an error
/// of the database when a migration runs. The order of the columns must begin with the key's, and a key must have an
/// index in both databases (`MigrationTests`). Pages may have another size.
package struct MigrationTable: Hashable, Sendable {
    /// The name, in both databases.
    package let name: String

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

    /// Describes a table.
    package init(
        _ name: String,
        key: [Column],
        _ others: [Column] = [],
        page: Int = 2_000,
        isDivided: Bool = false
    ) {
        self.name = name
        columns = key + others
        keyCount = key.count
        self.page = page
        self.isDivided = isDivided
    }

    /// The columns of the key.
    package var key: ArraySlice<Column> { columns.prefix(keyCount) }
}

/// A column: its name, its type, and SQL for its value in a database that doesn't store it.
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

    /// The name, in each database that stores it.
    package let name: String

    /// Whether SQLite stores it.
    package let isInFolder: Bool

    /// Whether PostgreSQL stores it.
    package let isInDatabase: Bool

    /// SQL for the value in SQLite.
    package let folderValue: String

    /// SQL for the value in PostgreSQL.
    package let databaseValue: String

    private init(
        _ kind: Kind,
        _ name: String,
        isInFolder: Bool = true,
        folderValue: String? = nil,
        databaseValue: String? = nil
    ) {
        self.kind = kind
        self.name = name
        self.isInFolder = isInFolder
        isInDatabase = databaseValue == nil
        self.folderValue = folderValue ?? name
        self.databaseValue = databaseValue ?? name
    }

    /// A number or a time.
    package static func int(_ name: String) -> Column { Column(.int, name) }

    /// A truth value.
    package static func bool(_ name: String) -> Column { Column(.bool, name) }

    /// A number with a fraction.
    package static func double(_ name: String) -> Column { Column(.double, name) }

    /// A text without zero bytes.
    package static func text(_ name: String) -> Column { Column(.text, name) }

    /// Bytes.
    package static func bytes(_ name: String) -> Column { Column(.bytes, name) }

    /// A number that SQLite computes, and stores as well if `isStored`.
    package static func computedInFolder(_ name: String, _ value: String, isStored: Bool) -> Column {
        Column(.int, name, isInFolder: isStored, folderValue: value)
    }

    /// A number that PostgreSQL computes from other tables.
    package static func computedInDatabase(_ name: String, _ value: String) -> Column {
        Column(.int, name, databaseValue: value)
    }
}
