import SwiftUI
import YonderAppModels

/// The person's contacts: one or several are chosen, and a chat with them is started.
struct ContactsView: View {
    @Environment(\.words) private var words
    let models: PersonModels

    var body: some View {
        @Bindable var contacts = models.contacts
        NavigationStack {
            List {
                ConnectionLine(connection: contacts.connection)
                switch contacts.content {
                case .note(let text): Text(text).foregroundStyle(.secondary)
                case .none(let title, let hint):
                    ContentUnavailableView(title, systemImage: "person.2", description: Text(hint))
                case .rows(let rows):
                    ForEach(rows) { row in
                        Button {
                            contacts.choose(row.id)
                        } label: {
                            ContactRowView(row: row)
                        }
                        .buttonStyle(.plain)
                        .accessibilityAddTraits(row.isChosen ? .isSelected : [])
                    }
                }
            }
            .listStyle(.plain)
            .searchable(text: $contacts.search, prompt: words.say(.contactsSearch))
            .navigationTitle(contacts.title)
            .safeAreaInset(edge: .bottom) { StartBar(contacts: contacts) }
            .navigationDestination(item: $contacts.opened) { chat in ChatView(models.chat(chat)) }
        }
        .task { await contacts.run() }
    }
}

/// A contact, with a check mark once chosen.
struct ContactRowView: View {
    let row: ContactRow

    var body: some View {
        HStack {
            FaceView(face: row.face)
            VStack(alignment: .leading) {
                Text(row.name).font(.headline)
                Text(row.email).font(.subheadline).foregroundStyle(.secondary)
            }
            Spacer()
            Image(systemName: row.isChosen ? "checkmark.circle.fill" : "circle")
                .foregroundStyle(.tint)
                .accessibilityHidden(true)
        }
    }
}

/// What kind of chat is started, its subject, and the button that starts it.
struct StartBar: View {
    @Environment(\.words) private var words
    @Bindable var contacts: ContactsModel

    var body: some View {
        VStack(alignment: .leading) {
            if let notice = contacts.notice {
                Text(notice).font(.callout)
            }
            if let problem = contacts.problem {
                ProblemLine(text: problem)
            }
            if contacts.offersKind {
                Picker(words.say(.chatsKind), selection: $contacts.isJustTwo) {
                    Text(words.say(.chatsTwo)).tag(true)
                    Text(words.say(.chatsGroup)).tag(false)
                }
                .pickerStyle(.segmented)
            }
            if contacts.offersSubject {
                TextField(
                    words.say(.chatsAbout),
                    text: $contacts.subject,
                    prompt: Text(words.say(.chatsAboutExample))
                )
            }
            Button(words.say(.chatsStart), action: contacts.start)
                .buttonStyle(.borderedProminent)
                .disabled(!contacts.canStart)
                .frame(maxWidth: .infinity)
        }
        .padding()
        .background(.bar)
    }
}
