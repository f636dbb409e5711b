public import YonderGeodesy

/// One entry of a chat's log.
///
/// The stores make it of a row, the hub sends it, the client reads it of a frame, and apps show it. Creating one checks
/// nothing: `MessageDraft.check()` and `ChatRules` did before it was stored. Its form in JSON is in `YonderWire`, a position
/// in `Message+Position.swift`. ``byteLimit`` stands in the greeting's `limits` and in `Documentation/stream.md`; it must
/// leave room in `ClientFrame.byteLimit`. Numbers without gaps, and that a recall leaves number, sender, tag and time, must
/// stay: clients find lost messages by them (decisions 4 and 15, `MessageTests`).
///
/// A further member needs its column in both stores, its name in the frames, and a default for older servers.
public struct Message: Hashable, Sendable, Identifiable {
    /// A message's id: the chat and the number in it.
    public struct ID: Hashable, Sendable, Comparable {
        /// The chat whose log it is in.
        public let chat: ChatID

        /// Its place in that log, from 1 and without gaps; `nil` for one that was not kept.
        public let number: Int64?

        /// Creates the id of a chat's message.
        public init(chat: ChatID, number: Int64?) {
            self.chat = chat
            self.number = number
        }

        /// Orders by chat, then by number; one without a number comes last in its chat.
        public static func < (left: Self, right: Self) -> Bool {
            (left.chat, left.number ?? .max) < (right.chat, right.number ?? .max)
        }
    }

    /// The chat.
    public let chat: ChatID

    /// Its place in the log, from 1; `nil` for a message that was sent with `keep: false` and has no place.
    public let number: Int64?

    /// The user who sent it.
    public let sender: UserID

    /// The message's tag.
    public let tag: MessageTag

    /// Text, possibly empty; always so once recalled or expired.
    public var content: String

    /// A JSON object, or `nil`; always so once recalled or expired.
    public var data: MessageData?

    /// When the server took it.
    public let time: Timestamp

    /// When it loses `content` and `data`, by the server's clock, or `nil` for never.
    public var expires: Timestamp?

    /// Its number among the chat's written messages, from 1; `nil` unless its tag ``MessageTag/isWritten``.
    public var written: Int64?

    /// Whether it is a position older than the sender's newest in the chat when it was committed.
    public var isLate: Bool

    /// Whether it was taken back: number, sender, tag and time stay, `content` and `data` are gone.
    public var isRecalled: Bool

    /// The share that a position belongs to, as the store knows it; never sent.
    package var share: ShareID?

    /// Creates a message as the log has it; without a number, one that isn't kept.
    public init(
        chat: ChatID,
        number: Int64?,
        sender: UserID,
        tag: MessageTag,
        content: String = "",
        data: MessageData? = nil,
        time: Timestamp,
        expires: Timestamp? = nil,
        written: Int64? = nil,
        isLate: Bool = false,
        isRecalled: Bool = false
    ) {
        self.chat = chat
        self.number = number
        self.sender = sender
        self.tag = tag
        self.content = content
        self.data = data
        self.time = time
        self.expires = expires
        self.written = written
        self.isLate = isLate
        self.isRecalled = isRecalled
    }

    /// Whether it is in the log: `false` for a message that was sent with `keep: false`.
    public var isKept: Bool { number != nil }

    /// Whether its place in the log is before `number`; `false` for a message that isn't kept.
    public func isBefore(_ number: Int64) -> Bool {
        self.number.map { $0 < number } ?? false
    }

    /// The message's id.
    public var id: ID { ID(chat: chat, number: number) }

    /// The most bytes that `content` and `data` may have together.
    public static let byteLimit = 71_680

    /// Whether its expiry has passed at `now`.
    public func isExpired(at now: Timestamp) -> Bool {
        expires.map { $0 <= now } ?? false
    }

    /// The same message without `content` and `data`, as it stays after its expiry or a recall.
    public func emptied(recalled: Bool) -> Message {
        var emptied = self
        emptied.content = ""
        emptied.data = nil
        emptied.isRecalled = isRecalled || recalled
        return emptied
    }
}

extension Message {
    /// Whether the message has neither content nor data.
    package var isEmpty: Bool { content.isEmpty && data == nil }
}
