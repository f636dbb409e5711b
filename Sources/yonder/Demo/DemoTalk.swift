import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules

/// The messages that the demo's people have written before the owner first signs in.
///
/// `Demo` writes the chats when it makes them. A key for each line, by its place, makes a repeat harmless; a refusal
/// ends the demo's start. A changed text needs another key: a folder with an earlier demo would refuse it as
/// `keyReused`. New lines go to the end.
struct DemoTalk {
    /// One message.
    struct Line {
        /// The nickname of its sender.
        let sender: String

        /// How long before the demo's first start it was written.
        let age: Duration

        /// The message.
        let text: String
    }

    let exchange: Exchange

    /// Writes a chat's messages, unless an earlier run did.
    ///
    /// - Throws: The codes of ``Exchange/take(_:)``.
    func write(_ lines: [Line], in chat: ChatID, as people: [String: User]) async throws(SharingError) {
        let now = Timestamp.now
        for (index, line) in lines.enumerated() {
            guard let sender = people[line.sender] else { continue }
            _ = try await exchange.take(
                Submission(
                    chat: chat,
                    sender: sender.id,
                    key: "demo text \(index)",
                    action: .message(MessageDraft(tag: .text, content: line.text)),
                    time: now - line.age
                )
            )
        }
    }

    /// The messages of a chat, oldest first.
    static func lines(of chat: DemoPerson.Chat) -> [Line] {
        switch chat {
        case .family:
            [
                Line(sender: "ruth", age: .seconds(1_500), text: "Dinner is at seven. I stay at home."),
                Line(
                    sender: "noah",
                    age: .seconds(900),
                    text: "Driving to Nendeln and back, then I join you."
                ),
                Line(
                    sender: "mia",
                    age: .seconds(240),
                    text: "On foot through Vaduz. Does anybody need bread?"
                ),
            ]
        case .river:
            [
                Line(sender: "tom", age: .seconds(600), text: "I wait for you at the bridge."),
                Line(
                    sender: "finn",
                    age: .seconds(120),
                    text: "Ten minutes. The path along the Rhine is dry again."
                ),
            ]
        }
    }
}
