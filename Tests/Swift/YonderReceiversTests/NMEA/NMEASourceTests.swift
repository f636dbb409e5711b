import Foundation
import NIOCore
import NIOPosix
import Testing
import YonderGeodesy
import YonderLocation

@testable import YonderReceivers

@Suite(.timeLimit(.minutes(20))) struct NMEASourceTests {
    private let impatient = ReceiverTiming(
        connecting: .seconds(20),
        silence: .seconds(30),
        firstRetry: .milliseconds(20),
        lastRetry: .milliseconds(50)
    )

    @Test func `a serial line is read raw, at its speed, and let go of`() async throws {
        let line = try PseudoTerminal()
        try line.plug()
        let source = NMEASource(.device(path: line.path, .highSpeedNMEA), timing: impatient)
        let told = ToldEvents(source)
        #expect(source.authorization == .notDetermined)
        #expect(await source.areServicesEnabled())

        source.start()
        await told.wait(for: .authorization(.always))
        line.write("garbage\u{3}\u{4}$GPGGA,half\r\n" + NMEALines.fix + NMEALines.nextFix)
        await told.wait(NMEALines.isFirst)
        var settings = line.settings()
        #expect(cfgetispeed(&settings) == BaudRate.highSpeedNMEA.code)
        #expect(settings.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0)
        #expect(settings.c_cflag & tcflag_t(CSIZE) == tcflag_t(CS8))
        #expect(settings.c_cflag & tcflag_t(PARENB | CSTOPB) == 0)
        source.stop()
    }

    @Test func `a receiver that is pulled out is lost, and found when it is plugged in again`() async throws {
        let line = try PseudoTerminal()
        let source = NMEASource(.device(path: line.path, .nmea), timing: impatient)
        let told = ToldEvents(source)
        #expect(await !source.areServicesEnabled())

        source.start()
        await told.wait(for: .failure(.sourceLost))
        for _ in 0..<3 {
            try line.plug()
            await told.wait(for: .authorization(.always))
            line.write(NMEALines.fix + NMEALines.nextFix)
            await told.wait(NMEALines.isFirst)
            try line.unplug()
            await told.wait(for: .authorization(.notDetermined))
            await told.wait(for: .failure(.sourceLost))
        }
        #expect(source.authorization == .notDetermined)
        source.stop()
    }

    @Test func `a server of sentences is read, and connected to again when it closes`() async throws {
        let server = try await ScriptedServer()
        let source = NMEASource(.tcp(host: "127.0.0.1", port: server.port), timing: impatient)
        let told = ToldEvents(source)
        source.start()
        for _ in 0..<3 {
            let peer = try #require(await server.accept())
            peer.send(NMEALines.fix + NMEALines.nextFix)
            await told.wait(NMEALines.isFirst)
            peer.close()
            await told.wait(for: .failure(.sourceLost))
        }
        let peer = try #require(await server.accept())
        source.stop()
        await peer.hangUp()
        await server.close()
    }

    @Test func `a server that speaks something else is told`() async throws {
        let server = try await ScriptedServer()
        let source = NMEASource(.tcp(host: "127.0.0.1", port: server.port), timing: impatient)
        let told = ToldEvents(source)
        source.start()
        // To each connection: on a slow machine the source takes a silence for the end of the first one.
        let answering = Task {
            while let peer = await server.accept() {
                peer.send(String(repeating: "HTTP/1.1 400 Bad Request\r\n", count: 400))
            }
        }
        await told.wait(for: .failure(.sourceUnreadable))
        source.stop()
        await server.close()
        answering.cancel()
    }

    @Test func `datagrams are read`() async throws {
        let sender = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let free = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let address = try #require(free.localAddress)
        try await free.close()
        let source = NMEASource(.udp(host: "127.0.0.1", port: address.port ?? 0), timing: impatient)
        let told = ToldEvents(source)

        source.start()
        await told.wait(for: .authorization(.always))
        for text in [NMEALines.fix, NMEALines.nextFix] {
            let envelope = AddressedEnvelope(remoteAddress: address, data: ByteBuffer(string: text))
            try await sender.writeAndFlush(envelope)
        }
        await told.wait(NMEALines.isFirst)
        source.stop()
        try await sender.close()
    }

    @Test func `a FIFO is read from one writer after another`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "yonder-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("sentences").path
        #expect(mkfifo(path, 0o600) == 0)
        let source = NMEASource(.device(path: path, .nmea), timing: impatient)
        let told = ToldEvents(source)
        source.start()
        for _ in 0..<2 {
            await told.wait(for: .authorization(.always))
            let writer = open(path, O_WRONLY)
            let bytes = Array((NMEALines.fix + NMEALines.nextFix).utf8)
            #expect(write(writer, bytes, bytes.count) == bytes.count)
            await told.wait(NMEALines.isFirst)
            close(writer)
            await told.wait(for: .failure(.sourceLost))
        }
        source.stop()
    }

    @Test(arguments: Fixtures.logs) func `a recorded log is replayed to its end`(_ name: String) async throws
    {
        let address = try ReceiverAddress("nmea:" + Fixtures.path("nmea/\(name).log"))
        let source = try address.makeSource(speed: 1_000_000)
        let told = ToldEvents(source)
        source.start()
        await told.wait(for: .failure(.sourceEnded))

        #expect(told.all.filter(\.isPlace).count > 0)
        #expect(told.all.allSatisfy { $0.isPlace || $0 == .failure(.sourceEnded) })
    }

    @Test func `a device that the system forbids is denied, and any other failure is a loss`() {
        let connector = ReceiverConnector.device("/dev/ttyUSB0", baudRate: .nmea)
        #expect(connector.failure(IOError(errnoCode: EACCES, reason: "open")).kind == .refused)
        #expect(connector.failure(IOError(errnoCode: EACCES, reason: "open")).error.code == .notAuthorized)
        #expect(connector.failure(IOError(errnoCode: ENOENT, reason: "open")).kind == .lost)
        #expect(connector.failure(nil).kind == .lost)
        #expect(ReceiverConnector.device(nil, baudRate: .nmea).failure(nil).kind == .ended)
    }
}
