import Testing

@testable import YonderSocketIOClient

@Suite(.timeLimit(.minutes(20))) struct EventBoardTests {
    /// A canceled task holds a lock while its readers end, and to resume it takes the same lock.
    @Test func `readers are canceled while events come, and neither waits for the other`() async {
        let board = EventBoard(capacity: 10)
        for _ in 0..<2_000 {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { for await _ in board.events(["pin"]) {} }
                }
                for _ in 0..<4 { group.addTask { board.put(Array("pin".utf8), [], nil) } }
                group.cancelAll()
            }
        }
        let events = board.events(["pin"])
        board.put(Array("pin".utf8), [], nil)
        board.end()
        var count = 0
        for await event in events where event.name == "pin" { count += 1 }
        #expect(count == 1)
    }
}
