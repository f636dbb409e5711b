import Testing
import YonderGeodesy
package import YonderModel

/// A promise that every outbox keeps.
package struct OutboxRule: Sendable, CustomTestStringConvertible {
    /// The promise.
    package let testDescription: String

    /// Tries it on an empty outbox that takes three messages.
    package let check: @Sendable (any OutboxStore) async throws -> Void

    init(_ name: String, _ check: @escaping @Sendable (any OutboxStore) async throws -> Void) {
        testDescription = name
        self.check = check
    }

    /// All of them.
    package static let all = [
        OutboxRule("waiting messages are listed in the order of sending, byte for byte") { outbox in
            let chat = ChatID.random()
            let data = try MessageData(Array(#"{"latitude": "1.000000"}"#.utf8))
            let drafts = [
                MessageDraft(
                    tag: .location,
                    content: "a\0b",
                    data: data,
                    expires: Timestamp(milliseconds: 7)
                ),
                MessageDraft(tag: .text, content: ""),
            ]
            let first = try await outbox.append(drafts[0], to: chat, key: "a")
            let second = try await outbox.append(drafts[1], to: chat, key: "\0")
            #expect(first.id < second.id)
            let entries = try await outbox.entries()
            #expect(entries == [first, second])
            #expect(entries.map(\.draft) == drafts && entries.map(\.key) == ["a", "\0"])
        },
        OutboxRule("an entry is removed by chat and key, and its id never comes again") { outbox in
            let chats = [ChatID.random(), ChatID.random()]
            let draft = MessageDraft(tag: .text, content: "a")
            let kept = try await outbox.append(draft, to: chats[0], key: "a")
            let gone = try await outbox.append(draft, to: chats[1], key: "a")
            try await outbox.remove(key: "a", from: chats[1])
            try await outbox.remove(key: "b", from: chats[0])
            #expect(try await outbox.entries() == [kept])
            #expect(try await outbox.append(draft, to: chats[1], key: "a").id > gone.id)
        },
        OutboxRule("a key that waits answers its entry, with another draft it is refused") { outbox in
            let chat = ChatID.random()
            let entry = try await outbox.append(MessageDraft(tag: .text, content: "é"), to: chat, key: "a")
            let again = try await outbox.append(MessageDraft(tag: .text, content: "é"), to: chat, key: "a")
            #expect(entry == again)
            await expectRefusal(.keyReused) {
                try await outbox.append(MessageDraft(tag: .text, content: "e\u{301}"), to: chat, key: "a")
            }
            await expectRefusal(.invalidField) {
                try await outbox.append(MessageDraft(tag: .text), to: chat, key: "")
            }
        },
        OutboxRule("it takes no more than its limit") { outbox in
            let draft = MessageDraft(tag: .text)
            for key in ["a", "b", "c"] { _ = try await outbox.append(draft, to: .random(), key: key) }
            await expectRefusal(.tooMany) { try await outbox.append(draft, to: .random(), key: "d") }
            #expect(try await outbox.entries().count == 3)
        },
    ]
}
