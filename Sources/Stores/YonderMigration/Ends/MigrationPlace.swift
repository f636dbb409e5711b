#if Postgres
import YonderLibPQ
#endif

/// The source or the target of a migration as an operator writes it: a folder, or the address of a database.
///
/// `MigrateCommand` makes two of its arguments and opens them. A failure is a ``MigrationError``, whose message the
/// command prints. A program that is built without the trait `Postgres` refuses addresses with `withoutPostgreSQL`.
/// Passwords stand in no message (`MigrationTests`).
///
/// The two beginnings of an address must stay, as operators write them.
package enum MigrationPlace: Hashable, Sendable {
    /// A data folder.
    case folder(String)
    /// The address of a PostgreSQL database; never printed, because it may have a password.
    case database(String)

    /// Reads a name: one that begins with `postgres://` or `postgresql://` is a database's address, any other a folder.
    package init(_ name: String) {
        let isAddress = name.hasPrefix("postgres://") || name.hasPrefix("postgresql://")
        self = isAddress ? .database(name) : .folder(name)
    }

    /// Opens the place as a source.
    ///
    /// - Throws: ``MigrationError`` with code `noSource`, `inUse`, `notEmpty`, `failed` or `withoutPostgreSQL`.
    package func source() async throws(MigrationError) -> any MigrationEnd {
        switch self {
        case .folder(let folder): try await FolderEnd.source(folder)
        case .database(let address): try await Self.database(address, isTarget: false)
        }
    }

    /// Opens the place as a target; makes a folder that doesn't exist.
    ///
    /// - Throws: ``MigrationError`` with code `inUse`, `notEmpty`, `failed` or `withoutPostgreSQL`.
    package func target() async throws(MigrationError) -> any MigrationEnd {
        switch self {
        case .folder(let folder): try FolderEnd.target(folder)
        case .database(let address): try await Self.database(address, isTarget: true)
        }
    }
}

#if Postgres
extension MigrationPlace {
    private static func database(_ address: String, isTarget: Bool) async throws(MigrationError)
        -> any MigrationEnd
    {
        let read: PostgreSQLAddress
        do throws(PostgreSQLError) {
            read = try PostgreSQLAddress(address)
        } catch {
            throw MigrationError(.failed, error.message)
        }
        return isTarget ? try await DatabaseEnd.target(read) : try await DatabaseEnd.source(read)
    }
}
#else
extension MigrationPlace {
    private static func database(_ address: String, isTarget: Bool) async throws(MigrationError)
        -> any MigrationEnd
    {
        throw MigrationError(
            .withoutPostgreSQL,
            "This program was built without PostgreSQL; build it with: Scripts/build --traits Postgres"
        )
    }
}
#endif
