import Testing
import YonderModel
import YonderWire

@testable import YonderClient

@Suite(.timeLimit(.minutes(20))) struct LiveFeedTests {
    private let answer = ServerFrame.messages(
        MessagesFrame(id: 1, topic: 1, first: 1, through: 0, isCurrent: true, messages: [])
    )

    private func feed(capacity: Int = 8) -> LiveFeed<MessageList> {
        LiveFeed(MessageList(MessageQuery(chat: Sample.chat)), capacity: capacity)
    }

    @Test func `a reader gets the list, then each change`() async throws {
        let feed = feed()
        var reader = feed.addReader {}.makeAsyncIterator()
        feed.apply(answer)
        feed.apply(.message(topic: 1, Sample.message(1)))
        #expect(try await reader.next() == .list([Sample.message(1)]))
        feed.apply(.message(topic: 1, Sample.message(2)))
        feed.apply(.message(topic: 1, Sample.message(3)))
        #expect(try await reader.next() == .change(.added(Sample.message(2))))
        #expect(try await reader.next() == .change(.added(Sample.message(3))))
    }

    @Test func `readers that are canceled as their list ends are all resumed`() async {
        let ended = SharingError(.unknownChat, "Gone.")
        for _ in 0..<3_000 {
            let feed = feed()
            let updates = feed.addReader {}
            let reading = Task {
                var iterator = updates.makeAsyncIterator()
                _ = try await iterator.next()
            }
            await withDiscardingTaskGroup { group in
                group.addTask { reading.cancel() }
                group.addTask { feed.finish(ended) }
            }
            _ = await reading.result
        }
    }

    @Test func `a slow reader skips to now, and harms no other`() async throws {
        let feed = feed(capacity: 4)
        feed.apply(answer)
        var slow = feed.addReader {}.makeAsyncIterator()
        var quick = feed.addReader {}.makeAsyncIterator()
        _ = try await slow.next()
        _ = try await quick.next()
        for number in Int64(1)...6 {
            feed.apply(.message(topic: 1, Sample.message(number)))
            #expect(try await quick.next() == .change(.added(Sample.message(number))))
        }
        #expect(try await slow.next() == .list((1...6).map { Sample.message($0) }))
        feed.apply(.message(topic: 1, Sample.message(7)))
        #expect(try await slow.next() == .change(.added(Sample.message(7))))
    }

    @Test func `a later reader gets the list at once`() async throws {
        let feed = feed()
        feed.apply(answer)
        feed.apply(.message(topic: 1, Sample.message(1)))
        var reader = feed.addReader {}.makeAsyncIterator()
        #expect(try await reader.next() == .list([Sample.message(1)]))
    }

    @Test func `a feed ends with an error, after the updates before it`() async throws {
        let feed = feed()
        feed.apply(answer)
        var reader = feed.addReader {}.makeAsyncIterator()
        feed.finish(SharingError(.notParticipant, "You left this chat."))
        #expect(try await reader.next() == .list([]))
        let error = await #expect(throws: SharingError.self) { try await reader.next() }
        #expect(error?.code == .notParticipant)
    }

    @Test func `a canceled reader gets the end`() async throws {
        let feed = feed()
        let updates = feed.addReader {}
        let reading = Task { try await updates.first { _ in true } }
        reading.cancel()
        #expect(try await reading.value == nil)
    }

    @Test func `the last reader ends the subscription`() async throws {
        let feed = feed()
        await confirmation { ended in
            var updates: LiveUpdates<[Message], MessageChange>? = feed.addReader { ended() }
            #expect(feed.isRead)
            #expect(updates != nil)
            updates = nil
            #expect(!feed.isRead)
        }
    }
}
