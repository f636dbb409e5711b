import SwiftUI
import YonderAppModels

/// The person: how others see them, who can see where they are, and the way out.
struct MeView: View {
    @Environment(\.words) private var words
    @Bindable var me: MeModel
    let sharing: SharingModel

    var body: some View {
        NavigationStack {
            Form {
                Section {
                    HStack {
                        FaceView(face: me.face)
                        VStack(alignment: .leading) {
                            Text(me.signedInText).font(.headline)
                            Text(me.email).font(.subheadline).foregroundStyle(.secondary)
                        }
                    }
                }
                Section {
                    TextField(words.say(.settingsName), text: $me.name)
                        .onSubmit(me.save)
                    Button(words.say(.settingsSave), action: me.save)
                        .disabled(!me.canSave)
                } header: {
                    Text(words.say(.settingsProfile))
                } footer: {
                    if let problem = me.problem {
                        ProblemLine(text: problem)
                    }
                    if let notice = me.notice {
                        Text(notice)
                    }
                }
                SeenSection(sharing: sharing)
                Section {
                    Button(words.say(.settingsSignOut), role: .destructive, action: me.askToSignOut)
                        .disabled(!me.canSignOut)
                } footer: {
                    Text(words.say(.settingsSignOutHint))
                }
            }
            .navigationTitle(words.say(.settingsTitle))
            .alert(words.say(.settingsSignOut), isPresented: $me.asksToSignOut) {
                Button(words.say(.settingsSignOut), role: .destructive, action: me.signOut)
                Button(words.say(.pageCancel), role: .cancel) {}
            } message: {
                Text(words.say(.settingsSignOutHint))
            }
        }
        .task { await me.run() }
    }
}

/// How many people see the person, in which chats, and a button that stops each.
struct SeenSection: View {
    @Environment(\.words) private var words
    let sharing: SharingModel

    var body: some View {
        Section {
            Text(sharing.seenText)
            ForEach(sharing.rows) { row in
                HStack {
                    VStack(alignment: .leading) {
                        Text(row.name).font(.headline)
                        Text(row.text).font(.subheadline).foregroundStyle(.secondary)
                        Text(row.problem).font(.subheadline).foregroundStyle(.red)
                    }
                    Spacer()
                    Button(words.say(.sharingStop), role: .destructive) { sharing.stop(in: row.id) }
                        .accessibilityLabel(words.say(.seenStopIn, ["chat": row.name]))
                }
            }
            Button(words.say(.seenStopEverywhere), role: .destructive, action: sharing.stopEverywhere)
                .disabled(!sharing.isSeen)
        } header: {
            Text(words.say(.seenTitle))
        } footer: {
            Text(sharing.stopText)
        }
    }
}
