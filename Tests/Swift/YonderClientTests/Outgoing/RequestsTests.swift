import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderClient

@Suite struct RequestsTests {
    private typealias Action = Requests<String>.Action

    private static let refusal = SharingError(.notParticipant, "You left this chat.")
    private static let busy = SharingError(.tooManyRequests, "Too fast.", retryAfter: .seconds(2))

    private static func entry(_ id: Int64) -> OutboxEntry {
        let draft = MessageDraft(tag: .text, content: "\(id)")
        return OutboxEntry(id: id, chat: Sample.chat, key: "k\(id)", draft: draft)
    }

    private static func key(_ id: Int64) -> OutgoingKey { OutgoingKey(entry(id)) }

    private static func write(_ id: Int64) -> Action {
        let entry = entry(id)
        return .write(.send(SendFrame(key: entry.key, chat: entry.chat, draft: entry.draft)))
    }

    private static func sent(_ id: Int64) -> Reply { .sent(number: id, time: Sample.time) }

    /// Requests of a connected client that has read its empty outbox.
    private static func connected() -> Requests<String> {
        var requests = Requests<String>()
        _ = requests.readOutbox([])
        _ = requests.connected()
        return requests
    }

    @Test func `invariant 1 of Requests: an early message is written behind those of the outbox`() {
        var requests = Requests<String>()
        #expect(requests.needsOutbox && requests.isIdle)
        #expect(requests.add(Self.entry(4)).isEmpty)
        #expect(requests.add(Self.entry(3)).isEmpty)
        #expect(requests.connected().isEmpty)
        #expect(!requests.isIdle)
        #expect(requests.readOutbox([1, 2, 3].map(Self.entry)) == [1, 2, 3, 4].map(Self.write))
        #expect(!requests.needsOutbox)
    }

    @Test func `invariant 2 of Requests: callers with the same key get one answer, once`() {
        var requests = Self.connected()
        #expect(requests.add(Self.entry(1), for: "a") == [Self.write(1)])
        #expect(requests.add(Self.entry(1), for: "b").isEmpty)
        let resumed = Action.resume(["a", "b"], .success(Self.sent(1)))
        #expect(requests.answered(Self.key(1), Self.sent(1)).contains(resumed))
        #expect(requests.end(Self.refusal) == [.resume([], .failure(Self.refusal)), .idle])
    }

    @Test func `invariant 2 of Requests: a canceled caller isn't resumed again, and the message stays`() {
        var requests = Self.connected()
        _ = requests.add(Self.entry(1), for: "a")
        let canceled = SharingError(.unavailable, "The task was canceled.")
        #expect(requests.canceled(Self.key(1)) == [.resume(["a"], .failure(canceled))])
        #expect(!requests.isIdle)
        #expect(requests.answered(Self.key(1), Self.sent(1)) == [.forget(Self.key(1)), .idle])
    }

    @Test func `invariant 2 of Requests: the end resumes every caller, and the messages stay queued`() {
        var requests = Self.connected()
        _ = requests.add(Self.entry(1), for: "a")
        #expect(requests.disconnected().isEmpty)
        #expect(requests.end(Self.refusal) == [.resume(["a"], .failure(Self.refusal)), .idle])
        #expect(requests.connected() == [Self.write(1)])
    }

    @Test func `invariant 3 of Requests: only a stored message is removed, when it is answered`() {
        var requests = Self.connected()
        _ = requests.add(Self.entry(1))
        #expect(requests.answered(Self.key(1), Self.sent(1)) == [.forget(Self.key(1)), .idle])

        let leave = OutgoingKey(key: "l", chat: Sample.chat)
        let frame = ClientFrame.leave(key: "l", chat: Sample.chat)
        #expect(requests.add(leave, frame, for: "a") == [.write(frame)])
        let answered = requests.answered(leave, Self.sent(2))
        #expect(answered == [.resume(["a"], .success(Self.sent(2))), .idle])
    }

    @Test func `invariant 3 of Requests: a message refused for load stays, and is written after the pause`() {
        var requests = Self.connected()
        _ = requests.add(Self.entry(1), for: "a")
        let actions = requests.refused(Self.key(1), Self.busy)
        guard case .pause(let pause, .seconds(2))? = actions.first, actions.count == 1 else {
            Issue.record("\(actions)")
            return
        }
        #expect(requests.resume(pause) == [Self.write(1)])
    }

    @Test func `invariant 4 of Requests: a refusal is thrown to its callers, or else reported`() {
        var requests = Self.connected()
        _ = requests.add(Self.entry(1), for: "a")
        _ = requests.add(Self.entry(2))
        #expect(
            requests.refused(Self.key(1), Self.refusal)
                == [.forget(Self.key(1)), .resume(["a"], .failure(Self.refusal))]
        )
        #expect(
            requests.refused(Self.key(2), Self.refusal)
                == [.forget(Self.key(2)), .report(chat: Sample.chat, key: "k2", Self.refusal), .idle]
        )
    }

    @Test func `invariant 5 of Requests: a passed message ends with its connection`() {
        var requests = Self.connected()
        let id = OutgoingKey(key: "p", chat: Sample.chat)
        let frame = ClientFrame.leave(key: "p", chat: Sample.chat)
        #expect(requests.pass(id, frame, for: "a") == [.write(frame)])
        let broken = SharingError(.unavailable, "The connection broke before the answer.")
        #expect(requests.disconnected() == [.resume(["a"], .failure(broken))])
        #expect(requests.connected().isEmpty)
    }

    @Test func `a message is passed over a connection that can accept it, up to a window of them`() throws {
        var requests = Requests<String>()
        let offline = #expect(throws: SharingError.self) { try requests.checkPassing(isWritable: true) }
        #expect(offline?.code == .unavailable)
        _ = requests.connected()
        let slow = #expect(throws: SharingError.self) { try requests.checkPassing(isWritable: false) }
        #expect(slow?.code == .tooManyRequests)
        for number in 0..<Outgoing.window {
            try requests.checkPassing(isWritable: true)
            let id = OutgoingKey(key: "\(number)", chat: Sample.chat)
            _ = requests.pass(id, .leave(key: id.key, chat: Sample.chat), for: id.key)
        }
        let full = #expect(throws: SharingError.self) { try requests.checkPassing(isWritable: true) }
        #expect(full?.code == .tooManyRequests)
    }

    @Test func `the number of requests for which callers wait is bounded`() throws {
        var requests = Self.connected()
        for number in 0..<Requests<String>.waiterLimit {
            try requests.checkWaiting()
            _ = requests.add(Self.entry(Int64(number)), for: "a")
        }
        let full = #expect(throws: SharingError.self) { try requests.checkWaiting() }
        #expect(full?.code == .tooMany)
    }
}
