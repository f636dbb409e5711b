import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderClient

@Suite(.timeLimit(.minutes(20))) struct SharingTests {
    private let here = Sample.position(59.9139, 10.7522)
    private let there = Sample.position(59.914, 10.7522)
    private let chat = Sharing.Audience.chat(Sample.chat)
    private let other = Sharing.Audience.chat(Sample.identifier(78))

    @Test func `a fix goes to every audience`() {
        var sharing = Sharing()
        #expect(sharing.start(with: chat).isEmpty)
        #expect(sharing.start(with: .world).isEmpty)
        #expect(Set(sharing.take(here).map(\.audience)) == [chat, .world])
    }

    @Test func `a fix with the same six decimals as the last one isn't sent again`() {
        var sharing = Sharing()
        _ = sharing.start(with: chat)
        #expect(sharing.take(here).count == 1)
        #expect(sharing.take(Sample.position(59.913_900_4, 10.752_199_6)).isEmpty)
        #expect(sharing.take(there).count == 1)
        #expect(sharing.take(here).count == 1)
    }

    @Test func `an audience added later gets the last fix at once, and only it`() {
        var sharing = Sharing()
        _ = sharing.start(with: chat)
        _ = sharing.take(here)
        #expect(sharing.start(with: other) == [Sharing.Delivery(audience: other, fix: here)])
        #expect(sharing.take(here).isEmpty)
    }

    @Test func `without an audience no source is needed, and an old fix is not kept for later`() {
        var sharing = Sharing()
        #expect(!sharing.isOn)
        _ = sharing.start(with: chat)
        #expect(sharing.isOn)
        _ = sharing.take(here)
        sharing.stop(with: chat)
        #expect(!sharing.isOn)
        #expect(sharing.take(there).isEmpty)
        #expect(sharing.start(with: other).isEmpty)
    }

    @Test func `sharing again with the same audience sends the position again`() {
        var sharing = Sharing()
        _ = sharing.start(with: chat)
        _ = sharing.start(with: .world)
        _ = sharing.take(here)
        sharing.stop(with: chat)
        #expect(sharing.start(with: chat).map(\.audience) == [chat])
        sharing.stop(with: .world)
        #expect(sharing.start(with: .world).map(\.audience) == [.world])
    }

    @Test(arguments: [
        (0.0, 0.0, "0.000000,0.000000"), (-0.000_000_4, 0.000_000_6, "0.000000,0.000001"),
        (-59.9139, 179.999_999_9, "-59.913900,180.000000"), (1.5, -10.000_05, "1.500000,-10.000050"),
    ])
    func `degrees are written with six decimals`(_ latitude: Double, _ longitude: Double, _ text: String) {
        #expect(Sample.position(latitude, longitude).coordinate.written == text)
    }

    @Test func `a second run shares after a first one was canceled while nothing was shared`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { [here] server in
            let peer = try await server.accept()
            let sharing = LocationSharing(over: client)
            let canceled = Task { await sharing.run { AsyncStream { $0.finish() } } }
            canceled.cancel()
            await canceled.value
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await sharing.run { AsyncStream { $0.yield(here) } }
                }
                await sharing.start(with: .chat(Sample.chat))
                let send = try await peer.nextSend()
                #expect(send.draft.data == MessageData(position: here))
                group.cancelAll()
            }
        }
    }

    @Test func `a source is opened with the first audience, and released with the last`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { [here, there] server in
            let peer = try await server.accept()
            let sharing = LocationSharing(over: client)
            let (opened, opening) = AsyncStream.makeStream(of: AsyncStream<Position>.Continuation.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await sharing.run {
                        let (positions, continuation) = AsyncStream.makeStream(of: Position.self)
                        opening.yield(continuation)
                        return positions
                    }
                }
                var sources = opened.makeAsyncIterator()
                await sharing.start(with: .chat(Sample.chat))
                let first = try #require(await sources.next())
                first.yield(here)
                #expect(try await peer.nextSend().draft.data == MessageData(position: here))
                // Set before it may end: nobody is called for what is over.
                let (end, ending) = AsyncStream.makeStream(of: Void.self)
                first.onTermination = { _ in ending.finish() }
                await sharing.stop(with: .chat(Sample.chat))
                for await _ in end {}
                await sharing.start(with: .chat(Sample.chat))
                let second = try #require(await sources.next())
                second.yield(there)
                #expect(try await peer.nextSend().draft.data == MessageData(position: there))
                group.cancelAll()
            }
        }
    }
}

extension Coordinate {
    fileprivate var written: String { WorldPosition(self).text }
}
