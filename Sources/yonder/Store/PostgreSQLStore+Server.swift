import Logging

#if Postgres
import YonderBus
import YonderLibPQ
import YonderPostgreSQL

extension PostgreSQLStore: ServerStore {
    var log: (any CommitLog)? { self }

    func keepUp() async { await maintain() }

    func end() async throws { await close() }
}

extension StorePlace {
    static func openDatabase(_ address: String, isShared: Bool, logger: Logger) async throws
        -> any ServerStore
    {
        do throws(PostgreSQLError) {
            return try await PostgreSQLStore.open(
                try PostgreSQLAddress(address),
                isShared: isShared,
                logger: logger
            )
        } catch {
            throw CommandFailure("store: \(error.message)")
        }
    }
}
#else
extension StorePlace {
    static func openDatabase(_ address: String, isShared: Bool, logger: Logger) async throws
        -> any ServerStore
    {
        throw CommandFailure(
            "store: this program was built without PostgreSQL; build it with: swift build --traits Postgres"
        )
    }
}
#endif
