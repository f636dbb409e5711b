import Synchronization
import TestSupport
import Testing
import YonderModel
import YonderRules

@testable import YonderObjects

/// Queries that read many objects take turns, whatever they are asked by.
@Suite(.timeLimit(.minutes(20))) struct QueryTurnTests {
    @Test func `each query with conditions waits for its turn, and nobody waits without conditions`()
        async throws
    {
        let server = try await TestServer()
        try await server.party("Ann") { callers in
            let ann = callers[0]
            try await ann.makeCafes(readers: "anyone")
            try await ann.makeCafe("A", rating: 4, at: (52.5, 13.4))
            let (list, export) = ("/v1/objects/cafe", "/v1/objects/cafe/export?format=csv")
            let asked = [
                list, list + "?sort=name", list + "/region?sw=52,13&ne=53,14", list + "/near?at=52,13",
                export,
            ]
            let (inside, answered) = (Recorder<Void>(), Recorder<Int>())
            let (opened, door) = AsyncStream<Void>.makeStream()
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    try await server.catalog.visits.pass(.stranger("192.0.2.1")) {
                        inside.record(())
                        for await _ in opened {}
                    }
                }
                await inside.wait(for: 1)
                for path in asked {
                    tasks.addTask {
                        answered.record(try await ann.stranger.get(path, where: ["rating=5"]).status)
                    }
                }
                while server.catalog.visits.waiting + answered.values.count < asked.count {
                    await Task.yield()
                }
                #expect(server.catalog.visits.waiting == asked.count)
                // A member has another place.
                #expect(try await ann.get(list, where: ["rating=4"]).ids.count == 1)
                #expect(try await ann.get(export, where: ["rating=4"]).status == 200)
                for path in [list, export] { #expect(try await ann.stranger.get(path).status == 200) }
                door.finish()
                try await tasks.waitForAll()
            }
            #expect(answered.values == asked.map { _ in 200 })
        }
    }
}
