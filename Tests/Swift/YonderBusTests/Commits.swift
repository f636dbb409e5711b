import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderBus

/// Messages as commits publish them.
enum Commits {
    static let chat = id(1) as ChatID

    static func id<Subject>(_ number: Int64) -> Identifier<Subject> {
        Identifier(number) ?? .random()
    }

    static func message(_ number: Int64?, in chat: ChatID = chat, content: String = "") -> Published {
        Published(
            Submission.Acceptance(
                message: Message(
                    chat: chat,
                    number: number,
                    sender: id(2),
                    tag: .text,
                    content: content,
                    time: Timestamp(milliseconds: 1_000 + (number ?? 0) % 1_000_000)
                ),
                isRepeat: false
            )
        )
    }
}
