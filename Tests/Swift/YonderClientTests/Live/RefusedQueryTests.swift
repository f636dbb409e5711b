import Testing
import YonderModel
import YonderWire

@testable import YonderClient

@Suite(.timeLimit(.minutes(20))) struct RefusedQueryTests {
    private let busy = SharingError(.unavailable, "The store can't be read.", retryAfter: .seconds(2))

    @Test func `a query that was refused is asked for once on a new connection`() async throws {
        let server = FakeServer()
        let clock = HandClock()
        let client = server.client(clock: clock)
        try await server.running(client) { [busy] server in
            var updates = await client.chats().makeAsyncIterator()
            let first = try await server.accept()
            let (id, _) = try await first.nextSubscription()
            first.write(.error(FrameRefusal(busy, id: id)))
            // The wait of the query has begun.
            await clock.advanceAtNextSleep(by: .seconds(1))
            first.close()
            let second = try await server.accept()
            #expect(try await second.nextSubscription().id == id)
            // The wait before the connection, and that of the query, are over.
            await clock.advanceAtNextSleep(by: .seconds(1))
            second.write(.chats(id: id, topic: 1, isCurrent: true, []))
            #expect(try await updates.next() == .list([]))
            await client.markRead(Sample.chat, upTo: 1)
            guard case .read = try await second.next() else {
                Issue.record("The query was asked for again.")
                return
            }
        }
    }

    @Test func `a list that the server ended for now is asked for again, and goes on`() async throws {
        let server = FakeServer()
        let clock = HandClock()
        let client = server.client(clock: clock)
        try await server.running(client) { [busy] server in
            var updates = await client.presence(in: Sample.chat).makeAsyncIterator()
            let peer = try await server.accept()
            let (id, query) = try await peer.nextSubscription()
            peer.write(.presence(id: id, topic: 1, isCurrent: true, online: []))
            #expect(try await updates.next() == .list([]))
            peer.write(.ended(id: id, topic: 1, busy))
            await clock.advanceAtNextSleep(by: .seconds(2))
            let again = try await peer.nextSubscription()
            #expect(again.id == id)
            #expect(again.query == query)
            peer.write(.presence(id: id, topic: 2, isCurrent: true, online: [Sample.ada]))
            #expect(try await updates.next() == .list([Sample.ada]))
        }
    }
}
