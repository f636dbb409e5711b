import Testing
import YonderModel

@testable import YonderHub

@Suite(.timeLimit(.minutes(20))) struct SessionDirectoryTests {
    @Test func `a session is found by its user until it is removed, once`() async throws {
        try await ExchangeHarness.run { harness in
            let user = harness.people[0].id
            let found = try await harness.connect(0).session { session in
                var directory = SessionDirectory()
                directory.insert(session)
                let before = [directory.sessions(of: user).count, directory.all.count]
                let removals = [directory.remove(session), directory.remove(session)]
                return (before, removals, [directory.sessions(of: user).count, directory.all.count])
            }
            #expect(found.0 == [1, 1] && found.1 == [true, false] && found.2 == [0, 0])
        }
    }
}
