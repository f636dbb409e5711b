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

/// That a participant says how far they have read a chat.
public struct ReadMark: Hashable, Sendable {
    /// Which chat.
    public let chat: ChatID

    /// Who has read.
    public let reader: UserID

    /// Up to which number; one beyond the chat's last counts as that.
    public let number: Int64

    /// Creates a mark.
    public init(chat: ChatID, reader: UserID, number: Int64) {
        self.chat = chat
        self.reader = reader
        self.number = number
    }

    /// What a store answers when it has committed a mark.
    public struct Outcome: Hashable, Sendable {
        /// Where the reader is now; further than the mark if they were.
        public let position: ReadPosition

        /// Whether that is further than before.
        public let hasMoved: Bool

        /// Whether the others may know: what ``Account/showsReads`` says of the reader.
        public let isShown: Bool

        /// Creates an outcome.
        public init(position: ReadPosition, hasMoved: Bool, isShown: Bool) {
            self.position = position
            self.hasMoved = hasMoved
            self.isShown = isShown
        }
    }
}
