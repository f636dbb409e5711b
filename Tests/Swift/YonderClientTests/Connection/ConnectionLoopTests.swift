import Synchronization
import Testing
import YonderLink
import YonderModel
import YonderWire

@testable import YonderClient

@Suite(.timeLimit(.minutes(20))) struct ConnectionLoopTests {
    private static let refusal = SharingError(.invalidCredentials, "The server doesn't know this token.")

    /// A loop whose attempts to connect end as listed, and then are refused.
    private func loop(_ attempts: [Result<MemoryLink, LinkClosure>]) -> ConnectionLoop {
        let rest = Mutex(attempts)
        return ConnectionLoop(
            connect: { () async throws(LinkClosure) in
                guard let next = rest.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                    throw .refused(Self.refusal)
                }
                return try next.get()
            },
            clock: ContinuousClock(),
            backoff: Backoff(minimum: .zero, maximum: .zero),
            logger: ClientSettings().logger
        )
    }

    @Test func `a loop connects again after each failure, and returns the refusal`() async {
        var events = 0
        let lost = Result<MemoryLink, LinkClosure>.failure(.lost("Cut."))
        let error = await loop([lost, lost]).run { _ in events += 1 }
        #expect(error == Self.refusal)
        #expect(events == 0)
    }

    @Test func `each frame of a connection is handled in order, and then its end`() async {
        let (ours, theirs) = MemoryLink.pair()
        theirs.write(ServerFrame.hello(Hello(time: Sample.time)).encoded())
        theirs.write(Array(#"{"type":"newer than this client"}"#.utf8))
        theirs.write(ServerFrame.chatLeft(topic: 1, Sample.chat).encoded())
        theirs.close()
        var events: [String] = []
        _ = await loop([.success(ours)]).run { event in
            switch event {
            case .received(.hello, _): events.append("hello")
            case .received(.chatLeft(topic: 1, Sample.chat), _): events.append("left")
            case .received: events.append("another")
            case .closed: events.append("closed")
            }
        }
        #expect(events == ["hello", "left", "closed"])
    }

    @Test func `a frame that can't be read ends its connection`() async {
        let (ours, theirs) = MemoryLink.pair()
        theirs.write(Array("{".utf8))
        theirs.write(ServerFrame.chatLeft(topic: 1, Sample.chat).encoded())
        var isClosed = false
        _ = await loop([.success(ours)]).run { event in
            if case .closed = event { isClosed = true } else { Issue.record("\(event)") }
        }
        #expect(isClosed)
    }
}
