import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOPosix
import Testing
import YonderAccounts
import YonderModel
import YonderRules

@testable import YonderServer

/// The command line and a running server.
@Suite struct ConsoleTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "yonder-\(UInt64.random(in: 0 ... .max))"
    )

    /// Runs a console's service in a folder, and `body` once it answers.
    private func running(
        in folder: String,
        limits: ConsoleService.Limits = ConsoleService.Limits(),
        _ body: @Sendable @escaping (SocketConsole) async throws -> Void
    ) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: self.folder) }
        let server = try await TestServer()
        _ = try await server.assembly.accounts.create(
            Profile(name: "Owner"),
            isOperator: true,
            under: .server
        )
        let service = ConsoleService(
            server.assembly.console,
            folder: folder,
            group: MultiThreadedEventLoopGroup.singleton,
            limits: limits,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let console = try SocketConsole(folder: folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await service.run() }
            while await !console.isReachable() { await Task.yield() }
            try await body(console)
            group.cancelAll()
        }
    }

    private static func users(_ console: some Console) async throws -> [[String: Any]] {
        let bytes = try await console.send(.get, "/v1/users", nil)
        let page = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        let accounts = page?["users"] as? [[String: Any]] ?? []
        return accounts.compactMap { $0["user"] as? [String: Any] }
    }

    private static func names(_ console: some Console) async throws -> [String] {
        try await users(console).compactMap { $0["name"] as? String }.sorted()
    }

    @Test
    func `a running server answers the command line as an operator, and its own user alone may connect`()
        async throws
    {
        try await running(in: folder.path) { [path = folder.path] console in
            #expect(try await Self.names(console) == ["Owner"])
            let added = try await console.send(.post, "/v1/users", Array(#"{"name":"Ada"}"#.utf8))
            #expect(String(decoding: added, as: UTF8.self).contains("#link="))
            #expect(try await Self.names(console) == ["Ada", "Owner"])
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "/control")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `the command line gets the server's refusals`() async throws {
        try await running(in: folder.path) { console in
            await #expect(throws: SharingError(.unknownUser, "No such user.")) {
                try await console.send(.delete, "/v1/users/17", Array("{}".utf8))
            }
            let id = try #require(try await Self.users(console).first?["id"] as? String)
            let error = await #expect(throws: SharingError.self) {
                try await console.send(.delete, "/v1/users/\(id)", Array("{}".utf8))
            }
            #expect(error?.code == .lastOperator)
        }
    }

    @Test func `only accounts and keys are looked after over the control socket`() async throws {
        try await running(in: folder.path) { console in
            for path in ["/v1/chats", "/v1/me", "/v1/objects/place", "/"] {
                let error = await #expect(throws: SharingError.self) {
                    try await console.send(.get, path, nil)
                }
                #expect(error?.code == .notFound)
            }
        }
    }

    /// Connects to a folder's control socket, and sends the beginning of a request, unless the connection is closed already.
    private static func begin(in folder: String) async throws -> any Channel {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: folder + "/control").get()
        try? await channel.writeAndFlush(ByteBuffer(string: "GET /hea"))
        return channel
    }

    @Test
    func `connections to the control socket are bounded, and silent ones are closed for those that wait`()
        async throws
    {
        let limits = ConsoleService.Limits(connections: 2, silence: .seconds(3))
        try await running(in: folder.path, limits: limits) { [path = folder.path] console in
            var silent: [any Channel] = []
            for _ in 0..<4 { silent.append(try await Self.begin(in: path)) }
            #expect(try await Self.names(console) == ["Owner"], "the command line gets its turn")
            #expect(silent.contains { !$0.isActive }, "and not before one of the connections is closed")
            for channel in silent { try await channel.closeFuture.get() }
        }
    }

    @Test func `a socket that a killed server left hinders no start`() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let address = try SocketAddress(unixDomainSocketPath: folder.path + "/control")
        #expect(address.withSockAddr { bind(left, $0, socklen_t($1)) } == 0)
        close(left)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/control"))
        let console = try SocketConsole(folder: folder.path)
        #expect(await !console.isReachable())
        try await running(in: folder.path) { console in
            let names = try await Self.names(console)
            #expect(names == ["Owner"])
        }
    }

    @Test func `a folder is reached however long its path is`() async throws {
        let long = folder.appendingPathComponent(String(repeating: "a", count: 120))
            .appendingPathComponent(String(repeating: "b", count: 120)).path
        try await running(in: long) { console in
            let names = try await Self.names(console)
            #expect(names == ["Owner"])
            #expect(FileManager.default.fileExists(atPath: long + "/control"))
        }
    }

    @Test func `while no server runs the command line answers itself the same`() async throws {
        let server = try await TestServer()
        _ = try await server.assembly.accounts.create(
            Profile(name: "Owner"),
            isOperator: true,
            under: .server
        )
        let console = LocalConsole(server.assembly.console)
        #expect(try await Self.names(console) == ["Owner"])
        _ = try await console.send(.post, "/v1/users", Array(#"{"name":"Ada"}"#.utf8))
        #expect(try await Self.names(console) == ["Ada", "Owner"])
        await #expect(throws: SharingError(.unknownUser, "No such user.")) {
            try await console.send(.delete, "/v1/users/17", Array("{}".utf8))
        }
        await #expect(throws: SharingError(.missingField, "name is missing.")) {
            try await console.send(.post, "/v1/users", Array("{}".utf8))
        }
    }
}
