import TestSupport
import Testing
import YonderBus

@testable import YonderNATS

/// Nodes over the program `nats-server`.
@Suite(.enabled(if: NATSServer.program != nil, "needs nats-server"))
struct NATSBusTests {
    /// One node's bus, and what it passes on.
    private struct Node {
        let bus: NATSBus
        let events = Recorder<BusEvent>()

        init(_ address: String, cluster: String = "test") throws {
            var settings = try #require(NATSSettings(try NATSAddress.list(address)))
            settings.timing.shortestBackoff = .milliseconds(5)
            settings.timing.longestBackoff = .milliseconds(100)
            settings.timing.greeting = .seconds(600)
            bus = try NATSBus(settings, cluster: cluster)
            let events = events
            bus.start { events.record($0) }
        }

        var frames: [[UInt8]] {
            events.values.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
        }

        func heard(_ count: Int) async {
            await events.wait { $0.count { if case .frame = $0 { true } else { false } } >= count }
        }

        /// How often it was connected.
        var connections: Int { events.values.count { $0 == .connected } }

        func connected(_ count: Int) async {
            await events.wait { $0.count { $0 == .connected } >= count }
        }
    }

    @Test func `nodes hear one another's frames in order, and not their own`() async throws {
        let server = try await NATSServer()
        let nodes = try (0..<3).map { _ in try Node(server.address) }
        for node in nodes { await node.connected(1) }

        for number in 0..<200 { nodes[0].bus.publish([0, UInt8(number), 13, 10]) }
        nodes[1].bus.publish(Array(repeating: 7, count: BusFrame.byteLimit))

        await nodes[1].heard(200)
        await nodes[2].heard(201)
        await nodes[0].heard(1)
        let expected = (0..<200).map { [0, UInt8($0), 13, 10] }
        #expect(nodes[1].frames == expected)
        #expect(nodes[2].frames.filter { $0.first == 0 } == expected)
        #expect(nodes[0].frames.map(\.count) == [BusFrame.byteLimit])
        #expect(nodes.allSatisfy { !$0.bus.isAlone })
        for node in nodes { await node.bus.close() }
    }

    @Test func `where NATS refuses the subject, the bus is away, whatever connection there is`() async throws
    {
        let server = try await NATSServer { _ in
            """
            authorization { users = [ { user: "node", password: "node", permissions: { publish: ">", subscribe: "y.other.>" } } ] }
            """
        }
        let node = try Node(server.address.replacing("nats://", with: "nats://node:node@"))
        await node.events.wait { $0.contains(.away) }
        #expect(node.events.values.last == .away)
        await node.bus.close()
    }

    @Test func `a cluster doesn't hear another one`() async throws {
        let server = try await NATSServer()
        let (one, same, other) = (
            try Node(server.address), try Node(server.address), try Node(server.address, cluster: "other")
        )
        for node in [one, same, other] { await node.connected(1) }
        // A frame is lost if a connection breaks meanwhile: then both are sent again.
        var connections = 0
        while same.frames.isEmpty {
            let now = [one, same].reduce(0) { $0 + $1.connections }
            if now > connections {
                connections = now
                other.bus.publish([1])
                one.bus.publish([2])
            }
            await Task.yield()
        }
        #expect(same.frames.allSatisfy { $0 == [2] })
        for node in [one, same, other] { await node.bus.close() }
    }

    @Test func `a killed server is away once, and connected again when it returns`() async throws {
        let server = try await NATSServer()
        let (one, other) = (try Node(server.address), try Node(server.address))
        for round in 1...2 {
            await one.connected(round)
            await other.connected(round)
            await server.kill()
            await one.events.wait { $0.count { $0 == .away } >= round }
            try server.start()
            await one.connected(round + 1)
            await other.connected(round + 1)
            one.bus.publish([UInt8(round)])
            await other.heard(round)
        }
        #expect(other.frames == [[1], [2]])
        await one.bus.close()
        await other.bus.close()
        let states = one.events.values.drop { $0 == .away }
        #expect(Array(states) == [.connected, .away, .connected, .away, .connected])
    }

    @Test(arguments: ["", "a.b", "*", ">", "a b", "é"])
    func `a cluster's name is one token of a subject`(name: String) throws {
        let settings = try #require(NATSSettings([try NATSAddress("nats://127.0.0.1")]))
        #expect { try NATSBus(settings, cluster: name) } throws: {
            ($0 as? NATSError)?.code == .invalidAddress
        }
    }
}
