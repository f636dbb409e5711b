package import YonderModel
package import YonderRules
import YonderWire

/// A message on its way to all sessions that watch its chat: encoded once, shared by all nodes, loops and topics.
///
/// `Exchange` makes one of each acceptance of a commit, `NodeLink` of each frame; loops, lists and maps read it. It is a
/// plain value. That the message's JSON is made once and shared must stay: each of thousands of viewers would otherwise
/// encode it (decision 3). A further field is read and written in `Published+Coding.swift`, too.
package struct Published: Hashable, Sendable {
    package let message: Message

    /// The frame behind its topic, which is the same for every topic.
    package let body: [UInt8]

    /// The participants that the message added to the chat or removed from it.
    package let moved: [Participant]

    /// For a recall, the message that was taken back, as it was.
    package let recalled: Message?

    /// How many messages are written in the chat with it.
    package let written: Int64

    /// The shares of its sender, or of the participants who left, that are new or not as before.
    package let shares: [Share]

    /// Creates the message of a commit.
    package init(_ acceptance: Submission.Acceptance) {
        self.init(
            acceptance.message,
            body: ServerFrame.messageBody(acceptance.message),
            moved: acceptance.moved,
            recalled: acceptance.recalled,
            written: acceptance.written,
            shares: acceptance.shares
        )
    }

    /// Creates a message that is passed on and not stored.
    package init(unkept message: Message) {
        self.init(message, body: ServerFrame.messageBody(message))
    }

    init(
        _ message: Message,
        body: [UInt8],
        moved: [Participant] = [],
        recalled: Message? = nil,
        written: Int64 = 0,
        shares: [Share] = []
    ) {
        self.message = message
        self.body = body
        self.moved = moved
        self.recalled = recalled
        self.written = written
        self.shares = shares
    }

    /// Whether positions of its sender can't be read any more: those of an expiring share that ended.
    package var hidesPositions: Bool { shares.contains(where: \.needsErasing) }

    /// Whether a chat looks different after it: its people, its owner or its subject.
    package var changesChat: Bool { !moved.isEmpty || message.tag == .subject || message.tag == .owner }

    /// How much memory it takes while it is held, roughly.
    package var byteCount: Int { 256 + 2 * body.count }
}
