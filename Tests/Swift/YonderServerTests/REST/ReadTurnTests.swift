import TestSupport
import Testing
import YonderModel

@Suite(.timeLimit(.minutes(20))) struct ReadTurnTests {
    @Test func `one person's requests read eight at a time, and another person's doesn't wait for them`()
        async throws
    {
        let store = MemoryStore()
        let gate = GatedStore(store)
        let server = try await TestServer(store: store, chats: gate)
        try await server.party("Ada", "Ben") { callers in
            let (ada, ben) = (callers[0], callers[1])
            let path = "/v1/chats/" + (try await ada.startChat(with: ben))
            #expect(try await ada.post(path + "/messages", #"{"tag":"Text","content":"a"}"#).status == 201)
            #expect(try await ada.post(path + "/shares", #"{"until":null}"#).status == 201)
            let paths = [
                "/v1/chats", path, path + "/messages", path + "/messages?latest=true",
                path + "/messages/1", path + "/tracks", "/v1/me/shares",
            ]
            gate.shut()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for place in 0..<24 {
                    group.addTask { try await ada.get(paths[place % paths.count]).status }
                }
                while gate.waiting < 8 { await Task.yield() }
                group.addTask { try await ben.get("/v1/chats").status }
                while gate.waiting < 9 { await Task.yield() }
                // The lane has started all reads that its limit allows.
                for _ in 0..<20 { #expect(try await ben.get("/health").status == 200) }
                #expect(gate.waiting == 9)
                gate.open()
                for try await status in group { #expect(status == 200) }
            }
        }
    }
}
