#if canImport(MapKit) && canImport(UIKit)
import CoreLocation
public import MapKit
import UIKit
public import YonderClient
public import YonderGeodesy

/// Shows people, lines and objects on an `MKMapView`.
///
/// Create a driver for a map view and keep it as long as the view; the driver is the view's delegate. Call
/// ``update(_:selection:look:callout:label:)`` with what the screen's model has, after each change of the model, and pass what the user
/// does to the model:
///
/// ```swift
/// driver.onSelect = { model.selection = $0 }
/// driver.onMove = { model.mapWasMoved() }
/// driver.onOpen = { _ in model.toggleFollowing() }
/// ```
///
/// An item keeps its one annotation object while it is on the map, so a pin that moves stays selected and its callout stays open.
///
/// For apps with UIKit; `PeopleMap` is the same for SwiftUI. The app calls `update`, MapKit calls `MapDelegate`, which calls
/// the functions below; all on the main actor. Nothing fails: an id that isn't on the map selects nothing. What changed is
/// decided in `MapDrawing`, what a move means in `MapMoves`, the selection in `PinSelection`; each has its tests in
/// `YonderMapTests`. `MapDriverTests` runs this file against a stand-in of MapKit (`make test-apple`).
///
/// Margin and glide may change. That an item keeps its annotation must stay (decision 14).
@MainActor
public final class MapDriver {
    /// Called with the id of the pin that the user selects, or with `nil`.
    public var onSelect: (String?) -> Void = { _ in }

    /// Called when the user moves the middle of the map by hand.
    public var onMove: () -> Void = {}

    /// Called with the region in view whenever the map has come to rest.
    public var onRegion: (Region) -> Void = { _ in }

    /// Called with the value behind the selected pin when the user taps the button of its callout.
    public var onOpen: (MapItem) -> Void = { _ in }

    /// What the map shows beside the items; a change holds from the next update.
    public var settings: PeopleMapSettings

    let mapView: MKMapView
    private var callout: MapCallout?
    private var label: ((String) -> String)?
    private var drawing = MapDrawing()
    private var annotations: [String: PinAnnotation] = [:]
    private var overlays: [String: MKPolyline] = [:]
    private var moves = MapMoves()
    private var selection = PinSelection()
    private var region: Region?
    private var look: MapLook?
    private lazy var delegate = MapDelegate(self)

    /// The margin around a region that the map looks at, in points.
    private static let margin = 48.0

    /// How long a pin takes to its next position, in seconds.
    private static let glide = 0.3

    /// Creates the driver of a map view, and becomes its delegate.
    public init(_ mapView: MKMapView, settings: PeopleMapSettings = PeopleMapSettings()) {
        (self.mapView, self.settings) = (mapView, settings)
        for kind in MapKind.allCases {
            mapView.register(kind.viewClass, forAnnotationViewWithReuseIdentifier: kind.rawValue)
        }
        mapView.delegate = delegate
        mapView.setVisibleMapRect(MKMapRect(settings.start ?? .everywhere), animated: false)
    }

    /// Shows the content of a model.
    ///
    /// - Parameters:
    ///   - annotations: What is on the map.
    ///   - selection: The id of the selected pin, or `nil`.
    ///   - look: Where the map should look; the map moves when its number rises.
    ///   - callout: The texts of the selected pin's callout, or `nil`.
    ///   - label: The text under the pin of an id, which VoiceOver reads; `nil`, or an empty text, for the item's name.
    public func update(
        _ annotations: MapAnnotations,
        selection: String?,
        look: MapLook? = nil,
        callout: MapCallout? = nil,
        label: ((_ id: String) -> String)? = nil
    ) {
        mapView.showsUserLocation = settings.showsOwnPlace
        self.label = label
        let next = MapDrawing(annotations, settings, label: label)
        apply(next.changes(from: drawing), then: next)
        self.callout = callout
        for id in Set([self.selection.shown, callout?.id].compactMap(\.self)) { showCallout(of: id) }
        self.selection.want(selection)
        settle()
        self.look = look
        followLook()
    }

    // MARK: - Items

    private func apply(_ changes: MapDrawing.Changes, then next: MapDrawing) {
        drawing = next
        remove(changes.removed)
        glide(changes.changed + changes.moved)
        for pin in changes.changed { restyle(pin.id) }
        let added = changes.added.map(PinAnnotation.init)
        for annotation in added { annotations[annotation.pin.id] = annotation }
        if !added.isEmpty { mapView.addAnnotations(added) }
        for line in changes.lines { draw(line) }
        for id in changes.removedLines {
            if let overlay = overlays.removeValue(forKey: id) { mapView.removeOverlay(overlay) }
        }
    }

    private func remove(_ ids: [String]) {
        guard !ids.isEmpty else { return }
        selection.willRemove(ids)
        mapView.removeAnnotations(ids.compactMap { annotations.removeValue(forKey: $0) })
    }

