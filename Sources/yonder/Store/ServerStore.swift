import Logging
import NIOPosix
import YonderBus
import YonderModel
import YonderSQLite
import YonderStorage

/// Everything that a server keeps, in one store.
protocol ServerStore: ChatStore, AccountStore, KeyStore, ImageStore, ObjectStore {
    /// Reads what other servers over the same store committed; `nil` for a store that one server has for itself.
    var log: (any CommitLog)? { get }

    /// Whether it can be read and written now.
    func isHealthy() async -> Bool

    /// Recovers and erases, until cancelled.
    func keepUp() async

    /// Writes what is queued and closes the store.
    func end() async throws
}

extension SQLiteStore: ServerStore {
    var log: (any CommitLog)? { nil }

    func keepUp() async { await maintain() }

    func end() async throws {
        try await NIOThreadPool.singleton.runIfActive { try self.close() }
    }
}

extension StorePlace {
    /// Opens the store for a server.
    ///
    /// - Parameters:
    ///   - isShared: Whether other servers may have it open, too.
    ///   - logger: Receives what an operator should know.
    /// - Returns: The open store.
    /// - Throws: ``CommandFailure``.
    func open(isShared: Bool, logger: Logger) async throws -> any ServerStore {
        switch self {
        case .folder(let path):
            let log = StoreLog(logger: logger)
            do throws(StorageError) {
                return try SQLiteStore.open(folder: path) { log.report($0) }
            } catch {
                throw CommandFailure(error.message)
            }
        case .database(let address):
            return try await Self.openDatabase(address, isShared: isShared, logger: logger)
        }
    }
}
