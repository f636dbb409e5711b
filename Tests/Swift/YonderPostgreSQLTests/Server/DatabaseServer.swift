#if Postgres
import CLibPQ
import Foundation
import Synchronization
import TestSupport

/// A real PostgreSQL on a free port of 127.0.0.1, in a fresh folder that is removed with the process that started it.
///
/// Debian's binaries run without Debian's wrappers, and so beside any server that the machine has. As root they run as
/// the user `postgres`, because PostgreSQL refuses to run as root.
final class DatabaseServer: Sendable {
    /// Why the server couldn't be started.
    struct Failure: Error {
        let message: String
    }

    /// The folder of the newest installed server's programs, or `nil` if there is none.
    static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.compactMap(Int.init).sorted().reversed().map { "\(root)/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
    }()

    /// Starts the server, makes its files, and removes them: lives until its input ends, which happens when this process
    /// ends in whatever way.
    private static let script = """
        folder=$1 bin=$2 port=$3
        shift 3
        trap '' HUP INT TERM
        trap 'cd /; rm -rf "$folder"' EXIT
        fail() { cat "$folder/log" >&2; exit 1; }
        mkdir -m 700 "$folder" && cd "$folder" && touch log || exit 1
        [ $# -eq 0 ] || chown -R postgres "$folder"
        "$@" "$bin/initdb" --pgdata=data --username=yonder --auth=trust --no-sync --encoding=UTF8 --locale=C.UTF-8 \
            >log 2>&1 || fail
        cat >>data/postgresql.conf <<END
        listen_addresses = '127.0.0.1'
        port = $port
        unix_socket_directories = ''
        fsync = on
        shared_buffers = 32MB
        max_wal_size = 256MB
        max_connections = 300
        shared_preload_libraries = 'pg_stat_statements'
        pg_stat_statements.track = all
        pg_stat_statements.track_utility = off
        pg_stat_statements.max = 50000
        END
        "$@" "$bin/pg_ctl" --pgdata=data --log=log --wait --silent start >/dev/null || fail
        echo ready
        cat >/dev/null
        grep -E 'PANIC|was terminated by|No space left|idle-in-transaction' log >&2
        "$@" "$bin/pg_ctl" --pgdata=data --mode=immediate --silent stop
        """

    let port: Int
    let folder: String
    private let process: ChildProcess
    private let input: Pipe

    /// Starts a server and waits until it takes connections.
    ///
    /// - Throws: ``Failure``, or what the operating system says.
    init() throws {
        guard let programs = Self.programs else { throw Failure(message: "PostgreSQL isn't installed.") }
        let port = try Self.freePort()
        let folder = FileManager.default.temporaryDirectory.appending(path: "yonder-\(UUID().uuidString)")
            .path()
        let (input, output) = (Pipe(), Pipe())
        let asPostgres = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
        let process = try ChildProcess(
            ["/usr/bin/setsid", "--wait", "sh", "-c", Self.script, "sh", folder, programs, "\(port)"]
                + (geteuid() == 0 ? asPostgres : []),
            input: input.fileHandleForReading.fileDescriptor,
            output: output.fileHandleForWriting.fileDescriptor
        )
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
        // One line when it is ready, or the end of the output when it has failed and written why.
        guard output.fileHandleForReading.availableData.isEmpty == false else {
            throw Failure(message: "PostgreSQL didn't start; its log is above.")
        }
        (self.port, self.folder, self.process, self.input) = (port, folder, process, input)
    }

    /// Ends the server as the end of this process would, and waits until its folder is removed.
    func end() throws {
        try input.fileHandleForWriting.close()
        process.wait()
    }

    /// A port of the loopback address on which no program listens.
    private static func freePort() throws -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 ? getsockname(socket, address, &length) : -1
            }
        }
        guard result == 0 else { throw Failure(message: "No port is free: \(errno).") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// What a client of one of its databases connects with.
    func address(of database: String) -> String {
        "host=127.0.0.1 port=\(port) user=yonder dbname=\(database) sslmode=disable"
    }

    /// Runs SQL in a database, outside every store, and answers the first column of its rows as text.
    ///
    /// It has a thread of its own. Swift's are as few as the processors: while all of them wait for the server, no store sends
    /// anything, and the server ends their transactions after five seconds.
    @discardableResult
    func run(_ sql: String, in database: String = "postgres") async throws -> [String] {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "sql").async {
                continuation.resume(with: Result { try self.runHere(sql, in: database) })
            }
        }
    }

    private func runHere(_ sql: String, in database: String) throws -> [String] {
        let connection = PQconnectdb(address(of: database))
        defer { PQfinish(connection) }
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        let status = PQresultStatus(result)
        guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
            throw Failure(message: String(cString: PQerrorMessage(connection)))
        }
        return (0..<PQntuples(result)).map { String(cString: PQgetvalue(result, $0, 0)) }
    }
}
#endif