    /// Moves annotations to their new positions; MapKit moves their views along.
    private func glide(_ pins: [DrawnPin]) {
        guard !pins.isEmpty else { return }
        if UIAccessibility.isReduceMotionEnabled { return place(pins) }
        UIView.animate(withDuration: Self.glide) { self.place(pins) }
    }

    private func place(_ pins: [DrawnPin]) {
        for pin in pins { annotations[pin.id]?.take(pin) }
    }

    private func restyle(_ id: String) {
        guard let annotation = annotations[id], let view = mapView.view(for: annotation) else { return }
        style(view, annotation)
    }

    /// Draws a line anew: above its older version, which leaves the map only then, so that there is always one.
    private func draw(_ line: DrawnLine) {
        let points = line.points.map { CLLocationCoordinate2D($0) }
        let overlay = MKGeodesicPolyline(coordinates: points, count: points.count)
        let older = overlays.updateValue(overlay, forKey: line.id)
        guard let older else { return mapView.addOverlay(overlay) }
        mapView.insertOverlay(overlay, above: older)
        mapView.removeOverlay(older)
    }

    // MARK: - Looking

    /// Looks where the app wants, once the view has a size.
    private func followLook() {
        if !mapView.bounds.isEmpty, let target = moves.take(look) { look(at: target) }
    }

    private func look(at target: MapLook.Target) {
        switch target {
        case .center(let place):
            moves.willMove(to: place)
            mapView.setCenter(CLLocationCoordinate2D(place), animated: true)
        case .close(let place):
            moves.willMove(to: place)
            mapView.setRegion(MKCoordinateRegion(near: place), animated: true)
        case .region(let region):
            let rect = MKMapRect(region)
            if let middle = Coordinate(MKMapPoint(x: rect.midX, y: rect.midY).coordinate) {
                moves.willMove(to: middle)
            }
            let margin = UIEdgeInsets(
                top: Self.margin,
                left: Self.margin,
                bottom: Self.margin,
                right: Self.margin
            )
            mapView.setVisibleMapRect(rect, edgePadding: margin, animated: true)
        }
    }

    private var frame: MapMoves.Frame? {
        let region = mapView.region
        return Coordinate(region.center).map {
            MapMoves.Frame(center: $0, height: region.span.latitudeDelta, width: region.span.longitudeDelta)
        }
    }
}

// What MapKit reports.
extension MapDriver {
    func didBeginMove() {
        moves.didBegin()
    }

    func moveGoesOn() {
        if let frame, moves.goesOn(frame) { onMove() }
    }

    func didEndMove() {
        if let frame, moves.didEnd(frame) { onMove() }
        settle()
        followLook()
        guard let region = Region(mapView.visibleMapRect), region != self.region else { return }
        self.region = region
        onRegion(region)
    }

    /// Selects the pin that the app wants, once the pin is in view.
    func settle() {
        switch selection.action(isOnMap: { annotations[$0] != nil }) {
        case .select(let id):
            if let annotation = annotations[id] { mapView.selectAnnotation(annotation, animated: true) }
        case .deselect(let id):
            mapView.deselectAnnotation(annotations[id], animated: true)
        case nil: break
        }
    }

    func didSelect(_ annotation: PinAnnotation) {
        showCallout(of: annotation.pin.id)
        if selection.didSelect(annotation.pin.id) { onSelect(annotation.pin.id) }
    }

    func didDeselect(_ annotation: PinAnnotation) {
        if selection.didDeselect(annotation.pin.id, isOnMap: { annotations[$0] != nil }) { onSelect(nil) }
    }

    func didTapButton(of annotation: PinAnnotation) {
        onOpen(annotation.pin.item)
    }

    func view(for annotation: PinAnnotation) -> MKAnnotationView {
        let identifier = annotation.pin.kind.rawValue
        let view = mapView.dequeueReusableAnnotationView(withIdentifier: identifier, for: annotation)
        style(view, annotation)
        return view
    }

    func renderer(for overlay: MKPolyline) -> MKOverlayRenderer {
        let renderer = MKPolylineRenderer(polyline: overlay)
        let line = overlays.first { $0.value === overlay }.flatMap { drawing.lines[$0.key] }
        if let line { renderer.strokeColor = UIColor(line.color) }
        renderer.lineWidth = 4
        return renderer
    }

    private func style(_ view: MKAnnotationView, _ annotation: PinAnnotation) {
        annotation.pin.style(view, spoken: annotation.pin.spoken(label))
        view.show(annotation.pin.id == callout?.id ? callout : nil)
    }

    private func showCallout(of id: String) {
        guard let annotation = annotations[id] else { return }
        mapView.view(for: annotation)?.show(id == callout?.id ? callout : nil)
    }
}
#endif
