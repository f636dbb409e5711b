import YonderJSON
import YonderModel

/// Which earlier messages of its chat can't be read any more because of a message.
///
/// `MessageList` and `PositionStretch` ask it of each message that arrives. Data that isn't as the server
/// writes it empties nothing. Which tags empty what must be as the server does it (`MessageTag`, decision 15), or a device
/// would keep what was erased: `EmptyingTests`.
enum Emptying: Hashable, Sendable {
    /// The one with this number.
    case message(Int64)

    /// Some positions of a person: an expiring share of theirs ended, or they left the chat, which ends such a share.
    ///
    /// A position needn't name its share, so only the server knows which positions it has hidden.
    case positions(of: UserID)
}

extension Message {
    /// What the message empties, or `nil` for nothing.
    var emptying: Emptying? {
        switch tag {
        case .recall: integer("number").map(Emptying.message)
        case .leave: .positions(of: sender)
        case .remove: text("user").flatMap { UserID($0) }.map(Emptying.positions)
        case .share:
            text("keep") == "expiring" && ["stopped", "expired"].contains(text("state"))
                ? .positions(of: sender) : nil
        default: nil
        }
    }

    private func integer(_ name: StaticString) -> Int64? {
        member(name) { scanner throws(JSONFault) in try scanner.integer() }
    }

    private func text(_ name: StaticString) -> String? {
        member(name) { scanner throws(JSONFault) in try scanner.string().name(in: scanner.bytes) } ?? nil
    }

    /// A member of `data`, or `nil` if it is missing or of another type.
    private func member<Value>(
        _ name: StaticString,
        _ read: (inout JSONScanner) throws(JSONFault) -> Value
    ) -> Value? {
        data?.bytes.withUnsafeBytes { text -> Value? in
            var scanner = JSONScanner(text)
            var value: Value?
            try? scanner.object { scanner, key throws(JSONFault) in
                if key.equals(name, in: scanner.bytes) {
                    value = try read(&scanner)
                } else {
                    _ = try scanner.skipValue()
                }
            }
            return value
        }
    }
}
