#if Postgres
import YonderLibPQ
#endif

/// A place as an operator names it: a folder, or the address of a database.
package enum MigrationPlace: Hashable, Sendable {
    /// A data folder.
    case folder(String)
    /// The address of a PostgreSQL database; it may have a password, so it is never printed.
    case database(String)

    /// Reads a name: what begins with `postgres://` or `postgresql://` is a database.
    package init(_ name: String) {
        let isAddress = name.hasPrefix("postgres://") || name.hasPrefix("postgresql://")
        self = isAddress ? .database(name) : .folder(name)
    }

    /// Opens it for reading everything.
    ///
    /// - Throws: ``MigrationError`` with code `noSource`, `inUse`, `failed` or `withoutPostgreSQL`.
    package func source() async throws(MigrationError) -> any MigrationEnd {
        switch self {
        case .folder(let folder): try await FolderEnd.source(folder)
        case .database(let address): try await Self.database(address, isTarget: false)
        }
    }

    /// Opens it, or makes it, for writing everything.
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
            "This program was built without PostgreSQL; build it with: swift build --traits Postgres"
        )
    }
}
#endif
