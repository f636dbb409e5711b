import Foundation
import NIOCore
import Testing
import YonderModel

@testable import YonderLink

/// The links that run on this system, those of NIO.
///
/// Apple's follow the same events in `StreamEventsTests`.
@Suite(.timeLimit(.minutes(20))) struct LinkSuiteTests {
    /// What goes over a network.
    enum Kind: CaseIterable, Sendable {
        case stream
        case requests
    }

    /// Settings whose time-outs no test waits for, unless it says so.
    private static func settings(_ url: String, _ authority: String? = nil) throws -> NetworkSettings {
        var settings = try NetworkSettings(try ServerAddress(url), certificateAuthority: authority)
        settings.timeout = .hours(1)
        settings.silence = .hours(1)
        settings.deadline = .hours(1)
        return settings
    }

    /// What the server says first over a link, or why it says nothing.
    private static func first(_ kind: Kind, _ settings: NetworkSettings) async throws -> String {
        switch kind {
        case .stream:
            let link = try await WebSocketLink.connect(settings, .stream, [])
            return String(decoding: try await link.next().joined(), as: UTF8.self)
        case .requests:
            let answer = try await NetworkRequestLink(settings).answer(to: LinkRequest(.get, "/v1/session"))
            return answer.status == 200 ? String(decoding: answer.body, as: UTF8.self) : "\(answer.status)"
        }
    }

    private static func isLost(_ error: (any Error)?) -> Bool {
        switch error {
        case OpenFailure.closed(.lost)?, LinkClosure.lost?: true
        default: false
        }
    }

    /// Waits until a condition holds; the suite's time limit ends a wait that is in vain.
    private static func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test(arguments: Kind.allCases) func `an honest server is heard`(kind: Kind) async throws {
        try await HostileServer.running(.answers) { _, port in
            let said = try await Self.first(kind, Self.settings("http://127.0.0.1:\(port)"))
            #expect(said == "ok")
        }
    }

    @Test(arguments: Kind.allCases) func `nobody there is a lost connection`(kind: Kind) async throws {
        let port = try await HostileServer.running(.answers) { _, port in port }
        let error = await #expect(throws: (any Error).self) {
            try await Self.first(kind, Self.settings("http://127.0.0.1:\(port)"))
        }
        #expect(Self.isLost(error))
    }

    @Test func `a refusal is an answer to a request, and for a stream the question who is signed in`()
        async throws
    {
        try await HostileServer.running(.refuses) { server, port in
            let settings = try Self.settings("http://127.0.0.1:\(port)")
            #expect(try await Self.first(.requests, settings) == "503")
            await #expect(throws: OpenFailure.notUpgraded) { try await Self.first(.stream, settings) }
            let links = try Links(server: "http://127.0.0.1:\(port)", certificateAuthority: nil)
            let open = links.stream(as: try TokenIdentity("abc"))
            let error = await #expect(throws: LinkClosure.self) { try await open() }
            guard case .later(.seconds(7), _)? = error else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
            #expect(server.heads.count == 4)
        }
    }

    @Test func `a server that chose no subprotocol is no stream`() async throws {
        try await HostileServer.running(.upgradesToNothing) { _, port in
            let error = await #expect(throws: OpenFailure.self) {
                try await Self.first(.stream, Self.settings("http://127.0.0.1:\(port)"))
            }
            #expect(Self.isLost(error))
        }
    }

    @Test(arguments: Kind.allCases)
    func `a server is trusted by its certificate, for the name in it alone`(kind: Kind) async throws {
        let own = try await TestCertificate()
        try await HostileServer.running(.answers, own) { _, port in
            let said = try await Self.first(kind, Self.settings("https://localhost:\(port)", own.file))
            #expect(said == "ok")
            for (host, authority) in [("localhost", nil), ("127.0.0.1", own.file)] {
                let error = await #expect(throws: (any Error).self) {
                    try await Self.first(kind, Self.settings("https://\(host):\(port)", authority))
                }
                #expect(Self.isLost(error), "\(host)")
            }
        }
    }

    @Test(arguments: Kind.allCases) func `what breaks off in the middle was never said`(kind: Kind)
        async throws
    {
        try await HostileServer.running(.breaksOff) { _, port in
            let error = await #expect(throws: (any Error).self) {
                try await Self.first(kind, Self.settings("http://127.0.0.1:\(port)"))
            }
            #expect(Self.isLost(error))
        }
    }

    @Test(arguments: Kind.allCases, [HostileServer.Behavior.isSilent, .fallsSilent])
    func `a silent server is given up`(kind: Kind, behavior: HostileServer.Behavior) async throws {
        try await HostileServer.running(behavior) { server, port in
            var settings = try Self.settings("http://127.0.0.1:\(port)")
            settings.silence = .milliseconds(50)
            // Until the upgrade and the greeting a stream has a time-out of its own.
            if behavior == .isSilent { settings.timeout = .milliseconds(50) }
            let isHeard = kind == .stream && behavior == .fallsSilent
            let error = await #expect(throws: (any Error).self) {
                guard isHeard else { return _ = try await Self.first(kind, settings) }
                let link = try await WebSocketLink.connect(settings, .stream, [])
                #expect(try await link.next() == [Array("ok".utf8)])
                _ = try await link.next()
            }
            #expect(Self.isLost(error))
            guard isHeard else { return }
            // A ping first: 9 with the bit of a last fragment. The server may read it after the client gave up.
            while server.later.isEmpty {
                try Task.checkCancellation()
                await Task.yield()
            }
            #expect(server.later.first == 0x89)
        }
    }

    @Test func `a slow reader makes the server wait, and misses nothing`() async throws {
        let count = 30_000
        try await HostileServer.running(.sends(frames: count)) { server, port in
            let link = try await WebSocketLink.connect(
                Self.settings("http://127.0.0.1:\(port)"),
                .stream,
                []
            )
            // Nothing is read until the server can't send on: it was asked often enough, and for long enough on a busy machine, too.
            var (last, same, since) = (0, 0, ContinuousClock.now)
            while server.sent < count,
                same < 100 || since.duration(to: .now) < .milliseconds(200) || last < WebSocketFrames.capacity
            {
                let sent = server.sent
                if sent != last { (last, same, since) = (sent, 0, .now) }
                same += 1
                await Task.yield()
            }
            #expect(server.sent < count)
            var next = 0
            while next < count {
                for frame in try await link.next() {
                    #expect(frame.starts(with: "\(next) x".utf8))
                    next += 1
                }
            }
            link.close()
        }
    }

    @Test(arguments: Kind.allCases) func `a canceled task gives up a connection that isn't made`(kind: Kind)
        async throws
    {
        let listener = try FullListener()
        let settings = try Self.settings("http://127.0.0.1:\(listener.port)")
        let before = Self.halfOpen(to: listener.port)
        let task = Task { try await Self.first(kind, settings) }
        await Self.until { Self.halfOpen(to: listener.port) > before }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }

    /// The connections to a port of which only the first packet was sent, which has the state 2.
    private static func halfOpen(to port: Int) -> Int {
        // The kernel says that its size is 0, so it is read as a stream.
        let bytes = try? FileHandle(forReadingAtPath: "/proc/net/tcp")?.readToEnd()
        let table = String(decoding: (bytes ?? nil) ?? Data(), as: UTF8.self)
        let end = ":\(String(format: "%04X", port)) 02 "
        return table.split(separator: "\n").count { $0.contains(end) }
    }

    @Test(
        arguments: Kind.allCases,
        [("http", HostileServer.Behavior.isSilent), ("https", .isSilent), ("http", .fallsSilent)]
    )
    func `a canceled task gives up a silent server`(
        kind: Kind,
        server: (scheme: String, behavior: HostileServer.Behavior)
    )
        async throws
    {
        try await HostileServer.running(server.behavior) { running, port in
            let settings = try Self.settings("\(server.scheme)://localhost:\(port)")
            let task = Task {
                guard kind == .stream else { return _ = try await Self.first(kind, settings) }
                let link = try await WebSocketLink.connect(settings, .stream, [])
                while true { _ = try await link.next() }
            }
            // Over TLS the server hears no request.
            await Self.until { server.scheme == "https" ? running.connections > 0 : !running.heads.isEmpty }
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
        }
    }

    @Test(arguments: Kind.allCases) func `a task that is canceled already connects to nobody`(kind: Kind)
        async throws
    {
        try await HostileServer.running(.isSilent) { _, port in
            let settings = try Self.settings("http://127.0.0.1:\(port)")
            let task = Task {
                await Self.until { Task.isCancelled }
                return try await Self.first(kind, settings)
            }
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
        }
    }
}
