import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderStorage

struct RecentMessagesTests {
    @Test func `messages are taken oldest first, and the lowest id is that of the oldest left`() {
        for seed in UInt64(0)..<50 {
            var random = SeededGenerator(seed: seed)
            var recent = RecentMessages()
            var model: [RecentMessages.Row] = []
            let chats = (0..<5).map { _ in ChatID.random(using: &random) }
            var numbers: [ChatID: Int64] = [:]
            for _ in 0..<300 {
                let chat = chats[Int.random(in: 0..<5, using: &random)]
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    let taken = recent.take(chat).map(\.id)
                    #expect(taken == model.filter { $0.message.chat == chat }.map(\.id), "seed \(seed)")
                    model.removeAll { $0.message.chat == chat }
                case 1, 2:
                    let taken = recent.takeOldest(limit: 3).map(\.id)
                    let all = model.filter { $0.message.chat == model.first?.message.chat }
                    #expect(taken == Array(all.map(\.id).prefix(3)), "seed \(seed)")
                    model.removeAll { taken.contains($0.id) }
                default:
                    numbers[chat, default: 0] += 1
                    let row = row(recent.nextID(), chat, numbers[chat] ?? 1)
                    recent.append(row)
                    model.append(row)
                }
                #expect(recent.count == model.count, "seed \(seed)")
                #expect(recent.bytes == model.reduce(0) { $0 + $1.weight }, "seed \(seed)")
                #expect(recent.lowestID() == model.map(\.id).min() ?? recent.lastID + 1, "seed \(seed)")
                let removed = recent.removedBelow
                let removal = recent.nextRemoval(limit: 20)
                #expect(removal == nil || removal == removed + 20, "seed \(seed)")
                #expect(recent.removedBelow <= recent.lowestID(), "seed \(seed)")
                #expect(recent.lowestID() < recent.removedBelow + 20, "seed \(seed)")
                #expect(Set(recent.chats) == Set(model.map(\.message.chat)), "seed \(seed)")
            }
        }
    }

    private func row(_ id: Int64, _ chat: ChatID, _ number: Int64) -> RecentMessages.Row {
        let message = Message(
            chat: chat,
            number: number,
            sender: chatless,
            tag: .text,
            time: Timestamp(milliseconds: 0)
        )
        return RecentMessages.Row(id: id, message: message, key: "\(number)", fingerprint: 0)
    }

    private let chatless = UserID.random()
}
