public import YonderModel

extension SharingClient {
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
