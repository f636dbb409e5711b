import Testing
import YonderModel

@testable import YonderHub

@Suite(.timeLimit(.minutes(20))) struct RoundTests {
    @Test func `a round sends each topic, and the world, once`() async throws {
        try await ExchangeHarness.run { harness in
            let chat = harness.chat
            let taken = try await harness.connect(0).session { _ in
                var round = Round()
                round.mark(MessageTopic(number: 5, filter: MessageFilter(chat: chat)))
                round.markWorld()
                let hadTopics = round.hasTopics
                let first = (round.takeTopics().map(\.number), round.takeWorld())
                return (hadTopics, first, round.takeTopics().count, round.takeWorld(), round.hasTopics)
            }
            #expect(taken.0 && taken.1.0 == [5] && taken.1.1)
            #expect(taken.2 == 0 && !taken.3 && !taken.4)
        }
    }

    @Test func `a round flushes each session once`() async throws {
        try await ExchangeHarness.run { harness in
            let taken = try await harness.connect(0).session { session in
                var round = Round()
                round.mark(session)
                return [round.takeSessions().count, round.takeSessions().count]
            }
            #expect(taken == [1, 0])
        }
    }
}
