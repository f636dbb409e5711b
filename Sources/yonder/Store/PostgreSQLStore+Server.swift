import Logging

#if Postgres
import YonderGeodesy
import YonderHub
import YonderLibPQ
import YonderModel
import YonderRules
import YonderPostgreSQL

// The store over PostgreSQL as the server uses it; left out of a program that is built without the trait `Postgres`,
// whose `openDatabase` refuses with a sentence. An address that can't be used, or a database that another server claims,
// ends the start with a ``CommandFailure``. That a single server claims the database for itself, and nodes share it,
// must stay: two servers without a bus would each miss the other's messages (`DatabaseClaim`, decision 30).

extension PostgreSQLStore: ServerStore {
    var log: (any CommitLog)? { self }

    var shared: SharedLimits? {
        SharedLimits(
            time: { () throws(SharingError) in try await self.clockSample() },
            attempts: self,
            nonces: { mark, until throws(SharingError) in try await self.useNonce(mark, until: until) },
            turns: { host, interval, patience throws(SharingError) in
                try await self.takeTurn("geocoder \(host)", every: interval, patience: patience)
            },
            versions: { credentials throws(SharingError) in try await self.versions(of: credentials) }
        )
    }

    var objectLog: (any ObjectLog)? { self }

    func keepUp() async { await maintain { .now } }

    func end() async throws { await close() }
}

extension StorePlace {
    static func openDatabase(_ address: String, for use: StoreUse, logger: Logger) async throws
        -> any ServerStore
    {
        do throws(PostgreSQLError) {
            return try await PostgreSQLStore.open(
                try PostgreSQLAddress(address),
                for: use.ofDatabase,
                logger: logger
            )
        } catch {
            throw CommandFailure("store: \(error.message)")
        }
    }
}

extension StoreUse {
    fileprivate var ofDatabase: PostgreSQLStore.Use {
        switch self {
        case .alone: .alone
        case .node: .node
        case .guest: .guest
        }
    }
}
#else
extension StorePlace {
    static func openDatabase(_ address: String, for use: StoreUse, logger: Logger) async throws
        -> any ServerStore
    {
        throw CommandFailure(
            "store: this program was built without PostgreSQL; build it with: Scripts/build --traits Postgres"
        )
    }
}
#endif
