import SwiftUI
import YonderAppModels
import YonderMap

/// The places of a kind on a map that the person moves.
struct PlacesView: View {
    @Environment(\.words) private var words
    @Bindable var kinds: PlaceKindsModel

    var body: some View {
        NavigationStack {
            VStack(spacing: 0) {
                if kinds.offersChoice {
                    Picker(words.say(.pagePlaces), selection: $kinds.chosen) {
                        ForEach(kinds.kinds) { kind in Text(kind.name).tag(kind.id) }
                    }
                }
                if let places = kinds.places {
                    PlacesMapView(kinds: kinds, places: places)
                        .id(kinds.chosen)
                } else {
                    ContentUnavailableView(kinds.text, systemImage: "mappin.slash")
                }
            }
            .navigationTitle(words.say(.placesTitle))
            .navigationBarTitleDisplayMode(.inline)
        }
        .task { await kinds.run() }
    }
}

/// The map of one kind of places, and a list of those in view.
struct PlacesMapView: View {
    @Environment(\.words) private var words
    let kinds: PlaceKindsModel
    @Bindable var places: PlacesModel

    var body: some View {
        VStack(spacing: 0) {
            ConnectionLine(connection: places.connection)
            PeopleMap(
                places.annotations,
                selection: $places.selection,
                callout: places.callout?.onMap,
                onRegion: places.look(at:),
                onOpen: { _ in places.open() }
            )
            Text(places.text)
                .font(.callout)
                .accessibilityLabel(places.spoken)
                .padding()
            if let problem = places.problem {
                ProblemLine(text: problem)
            }
            List {
                ForEach(places.rows) { row in
                    Button {
                        places.selection = row.pin
                    } label: {
                        PlaceRowView(row: row)
                    }
                    .buttonStyle(.plain)
                }
            }
            .listStyle(.plain)
            .accessibilityLabel(words.say(.placesList))
        }
        .navigationDestination(item: $places.opened) { place in PlaceView(place: kinds.place(place)) }
        .task { await places.run() }
    }
}

/// A place in the list.
struct PlaceRowView: View {
    let row: PlaceRow

    var body: some View {
        VStack(alignment: .leading) {
            Text(row.name).font(.headline)
            Text(row.address).font(.subheadline).foregroundStyle(.secondary)
        }
    }
}

/// A place on a screen of its own: what the server knows of it.
struct PlaceView: View {
    let place: PlaceModel

    var body: some View {
        List {
            ForEach(place.lines) { line in
                VStack(alignment: .leading) {
                    Text(line.name).font(.caption).foregroundStyle(.secondary)
                    Text(line.text)
                }
                .accessibilityElement(children: .combine)
            }
        }
        .navigationTitle(place.title)
    }
}
