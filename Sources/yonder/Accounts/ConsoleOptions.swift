import ArgumentParser
import HTTPTypes
import Logging
import YonderAccounts
import YonderHub
import YonderMetrics
import YonderModel
import YonderRules
import YonderServer
import YonderSQLite
import YonderStorage
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The server that a command is for, by its data folder or its database; the server needn't run.
///
/// Every subcommand of `yonder user` and `yonder key` has these flags, and calls ``withConsole(_:)`` once. A folder that a
/// server has opened is asked over its control socket; else this process opens the store, and closes it at the end, also
/// after an error. Errors are ``CommandFailure``s with a sentence for the operator. A folder is used as its owner
/// (`FolderOwner`), so that no file belongs to root. Without a flag and a variable it is the installed service's
/// (`FoundPlace`).
///
/// Names of flags must stay, as scripts have them (`test_command_line.py`).
struct ConsoleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server's data folder. (default: that of the service that is installed)",
            valueName: "folder"
        )
    )
    var data: String?

    @Option(
        help: ArgumentHelp(
            """
            The servers' PostgreSQL database instead, as postgres://USER@HOST/DATABASE; with a password in it use \
            YONDER_STORE. Sessions that a command ends stay open on running servers until their connection breaks.
            """,
            valueName: "url"
        )
    )
    var store: String?

    /// Where the server keeps everything.
    private var found: FoundPlace {
        get throws {
            try FoundPlace(data: data, store: store, environment: ProcessInfo.processInfo.environment)
        }
    }

    /// How long a server that has the folder may take until it answers: it may have just been started.
    private static let patience = Duration.seconds(30)

    /// Runs `body` with the server that has opened the folder, or, if none has, with this program's own store.
    ///
    /// - Throws: ``CommandFailure``.
    func withConsole<Value>(_ body: (any Console) async throws -> Value) async throws -> Value {
        let found = try found
        found.announce()
        guard let data = found.place.folder else {
            let logger = Logger(label: "yonder") { _ in SwiftLogNoOpLogHandler() }
            return try await use(try await found.place.open(for: .guest, logger: logger), body)
        }
        guard FileManager.default.fileExists(atPath: data) else {
            throw CommandFailure(
                "\(found.source ?? "--data"): there is no folder \(data); yonder serve --data \(data) makes it."
            )
        }
        try FolderOwner.become(of: data)
        let end = ContinuousClock.now + Self.patience
        while true {
            if let store = try open(data) { return try await use(store, body) }
            let console = try await explained { () throws(SharingError) in try SocketConsole(folder: data) }
            if await console.isReachable() { return try await body(console) }
            guard ContinuousClock.now < end else {
                throw CommandFailure("\(data) is in use by a process that doesn't answer.")
            }
            try await ContinuousClock().sleep(for: .milliseconds(50))
        }
    }

    /// The store, or `nil` if another process has opened it.
    private func open(_ data: String) throws -> SQLiteStore? {
        do throws(StorageError) {
            return try SQLiteStore.open(folder: data)
        } catch  where error.code == .inUse {
            return nil
        } catch {
            throw CommandFailure(error.message)
        }
    }

    private func use<Value>(
        _ store: any ServerStore,
        _ body: (any Console) async throws -> Value
    ) async throws -> Value {
        let outcome: Result<Value, any Error>
        do {
            let console = try await explained { () throws(SharingError) in try await Self.console(store) }
            outcome = .success(try await body(console))
        } catch {
            outcome = .failure(error)
        }
        do {
            try await store.end()
        } catch let error as StorageError {
            // What was answered is on the disk, and its answer, as a token, can't be had again.
            StandardError.write("Warning: \(error.message)")
        }
        return try outcome.get()
    }

    private static func console(_ store: any ServerStore) async throws(SharingError) -> LocalConsole {
        let accounts = Accounts(
            store: store,
            passwords: PasswordHasher(memoryLimit: passwordMemory.limit),
            clock: ExpiryClock(notBefore: try await store.newestSignIn(), wall: { .now }),
            log: SignInLog(
                logger: Logger(label: "yonder") { _ in SwiftLogNoOpLogHandler() },
                uptime: { .now }
            )
        )
        let removal = Removal(accounts: accounts, chats: store, now: { .now })
        try await removal.finish()
        return LocalConsole(ConsoleAssembly(accounts: accounts, removal: removal, keys: store, now: { .now }))
    }

    /// The limit of a server that would run here with the same environment.
    ///
    /// A setting that a server would refuse counts as none.
    private static var passwordMemory: PasswordMemory {
        let reader = SettingsReader(environment: ProcessInfo.processInfo.environment)
        let setting = try? reader.integer("password-memory", nil, PasswordMemory.range)
        return PasswordMemory(setting: setting, of: .current)
    }

    /// The server's address for a link: the given one, else the origin of its settings, else the one that it wrote to the
    /// folder when it last started.
    ///
    /// Where none is known, says on standard error that the link leads to this machine alone.
    func base(_ given: String?) -> String {
        if let given { return given.hasSuffix("/") ? given : given + "/" }
        let found = try? found
        if let origin = found?.origin { return origin + "/" }
        if let data = found?.place.folder {
            let file = URL(fileURLWithPath: data).appendingPathComponent(Greeting.addressFile)
            if let address = try? String(contentsOf: file, encoding: .utf8) { return address }
        }
        StandardError.write(
            """
            The server's address isn't known here, so the link leads to this machine: give it, as in \
            --url https://map.example.org, or set YONDER_ORIGIN.
            """
        )
        return "http://localhost:8080/"
    }
}

extension Console {
    /// Sends a request, and reads its answer.
    ///
    /// - Throws: ``CommandFailure`` with what was refused.
    func ask<Answer: Decodable>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: (some Encodable)? = Nothing?.none,
        as answer: Answer.Type = Answer.self
    ) async throws -> Answer {
        let json = try body.map { [UInt8](try JSONEncoder().encode($0)) }
        let bytes = try await explained { () throws(SharingError) in try await send(method, path, json) }
        return try JSONDecoder().decode(Answer.self, from: Data(bytes))
    }

    /// Sends a request that is answered by nothing.
    ///
    /// - Throws: ``CommandFailure`` with what was refused.
    func tell(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: some Encodable = Nothing()
    ) async throws {
        let json = [UInt8](try JSONEncoder().encode(body))
        _ = try await explained { () throws(SharingError) in try await send(method, path, json) }
    }
}

/// A JSON object without members: the body of a request that has nothing to say, and the type of a missing one.
struct Nothing: Codable {}

/// Runs `body`, and turns a refusal into a ``CommandFailure`` with its message.
func explained<Value>(_ body: () async throws(SharingError) -> Value) async throws -> Value {
    do throws(SharingError) {
        return try await body()
    } catch {
        throw CommandFailure(error.message)
    }
}
