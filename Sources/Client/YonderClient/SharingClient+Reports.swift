import YonderLink
public import YonderModel

// Streams for apps, to be read in any task; `SharingClient` fills them. They never throw, and end with their reader. The
// hundred may change (`MailboxTests`, `SharingClientTests`).
extension SharingClient {
    /// Messages that the server refused for good while no caller was waiting; the newest hundred are kept for
    /// a slow reader.
    ///
    /// A stream whose reader was canceled has ended; the next one begins with what wasn't read.
    public nonisolated var refusals: AsyncStream<Refused> { refused.stream }

    /// The questions of participants where this client's user is, each once; the newest hundred are kept for a slow reader.
    ///
    /// The answer is a position sent into the question's chat. Without one, the asker isn't sent a refusal. A stream whose reader
    /// was canceled has ended; the next one begins with what wasn't read.
    public nonisolated var questions: AsyncStream<Question> { asked.stream }

    /// Whether there is a connection: the current state first, then each change.
    public nonisolated var connections: AsyncStream<Bool> { isConnected.stream }

    /// A message that the server refused for good while no caller was waiting for the answer.
    public struct Refused: Sendable {
        /// The message's chat.
        public let chat: ChatID
        /// The key under which it was sent.
        public let key: String
        /// The server's error.
        public let error: SharingError
    }

    /// A participant's question where this client's user is.
    public struct Question: Hashable, Sendable {
        /// The chat in which an answer would be sent.
        public let chat: ChatID
        /// The participant who sent the question.
        public let asker: UserID
    }
}
