import YonderModel
import YonderWire

/// A message on its way to everyone: encoded once, shared by all loops and topics.
struct Published: Sendable {
    let message: Message

    /// The frame behind its topic, which is the same for every topic.
    let body: [UInt8]

    /// The participants that the message added to the chat or removed from it.
    let moved: [Participant]

    /// For a recall, the message that was taken back, as it was.
    let recalled: Message?

    /// How many messages are written in the chat with it.
    let written: Int64

    /// Whether positions of its sender can't be read any more: those of an expiring share that ended.
    let hidesPositions: Bool

    /// Whether it is kept; what isn't has no number.
    let isKept: Bool

    init(_ acceptance: Submission.Acceptance) {
        message = acceptance.message
        body = ServerFrame.messageBody(acceptance.message)
        moved = acceptance.moved
        recalled = acceptance.recalled
        written = acceptance.written
        hidesPositions = acceptance.shares.contains(where: \.needsErasing)
        isKept = true
    }

    init(unkept message: Message) {
        self.message = message
        body = ServerFrame.messageBody(message)
        moved = []
        recalled = nil
        written = 0
        hidesPositions = false
        isKept = false
    }

    /// Whether a chat looks different after it: its people, its owner or its subject.
    var changesChat: Bool { !moved.isEmpty || message.tag == .subject || message.tag == .owner }
}
