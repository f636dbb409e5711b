import Testing
import YonderGeodesy
import YonderModel
import YonderRequests
import YonderStorage

@testable import YonderClient

/// *View all locations* of the SDK against a real server.
@Suite(.timeLimit(.minutes(20))) struct PositionTests {
    @Test func `all positions are held, new ones are added, and recalled ones go`() async throws {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let (ada, bea, chat) = try await server.pair()
                let sender = try Connections().client(server.url, token: ada.token)
                let watcher = try Connections().client(server.url, token: bea.token)
                let positions = ChatPositions(
                    of: try await server.store.chat(chat),
                    requests: try RESTClient(server: server.url, token: bea.token),
                    capacity: 20
                )
                try await running(sender, watcher) {
                    for index in 0..<30 { try await Self.send(index, sender, chat) }
                    await sender.waitUntilSent()
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { try await positions.follow(watcher) }
                        await Self.wait(for: positions) { $0 == Array(11...30) }
                        #expect(await positions.reach.reason == .full)
                        try await Self.send(30, sender, chat)
                        await Self.wait(for: positions) { $0 == Array(12...31) }
                        await positions.earlier()
                        await Self.wait(for: positions) { $0 == Array(1...11) }
                        #expect(await positions.reach.reason == .whole)
                        _ = try await sender.recall(Message.ID(chat: chat, number: 5))
                        await Self.wait(for: positions) { $0 == [1, 2, 3, 4, 6, 7, 8, 9, 10, 11] }
                        await positions.newest()
                        await Self.wait(for: positions) { $0 == Array(12...31) }
                        group.cancelAll()
                    }
                }
            }
        }
    }

    private static func send(_ index: Int, _ sender: SharingClient, _ chat: ChatID) async throws {
        let data = MessageData(position: position(59 + Double(index) / 100, 10.75))
        _ = try await sender.send(MessageDraft(tag: .location, data: data), to: chat)
    }

    /// Waits until these numbers are held and nothing is still to come.
    private static func wait(for positions: ChatPositions, _ isExpected: ([Int64]) -> Bool) async {
        for await _ in positions.revisions {
            let numbers = await positions.positions.map(\.number)
            if isExpected(numbers), await positions.reach.reason != .loading { return }
        }
    }
}
