// Connects, shares positions in a chat, and watches everybody there.

import YonderClient
import YonderGeodesy
import YonderModel

// snippet.show
func shareAndWatch(_ positions: AsyncStream<Position>, in chat: ChatID, token: String) async throws {
    let yonder = try SharingClient(server: "https://yonder.example", token: token)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await yonder.run() }
        group.addTask { await yonder.share(positions, with: .chat(chat)) }
        for try await update in await yonder.locations(in: chat) {
            switch update {
            case .list(let messages): print("Everybody's last position:", messages.compactMap(\.position))
            case .change(let change): print("Then what changed:", change)
            }
        }
    }
}
// snippet.hide
