#if canImport(MapKit) && canImport(SwiftUI)
import CoreLocation
import MapKit
public import SwiftUI
public import YonderClient
public import YonderGeodesy

/// A map of people, their lines, and objects, in SwiftUI: for a chat, for the world, and for places.
///
/// Pass the properties of a screen's model, and its functions for what the user does:
///
/// ```swift
/// PeopleMap(
///     model.annotations,
///     selection: $model.selection,
///     look: model.look,
///     callout: model.callout?.onMap,
///     label: model.label(of:),
///     onMove: model.mapWasMoved,
///     onOpen: { _ in model.toggleFollowing() }
/// )
/// ```
///
/// Items keep their identities, so a pin that moves stays selected and its callout stays open. The map asks for no permission.
///
/// `ChatView`, `WorldView` and `PlacesView` of the example show one each; `MapDriver` is the same for UIKit. SwiftUI calls
/// the functions on the main actor. Nothing fails: an id that isn't on the map selects nothing. What is drawn is decided in
/// `MapDrawing`, what a look means in `MapLook`.
///
/// The margin may change. That MapKit's own deselection doesn't reach the model must stay (decision 14); `make test-example`
/// compiles it against a stand-in and shows every screen.
public struct PeopleMap: View {
    private let drawing: MapDrawing
    private let look: MapLook?
    private let callout: MapCallout?
    private let settings: PeopleMapSettings
    private let label: ((String) -> String)?
    private let onMove: () -> Void
    private let onRegion: (Region) -> Void
    private let onOpen: (MapItem) -> Void
    @Binding private var selection: String?
    @State private var position: MapCameraPosition
    @State private var camera: MapCamera?

    /// The margin around a region that the map looks at, as a part of the region.
    private static let margin = 0.15

    /// Creates a map.
    ///
    /// - Parameters:
    ///   - annotations: What is on the map.
    ///   - selection: The id of the selected pin, or `nil`; the map sets it when the user selects.
    ///   - look: Where the map should look; the map moves when its number rises.
    ///   - callout: The texts of the selected pin's callout, or `nil` for none.
    ///   - settings: What the map shows beside the items.
    ///   - label: The text under the pin of an id, which VoiceOver reads; `nil`, or an empty text, for the item's name.
    ///   - onMove: Called when the user moves the map by hand, also by zooming.
    ///   - onRegion: Called with the region in view whenever the map has come to rest.
    ///   - onOpen: Called with the value behind the selected pin when the user taps the button of its callout.
    public init(
        _ annotations: MapAnnotations,
        selection: Binding<String?>,
        look: MapLook? = nil,
        callout: MapCallout? = nil,
        settings: PeopleMapSettings = PeopleMapSettings(),
        label: ((_ id: String) -> String)? = nil,
        onMove: @escaping () -> Void = {},
        onRegion: @escaping (Region) -> Void = { _ in },
        onOpen: @escaping (MapItem) -> Void = { _ in }
    ) {
        drawing = MapDrawing(annotations, settings, label: label)
        (self.look, self.callout, self.settings, self.label) = (look, callout, settings, label)
        (self.onMove, self.onRegion, self.onOpen) = (onMove, onRegion, onOpen)
        _selection = selection
        _position = State(initialValue: .rect(MKMapRect(settings.start ?? .everywhere)))
        _camera = State(initialValue: nil)
    }

    /// The map.
    public var body: some View {
        Map(position: positionByHand, selection: selectionByHand) {
            MapLayers(
                drawing: drawing,
                callout: callout,
                showsOwnPlace: settings.showsOwnPlace,
                label: label
            ) { onOpen($0.item) }
        }
        .onMapCameraChange(frequency: .onEnd) { context in
            camera = context.camera
            if let region = Region(context.rect) { onRegion(region) }
        }
        .onChange(of: look, initial: true) { _, look in follow(look) }
    }

    /// MapKit sets a position with `positionedByUser` after the user has moved the map.
    private var positionByHand: Binding<MapCameraPosition> {
        Binding {
            position
        } set: { next in
            position = next
            if next.positionedByUser { onMove() }
        }
    }

    /// MapKit sets `nil` also when the selected pin leaves the map; the model decides whether the pin stays selected.
    private var selectionByHand: Binding<String?> {
        Binding {
            selection
        } set: { next in
            let isKept = next == nil && selection.map { drawing.pins[$0] == nil } ?? false
            if !isKept, next != selection { selection = next }
        }
    }

    private func follow(_ look: MapLook?) {
        guard let look else { return }
        withAnimation { position = position(of: look.target) }
    }

    private func position(of target: MapLook.Target) -> MapCameraPosition {
        switch target {
        case .region(let region): .rect(MKMapRect(region.padded(by: Self.margin)))
        case .close(let place): .region(MKCoordinateRegion(near: place))
        case .center(let place):
            camera.map { .camera($0.moved(to: place)) } ?? .region(MKCoordinateRegion(near: place))
        }
    }
}

extension MapCamera {
    /// The camera at the same height and in the same direction, above another place.
    fileprivate func moved(to place: Coordinate) -> MapCamera {
        MapCamera(
            centerCoordinate: CLLocationCoordinate2D(place),
            distance: distance,
            heading: heading,
            pitch: pitch
        )
    }
}
#endif
