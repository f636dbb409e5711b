/// The kind of a message: one of the tags below, or any name that an app defines.
///
/// A client sends one with each message; `MessageDraft.check()` refuses reserved ones, and a text that isn't a tag is
/// `invalidField`. The stores count by ``isWritten``, and lists of chats are ordered by `isActivity`. The server's tags are
/// in databases and on the wire and must stay; a further reserved one could be a name that an app uses already
/// (`MessageTests`, decision 20, `Documentation/stream.md`).
public struct MessageTag: Hashable, Sendable, CustomStringConvertible {
    /// 1…64 bytes of visible ASCII without quotes and backslashes.
    public let rawValue: String

    /// Creates a tag; `nil` if it has no bytes, over 64, or others than visible ASCII, or a quote or backslash.
    public init?(_ rawValue: String) {
        guard (1...64).contains(rawValue.utf8.count), rawValue.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        self.rawValue = rawValue
    }

    /// The name as it stands on the wire.
    public var description: String { rawValue }

    /// Whether only the server writes it: `Join`, `Leave`, `Subject`, `Recall`, `Share`, `Remove` and `Owner` come of
    /// actions of their own.
    public var isReserved: Bool { Self.reserved.contains(self) }

    /// Whether people write such messages to be read: any tag but ``location`` and the reserved ones.
    ///
    /// A chat counts them, and so what of them a participant hasn't read.
    public var isWritten: Bool { self == .text || (self != .location && !isReserved) }

    /// Whether such a message is a chat's last activity, by which lists of chats are ordered.
    package var isActivity: Bool { isWritten || Self.notable.contains(self) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private init(known: String) {
        rawValue = known
    }

    /// Something a person wrote.
    public static let text = Self(known: "Text")
    /// A photograph: `data.image` names a ``StoredImage``.
    public static let photo = Self(known: "Photo")
    /// A position of the sender: see ``Message/position``.
    public static let location = Self(known: "Location")
    /// Users joined: the sender, or the users listed in `data.users`.
    public static let join = Self(known: "Join")
    /// The sender left.
    public static let leave = Self(known: "Leave")
    /// The chat's subject became `content`; with `data`, a decision on which participants may change it, or on how long
    /// positions are kept.
    public static let subject = Self(known: "Subject")
    /// The message numbered `data.number` was taken back.
    public static let recall = Self(known: "Recall")

    /// The sender's share was started, changed or ended, as `data` says.
    public static let share = Self(known: "Share")
    /// The user `data.user` was taken out of the chat by the sender.
    public static let remove = Self(known: "Remove")
    /// The user `data.user` owns the chat in place of the sender.
    public static let owner = Self(known: "Owner")

    // Comparing short strings one by one takes less time than hashing one of them.
    private static let reserved: [Self] = [.join, .leave, .subject, .recall, .share, .remove, .owner]
    private static let notable: [Self] = [.share, .join, .leave, .subject]
}
