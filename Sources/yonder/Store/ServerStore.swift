import Logging
import NIOPosix
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules
import YonderSQLite
import YonderStorage

/// Everything that a server keeps, in one store.
///
/// `ServerProcess` and `ConsoleOptions` open one by ``StorePlace``, run ``keepUp()`` and call ``end()`` last, after
/// everything that writes has ended. A store that can't be opened ends the program with its reason. `nil` of the three
/// optional parts means that this process is alone with its store: what nodes share is then counted and ordered in
/// memory. Another database conforms to this protocol, and passes the suite in `TestSupport/Stores`.
protocol ServerStore: ChatStore, NounStore, ObjectStore, CommitSource {
    /// Reads the commits of other servers over the same store; `nil` for a data folder.
    var log: (any CommitLog)? { get }

    /// Limits that the servers over the same store count together; `nil` for a data folder.
    var shared: SharedLimits? { get }

    /// Numbers changes of objects, and reads those of other servers; `nil` for a data folder.
    var objectLog: (any ObjectLog)? { get }

    /// Why it can't be read and written now, in words for anybody; `nil` if it can.
    func trouble() async -> String?

    /// Whether nothing is left of what earlier versions kept of erased content.
    var isCleared: Bool { get }

    /// Recovers and erases, until cancelled.
    func keepUp() async

    /// Writes what is queued and closes the store.
    func end() async throws
}

extension SQLiteStore: ServerStore {
    var log: (any CommitLog)? { nil }

    var shared: SharedLimits? { nil }

    var objectLog: (any ObjectLog)? { nil }

    func keepUp() async { await maintain { .now } }

    func end() async throws {
        try await NIOThreadPool.singleton.runIfActive { try self.close() }
    }
}

/// The other servers that may have a store open at the same time.
enum StoreUse {
    /// No other server.
    case alone
    /// The other servers of a cluster.
    case node
    /// Any servers: a command works beside them.
    case guest
}

extension StorePlace {
    /// Opens the store for a server.
    ///
    /// - Parameters:
    ///   - use: The other servers that may have the store open.
    ///   - memory: The bytes that this process may use, or `nil` if that isn't known.
    ///   - logger: Receives events for operators.
    /// - Returns: The open store.
    /// - Throws: ``CommandFailure``.
    func open(for use: StoreUse, memory: Int? = nil, logger: Logger) async throws -> any ServerStore {
        switch self {
        case .folder(let path):
            let log = StoreLog(logger: logger)
            do throws(StorageError) {
                return try SQLiteStore.open(folder: path, cacheLimit: SQLiteStore.cacheLimit(within: memory))
                {
                    log.report($0)
                }
            } catch {
                throw CommandFailure(error.message)
            }
        case .database(let address):
            return try await Self.openDatabase(address, for: use, logger: logger)
        }
    }
}
