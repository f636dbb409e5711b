import SwiftUI
import YonderAppModels

/// The messages of a chat, and the field for the next one.
struct MessagesView: View {
    @Environment(\.words) private var words
    @Bindable var messages: MessagesModel

    var body: some View {
        VStack(spacing: 0) {
            ScrollView {
                switch messages.content {
                case .note(let text): Text(text).foregroundStyle(.secondary).padding()
                case .none(let title, let hint):
                    ContentUnavailableView(title, systemImage: "text.bubble", description: Text(hint))
                case .bubbles(let bubbles):
                    LazyVStack(spacing: 8) {
                        ForEach(bubbles) { bubble in BubbleView(bubble: bubble) }
                    }
                    .padding()
                }
            }
            .defaultScrollAnchor(.bottom)
            if let problem = messages.problem {
                ProblemLine(text: problem)
            }
            HStack {
                TextField(words.say(.messagesMessage), text: $messages.draft, axis: .vertical)
                    .onSubmit(messages.send)
                Button(words.say(.messagesSend), systemImage: "paperplane.fill", action: messages.send)
                    .labelStyle(.iconOnly)
                    .disabled(!messages.canSend)
            }
            .padding()
            .background(.bar)
        }
    }
}

/// A message: the person's own ones at the right, the others' at the left with their names.
struct BubbleView: View {
    let bubble: Bubble

    var body: some View {
        VStack(alignment: .leading) {
            if let mark = bubble.mark {
                Text(mark)
                    .font(.caption)
                    .foregroundStyle(.tint)
                    .frame(maxWidth: .infinity)
            }
            HStack {
                if bubble.isOwn { Spacer() }
                VStack(alignment: .leading) {
                    Text(bubble.author).font(.caption).foregroundStyle(.secondary)
                    Text(bubble.text)
                    Text(bubble.time).font(.caption2).foregroundStyle(.secondary)
                }
                .padding(8)
                .background(.quaternary, in: RoundedRectangle(cornerRadius: 12))
                .accessibilityElement(children: .ignore)
                .accessibilityLabel(bubble.spoken)
                if bubble.isOther { Spacer() }
            }
        }
    }
}
