import NIOCore
import NIOPosix
import Testing
import YonderGeodesy
import YonderLocation

@testable import YonderReceivers

@Suite(.timeLimit(.minutes(20))) struct GpsdSourceTests {
    private let impatient = ReceiverTiming(
        connecting: .seconds(20),
        silence: .seconds(30),
        firstRetry: .milliseconds(20),
        lastRetry: .milliseconds(50)
    )

    private func source(_ server: ScriptedServer) throws -> GpsdSource {
        GpsdSource(try #require(GpsdAddress(host: "127.0.0.1", port: server.port)), timing: impatient)
    }

    private var place: Told {
        get throws { .place(try #require(try Place(gpsd: Array(GpsdLines.fix.utf8)))) }
    }

    @Test func `it tells what gpsd reports, stops for good and starts again`() async throws {
        let server = try await ScriptedServer()
        let source = try source(server)
        let told = ToldEvents(source)
        #expect(source.authorization == .notDetermined)

        for _ in 0..<3 {
            source.start()
            let peer = try #require(await server.accept())
            peer.say(GpsdLines.version)
            #expect(await peer.hear(GpsdLines.request))
            peer.say(GpsdLines.devices, GpsdLines.watch, GpsdLines.fix)
            await told.wait(for: try place)
            #expect(source.authorization == .always)
            #expect(await source.areServicesEnabled())

            source.stop()
            #expect(await peer.hear(GpsdLines.farewell))
            await peer.hangUp()
        }
        await server.close()
    }

    @Test func `it survives lines cut anywhere, garbage and huge lines`() async throws {
        let server = try await ScriptedServer()
        let source = try source(server)
        let told = ToldEvents(source)
        source.start()
        let peer = try #require(await server.accept())
        peer.say(GpsdLines.version)
        #expect(await peer.hear(GpsdLines.request))

        for byte in (GpsdLines.devices + "\r\n" + GpsdLines.noFix + "\r\n").utf8 { peer.send([byte]) }
        await told.wait(for: .noFix)
        peer.say("garbage", "{\"class\":\"TPV\",", "\u{0}")
        peer.send([UInt8](repeating: 0xFF, count: 3_000_000))
        peer.say("", GpsdLines.fix)
        await told.wait(for: try place)

        #expect(told.all == [.authorization(.always), .noFix, try place])
        source.stop()
        await server.close()
    }

    @Test func `it comes back by itself whenever the daemon hangs up`() async throws {
        let server = try await ScriptedServer()
        let source = try source(server)
        let told = ToldEvents(source)
        source.start()

        // At once, amid the greeting, after it, amid the answer, and after a position.
        let talk = GpsdLines.version + "\r\n" + GpsdLines.devices + "\r\n" + GpsdLines.fix + "\r\n"
        for count in [0, 10, GpsdLines.version.utf8.count + 2, 120, talk.utf8.count] {
            let peer = try #require(await server.accept())
            peer.send(Array(talk.utf8.prefix(count)))
            peer.close()
            await told.wait(for: .failure(.sourceLost))
        }
        let peer = try #require(await server.accept())
        peer.say(GpsdLines.version, GpsdLines.devices, GpsdLines.fix)
        await told.wait(for: try place)

        #expect(source.authorization == .always)
        source.stop()
        await server.close()
    }

    @Test func `it waits for a daemon that isn't there yet`() async throws {
        let socket = try LoopbackSocket()
        let source = GpsdSource(
            try #require(GpsdAddress(host: "127.0.0.1", port: socket.port)),
            timing: impatient
        )
        let told = ToldEvents(source)
        #expect(await !source.areServicesEnabled())

        source.start()
        await told.wait(for: .failure(.sourceLost))
        let server = try await ScriptedServer(socket)
        let peer = try #require(await server.accept())
        peer.say(GpsdLines.version, GpsdLines.devices, GpsdLines.fix)
        await told.wait(for: try place)

        source.stop()
        await server.close()
    }

    @Test func `a device that goes and comes back is told`() async throws {
        let server = try await ScriptedServer()
        let source = try source(server)
        let told = ToldEvents(source)
        source.start()
        let peer = try #require(await server.accept())
        peer.say(GpsdLines.version, GpsdLines.devices, GpsdLines.fix)
        await told.wait(for: try place)

        peer.say(GpsdLines.gone)
        await told.wait(for: .failure(.sourceLost))
        #expect(source.authorization == .notDetermined)
        peer.say(GpsdLines.found, GpsdLines.fix)
        await told.wait(for: try place)
        #expect(source.authorization == .always)

        source.stop()
        await server.close()
    }

    @Test func `silence is told, and then ended by hanging up`() async throws {
        // Greets whoever connects, and then says nothing, whatever it is asked.
        let silent = StagedReceiver.Manner(greeting: GpsdLines.version + "\r\n" + GpsdLines.devices + "\r\n")
        { _, _ in
            ""
        }
        let daemon = try await StagedReceiver(silent)
        var timing = impatient
        timing.silence = .milliseconds(200)
        let source = GpsdSource(
            try #require(GpsdAddress(host: "127.0.0.1", port: daemon.port)),
            timing: timing
        )
        let told = ToldEvents(source)
        source.start()

        // A slow machine may miss a greeting, and connects again.
        await told.wait(for: .failure(.positionUnavailable))
        await told.wait(for: .failure(.sourceLost))
        await told.wait(for: .authorization(.always))
        source.stop()
    }

    @Test func `somebody else is told apart from gpsd`() async throws {
        let server = try await ScriptedServer()
        let source = try source(server)
        let told = ToldEvents(source)
        source.start()
        let peer = try #require(await server.accept())
        peer.say("220 mail.example ESMTP")
        await told.wait(for: .failure(.sourceUnreadable))
        await peer.hangUp()
        #expect(source.authorization == .notDetermined)

        source.stop()
        await server.close()
    }

    @Test func `asking for permission connects for as long as it takes`() async throws {
        let server = try await ScriptedServer()
        let source = try source(server)
        let told = ToldEvents(source)
        source.requestAuthorization(.always)
        let peer = try #require(await server.accept())
        peer.say(GpsdLines.version, GpsdLines.devices, GpsdLines.fix)
        await told.wait(for: .authorization(.always))
        await peer.hangUp()

        #expect(told.all == [.authorization(.always)])
        await server.close()
    }

    @Test func `a source that nobody keeps hangs up`() async throws {
        let server = try await ScriptedServer()
        var source: GpsdSource? = try source(server)
        source?.start()
        let peer = try #require(await server.accept())
        source = nil
        await peer.hangUp()
        await server.close()
    }

    @Test func `a service over it gives one position and powers it down`() async throws {
        let server = try await ScriptedServer()
        let service = LocationProvider(source: try source(server))
        async let position = service.position(PositionRequest(timeout: .seconds(50)))
        let peer = try #require(await server.accept())
        peer.say(GpsdLines.version, GpsdLines.devices, GpsdLines.noFix, GpsdLines.fix)

        #expect(try await Told.place(Place(position)) == place)
        await peer.hangUp()
        await server.close()
    }
}
