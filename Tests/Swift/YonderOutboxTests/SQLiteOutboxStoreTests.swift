import Foundation
import TestSupport
import Testing
import YonderClient
import YonderGeodesy
import YonderModel
import YonderOutbox

struct SQLiteOutboxStoreTests {
    private let folder = TemporaryFolder()

    @Test(arguments: OutboxRule.all)
    func `an outbox on disk keeps the rule`(rule: OutboxRule) async throws {
        let outbox = try SQLiteOutboxStore.open(folder: folder.path, limit: 3)
        try await rule.check(outbox)
        try outbox.close()
    }

    @Test func `an outbox is there after it was closed and opened again`() async throws {
        var outbox = try SQLiteOutboxStore.open(folder: folder.path)
        let chat = ChatID.random()
        let entry = try await outbox.append(MessageDraft(tag: .text, content: "a"), to: chat, key: "k")
        try outbox.close()
        outbox = try SQLiteOutboxStore.open(folder: folder.path)
        #expect(try await outbox.entries() == [entry])
        try await outbox.remove(key: "k", from: chat)
        #expect(try await outbox.append(entry.draft, to: chat, key: "k").id > entry.id)
        try outbox.close()
    }

    @Test func `a file of the first version opens with its entries, and continues its ids`() async throws {
        let name = try folder.made() + "/outbox.db"
        try FileManager.default.copyItem(atPath: Self.firstVersion, toPath: name)
        let outbox = try SQLiteOutboxStore.open(folder: folder.path)
        let chat = try #require(ChatID(7))
        let position = OutboxEntry(
            id: 3,
            chat: chat,
            key: "c",
            draft: MessageDraft(
                tag: .location,
                content: "",
                data: try MessageData(Array(#"{"latitude":"1.000000"}"#.utf8)),
                expires: Timestamp(milliseconds: 1_700_000_000_000)
            )
        )
        let text = OutboxEntry(id: 2, chat: chat, key: "b", draft: MessageDraft(tag: .text, content: "Ü"))
        #expect(try await outbox.entries() == [text, position])
        #expect(try await outbox.append(text.draft, to: chat, key: "b") == text)
        // Id 4 was of an entry that was removed.
        #expect(try await outbox.append(text.draft, to: chat, key: "e").id == 5)
        #expect(try await outbox.stops() == [])
        #expect(try await outbox.user() == nil)
        try outbox.close()
    }

    /// A database as commit 48db7ee creates and fills it.
    private static let firstVersion = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/outbox/48db7ee.db")
        .path()
}
