import Testing
import YonderClient
import YonderGeodesy
import YonderHub
import YonderLink
import YonderModel
import YonderRules
import YonderOutbox

@Suite(.timeLimit(.minutes(20))) struct StopTests {
    @Test
    func `a share that was stopped without a connection ends as of the tap, when the next process connects`()
        async throws
    {
        try await withFolder { folder in
            try await TestServer.running(folder: folder + "/server") { server in
                let (ada, bea, chat) = try await server.pair()
                let outbox = folder + "/outbox"
                let share = try await Self.start(server, ada, chat, outbox)
                let tap = try await Self.stopOffline(chat, outbox)
                // The clock of shares counts milliseconds.
                while Timestamp.now <= tap + .milliseconds(2) { await Task.yield() }

                let store = try SQLiteOutboxStore.open(folder: outbox)
                let client = try Connections().client(server.url, token: ada.token, outbox: store)
                let viewer = try Connections().client(server.url, token: bea.token)
                try await running(client, viewer) {
                    var lists = await viewer.freshness(in: chat).makeAsyncIterator()
                    while let update = try await lists.next() {
                        let shown =
                            switch update {
                            case .list(let shares): shares.first { $0.id == share.id }
                            case .change(let changed): Optional(changed)
                            }
                        guard let shown, shown.freshness.state == .ended else { continue }
                        #expect(shown.freshness.cause == .stopped && shown.freshness.asOf <= tap)
                        break
                    }
                    while try await !store.stops().isEmpty { await Task.yield() }
                }
                try store.close()
            }
        }
    }

    private static func start(_ server: TestServer, _ person: Person, _ chat: ChatID, _ outbox: String)
        async throws
        -> ShownShare
    {
        let store = try SQLiteOutboxStore.open(folder: outbox)
        let client = try Connections().client(server.url, token: person.token, outbox: store)
        let share = try await running(client) { try await client.startShare(in: chat) }
        try store.close()
        return share
    }

    /// Stops everything in a client that never connects.
    ///
    /// - Returns: A time after the tap.
    private static func stopOffline(_ chat: ChatID, _ outbox: String) async throws -> Timestamp {
        let store = try SQLiteOutboxStore.open(folder: outbox)
        let client = SharingClient(outbox: store) { () async throws(LinkClosure) in
            throw .lost("Nobody is there.")
        }
        let tap = try await running(client) {
            let stopping = Task { try? await client.stopShares() }
            for await stops in client.waitingStops where stops.contains(where: \.outlivesProcess) { break }
            stopping.cancel()
            return Timestamp.now
        }
        try store.close()
        return tap
    }
}
