/// How far a participant has read a chat.
public struct ReadPosition: Hashable, Sendable {
    /// Everything up to this number is read; 0 for nothing.
    public var number: Int64

    /// How many of the chat's written messages that are: ``Message/written`` of the last of them.
    public var written: Int64

    /// Creates a position.
    public init(number: Int64 = 0, written: Int64 = 0) {
        self.number = number
        self.written = written
    }
}

/// A participant's report of the last message that they have read in a chat.
///
/// A client sends a mark over the stream or REST, the store raises the reader's ``ReadPosition``, and the hub sends it to the
/// others, if the reader shows it. A mark below the position changes nothing; one may come twice. That a position never goes
/// back must stay: unread counts are computed from it (decision 20, `ActivityTests`, `ActivityTableTests`).
public struct ReadMark: Hashable, Sendable {
    /// The chat.
    public let chat: ChatID

    /// The user who has read.
    public let reader: UserID

    /// The number of the last message read; a number beyond the chat's last counts as the last.
    public let number: Int64

    /// Creates a mark.
    public init(chat: ChatID, reader: UserID, number: Int64) {
        self.chat = chat
        self.reader = reader
        self.number = number
    }

    /// The result of a committed mark.
    public struct Outcome: Hashable, Sendable {
        /// The reader's position now; beyond the mark if it was so before.
        public let position: ReadPosition

        /// Whether that is further than before.
        public let hasMoved: Bool

        /// Whether the others are sent the position: ``Account/showsReads`` of the reader.
        public let isShown: Bool

        /// Creates an outcome.
        public init(position: ReadPosition, hasMoved: Bool, isShown: Bool) {
            self.position = position
            self.hasMoved = hasMoved
            self.isShown = isShown
        }
    }
}
