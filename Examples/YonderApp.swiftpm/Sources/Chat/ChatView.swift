import SwiftUI
import YonderAppModels
import YonderMap

/// A chat: its map above, the person's sharing, and the messages below.
struct ChatView: View {
    @Environment(\.words) private var words
    @Environment(\.scenePhase) private var phase
    @State private var models: ChatScreenModels
    @State private var showsPeople = false

    init(_ models: ChatScreenModels) {
        _models = State(initialValue: models)
    }

    var body: some View {
        VStack(spacing: 0) {
            ConnectionLine(connection: models.map.connection)
            ChatMapView(map: models.map)
                .frame(maxHeight: .infinity)
            ShareBar(models: models)
            MessagesView(messages: models.messages)
                .frame(maxHeight: .infinity)
        }
        .navigationTitle(models.map.title)
        .navigationBarTitleDisplayMode(.inline)
        .toolbar {
            ToolbarItem(placement: .primaryAction) {
                Button(words.say(.chatPeople), systemImage: "person.2") { showsPeople = true }
            }
            ToolbarItem(placement: .primaryAction) {
                Button(
                    words.say(.mapFit),
                    systemImage: "arrow.up.left.and.arrow.down.right",
                    action: models.map.lookAtEverybody
                )
            }
        }
        .sheet(isPresented: $showsPeople) { PeopleView(map: models.map) }
        .onChange(of: phase) { models.messages.isInView = phase != .background }
        .task { await models.run() }
    }
}

/// The chat's map: a pin for each person, lines, the callout, and the switch between last and all locations.
struct ChatMapView: View {
    @Environment(\.words) private var words
    @Bindable var map: ChatMapModel

    var body: some View {
        VStack(spacing: 0) {
            PeopleMap(
                map.annotations,
                selection: $map.selection,
                look: map.look,
                callout: map.callout?.onMap,
                label: map.label(of:),
                onMove: map.mapWasMoved,
                onRegion: map.look(at:),
                onOpen: { _ in map.toggleFollowing() }
            )
            Toggle(words.say(.chatViewAll), isOn: $map.viewsAll)
                .padding(.horizontal)
            Text(map.extent)
                .font(.caption)
                .foregroundStyle(.secondary)
            if let earlier = map.earlierText {
                Button(earlier, systemImage: "clock.arrow.circlepath", action: map.showEarlier)
            }
            if let newest = map.newestText {
                Button(newest, action: map.showNewest)
            }
            if let problem = map.problem {
                ProblemLine(text: problem)
            }
        }
    }
}

/// The chat's people, and how each one stands; a tap looks at the person's pin.
struct PeopleView: View {
    @Environment(\.words) private var words
    let map: ChatMapModel

    var body: some View {
        NavigationStack {
            List {
                ForEach(map.people) { row in
                    Button {
                        map.choose(row.id)
                    } label: {
                        VStack(alignment: .leading) {
                            Text(row.name).font(.headline)
                            Text(row.state).font(.subheadline).foregroundStyle(.secondary)
                        }
                    }
                    .disabled(!row.isOnMap)
                    .accessibilityAddTraits(row.isSelected ? .isSelected : [])
                }
            }
            .navigationTitle(words.say(.chatPeople))
        }
    }
}
