import SwiftUI
import YonderAppModels
import YonderModel

/// The person's chats; a tap opens one.
struct ChatsView: View {
    @Environment(\.words) private var words
    let models: PersonModels

    var body: some View {
        @Bindable var chats = models.chats
        NavigationStack {
            List {
                ConnectionLine(connection: chats.connection)
                switch chats.content {
                case .note(let text): Text(text).foregroundStyle(.secondary)
                case .none(let title, let hint):
                    ContentUnavailableView(
                        title,
                        systemImage: "bubble.left.and.bubble.right",
                        description: Text(hint)
                    )
                case .rows(let rows):
                    ForEach(rows) { row in
                        NavigationLink(value: row.id) { ChatRowView(row: row) }
                    }
                }
            }
            .listStyle(.plain)
            .searchable(text: $chats.search, prompt: words.say(.chatsSearch))
            .navigationTitle(words.say(.chatsTitle))
            .navigationDestination(for: ChatID.self) { chat in ChatView(models.chat(chat)) }
        }
    }
}

/// A chat in the list: faces, name, the newest message, what is new, and whether another participant is connected.
struct ChatRowView: View {
    let row: ChatRow

    var body: some View {
        HStack(alignment: .top) {
            ForEach(row.faces) { face in FaceView(face: face) }
            VStack(alignment: .leading) {
                Text(row.name).font(.headline).bold(row.isUnread)
                Text(row.preview).font(.subheadline).foregroundStyle(.secondary).lineLimit(2)
                if row.isConnected {
                    Text(row.presence).font(.caption).foregroundStyle(.green)
                }
            }
            Spacer()
            VStack(alignment: .trailing) {
                Text(row.time).font(.caption).foregroundStyle(.secondary)
                if row.isUnread {
                    Text(row.badge)
                        .font(.caption)
                        .bold()
                        .accessibilityLabel(row.unread)
                }
            }
        }
        .accessibilityElement(children: .combine)
    }
}
