import SwiftUI
import YonderAppModels
import YonderMap

/// The world: the others in purple, the person's own place as the system's dot.
struct WorldView: View {
    @Environment(\.words) private var words
    @Environment(\.scenePhase) private var phase
    @Bindable var world: WorldModel

    var body: some View {
        VStack(spacing: 0) {
            PeopleMap(
                world.annotations,
                selection: $world.selection,
                look: world.look,
                settings: PeopleMapSettings(showsOwnPlace: true, hue: WorldModel.hue),
                label: world.label(of:),
                onMove: world.mapWasMoved
            )
            VStack(alignment: .leading) {
                Text(world.text).font(.headline)
                Text(world.ownText).font(.callout).foregroundStyle(.secondary)
                HStack {
                    Button(world.showText, action: world.toggleShown)
                        .buttonStyle(.borderedProminent)
                    Spacer()
                    Button(words.say(.appZoomToMe), systemImage: "scope", action: world.zoomToMe)
                    Button(
                        words.say(.appFollowMe),
                        systemImage: "location.north.line",
                        action: world.toggleFollowingMe
                    )
                    .accessibilityAddTraits(world.followsMe ? .isSelected : [])
                    .tint(world.followsMe ? Color.accentColor : Color.secondary)
                }
                .labelStyle(.iconOnly)
            }
            .padding()
            .background(.bar)
        }
        .onChange(of: phase) { world.isInView = phase != .background }
        .task { await world.run() }
    }
}
