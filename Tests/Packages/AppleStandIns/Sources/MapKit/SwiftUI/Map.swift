// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CoreLocation
public import SwiftUI

public struct MapCameraBounds {}

public struct MapInteractionModes: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let all = MapInteractionModes(rawValue: 15)
}

public struct MapContentView<SelectionValue: Hashable, Content: MapContent>: View, ReadableView {
    public typealias Body = Never
    let content: Content
    let position: Binding<MapCameraPosition>
    let selection: Binding<SelectionValue?>

    package func elements(in reading: Reading) -> [Element] {
        let map = ShownMap(
            position: position,
            select: { selection.wrappedValue = $0?.base as? SelectionValue },
            selection: { selection.wrappedValue.map { AnyHashable($0) } },
            window: reading.remembered("window") { MapWindowMemory() }
        )
        content.read(on: map, in: reading)
        var element = Element(.foreign, "", map.items.flatMap(\.elements))
        element.view = map
        return [element]
    }
}

@MainActor @preconcurrency
public struct Map<Content: View>: View {
    let content: Content

    public init<SelectedValue: Hashable, C: MapContent>(
        position: Binding<MapCameraPosition>,
        bounds: MapCameraBounds? = nil,
        interactionModes: MapInteractionModes = .all,
        selection: Binding<SelectedValue?>,
        scope: Namespace.ID? = nil,
        @MapContentBuilder content: () -> C
    ) where Content == MapContentView<SelectedValue, C> {
        self.content = MapContentView(content: content(), position: position, selection: selection)
    }

    public var body: some View { content }
}

/// What a map showed last.
@MainActor final class MapWindowMemory {
    var rect = MKMapRect.world
    var distance = 10_000_000.0
    var mark = ""
}

/// A map in the hands of a test: what is drawn on it, and what the user does.
///
/// Apple's MapKit has no such type.
@MainActor package final class ShownMap {
    /// An annotation, a line, or the dot of the user's own place.
    package struct Item {
        package enum Kind {
            case annotation, line, ownPlace
        }

        package let kind: Kind
        package let coordinates: [CLLocationCoordinate2D]
        package var title = ""
        package var isTitleHidden = false
        package var tag: AnyHashable?
        package var color: Color?
        package var elements: [Element] = []

        init(_ kind: Kind, _ coordinates: [CLLocationCoordinate2D]) {
            (self.kind, self.coordinates) = (kind, coordinates)
        }
    }

    /// What is on the map, from below to above.
    package internal(set) var items: [Item] = []

    var onCameraChange: ((MapCameraUpdateContext) -> Void)?
    private let position: Binding<MapCameraPosition>
    private let select: (AnyHashable?) -> Void
    private let selection: () -> AnyHashable?
    private let window: MapWindowMemory

    init(
        position: Binding<MapCameraPosition>,
        select: @escaping (AnyHashable?) -> Void,
        selection: @escaping () -> AnyHashable?,
        window: MapWindowMemory
    ) {
        (self.position, self.select, self.selection, self.window) = (position, select, selection, window)
    }

    /// The part of the map in view.
    package var rect: MKMapRect { window.rect }

    /// The content that is selected.
    package var selected: Item? { selection().flatMap { tag in items.first { $0.tag == tag } } }

    /// Whether the app wants the map to look elsewhere than it did last.
    package var isAsked: Bool {
        let position = position.wrappedValue
        return !position.positionedByUser && position.mark != window.mark
    }

    /// Moves to where the app wants the map to look, and reports it.
    ///
    /// Apple's documentation doesn't say whether a map sets the app's own position again; this one does.
    package func settle() {
        let position = position.wrappedValue
        self.position.wrappedValue = position
        if let rect = position.rect { window.rect = rect }
        if let region = position.region { center(region.center, height: region.span.latitudeDelta) }
        if let camera = position.camera {
            center(camera.centerCoordinate, height: MKCoordinateRegion(window.rect).span.latitudeDelta)
            window.distance = camera.distance
        }
        window.mark = position.mark
        report()
    }

    /// Drags the map by parts of its width and height.
    package func drag(east: Double = 0, south: Double = 0) {
        window.rect.origin.x += east * window.rect.width
        window.rect.origin.y += south * window.rect.height
        position.wrappedValue = MapCameraPosition(kind: .user)
        report()
    }

    /// Taps the content with a tag, or where there is none.
    package func tap(_ tag: AnyHashable?) {
        select(tag)
    }

    private func center(_ center: CLLocationCoordinate2D, height: Double) {
        let side = height / 360 * MKMapSize.world.width
        let middle = MKMapPoint(center)
        window.rect = MKMapRect(x: middle.x - side / 2, y: middle.y - side / 2, width: side, height: side)
    }

    private func report() {
        let region = MKCoordinateRegion(window.rect)
        let camera = MapCamera(centerCoordinate: region.center, distance: window.distance)
        onCameraChange?(MapCameraUpdateContext(camera: camera, rect: window.rect, region: region))
    }
}
