import NIOCore
import YonderModel
import YonderWire

/// How far a session's person has read.
extension Session {
    /// Stores the client's read position; there is no answer but the change in the person's chat list after the commit.
    func mark(_ chat: ChatID, _ number: Int64) {
        guard user != nil else { return refuse(FrameRefusal(SharingError.notSignedIn)) }
        guard marks.add(chat, number) else {
            let error = SharingError(
                .tooManyRequests,
                "Read positions in \(ReadMarks.limit) chats wait for the disk; send the same again after retryAfter.",
                retryAfter: .milliseconds(100)
            )
            return refuse(FrameRefusal(error))
        }
        storeMarks()
    }

    private func storeMarks() {
        guard !isClosed, let user, let next = marks.next() else { return }
        let submitted = next.map { ReadMark(chat: $0.chat, reader: user.id, number: $0.number) }
        let session = NIOLoopBound(self, eventLoop: loop.eventLoop)
        loop.exchange.read(submitted) { results in
            session.eventLoop.execute { session.value.answerMarks(results) }
        }
    }

    private func answerMarks(_ results: [Result<ReadMark.Outcome, SharingError>]) {
        marks.answered()
        guard !isClosed else { return }
        for case .failure(let error) in results { refuse(FrameRefusal(error)) }
        storeMarks()
    }
}
