// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CoreLocation
import Foundation
public import UIKit

/// What stands for MapKit's map: nothing is drawn, and it behaves as the documentation says.
///
/// A view exists for each annotation in view, made by the delegate, and goes to a queue when it leaves the view. Selecting needs a view, and
/// is reported whether the app or a finger selects. Each move is reported at its beginning and at its end; an animated one ends when a
/// test calls ``finishMove()`` or another move begins, then on the way. The functions of `MKMapView+Hand.swift` stand for the user.
@MainActor
open class MKMapView: UIView {
    open weak var delegate: (any MKMapViewDelegate)?
    open private(set) var annotations: [any MKAnnotation] = []
    open private(set) var overlays: [any MKOverlay] = []
    open private(set) var userLocation: MKUserLocation = MKUserLocation()
    /// What is in view.
    var shownRect = MKMapRect.world

    open var showsUserLocation: Bool = false {
        didSet {
            guard showsUserLocation != oldValue else { return }
            if showsUserLocation { addAnnotation(userLocation) } else { removeAnnotation(userLocation) }
        }
    }

    private var classes: [String: MKAnnotationView.Type] = [:]
    private var queues: [String: [MKAnnotationView]] = [:]
    private var views: [ObjectIdentifier: MKAnnotationView] = [:]
    private var renderers: [ObjectIdentifier: MKOverlayRenderer] = [:]
    private var selected: (any MKAnnotation)?

    /// The end of the animated move that runs.
    var target: MKMapRect?

    /// Whether the delegate hears that an annotation is deselected because it leaves; Apple's documentation doesn't say so.
    package var reportsDeselectionOfRemoved = true

    /// How many times a view was made, and not taken from a queue.
    package private(set) var madeViews = 0

    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    // MARK: Region

    open var region: MKCoordinateRegion {
        get { MKCoordinateRegion(visibleMapRect) }
        set { setRegion(newValue, animated: false) }
    }

    open var visibleMapRect: MKMapRect {
        get { shownRect }
        set { setVisibleMapRect(newValue, animated: false) }
    }

    open var centerCoordinate: CLLocationCoordinate2D {
        get { region.center }
        set { setCenter(newValue, animated: false) }
    }

    open func setRegion(_ region: MKCoordinateRegion, animated: Bool) {
        let (center, span) = (region.center, region.span)
        let north = MKMapPoint(
            CLLocationCoordinate2D(latitude: center.latitude + span.latitudeDelta / 2, longitude: 0)
        )
        let south = MKMapPoint(
            CLLocationCoordinate2D(latitude: center.latitude - span.latitudeDelta / 2, longitude: 0)
        )
        let width = span.longitudeDelta / 360 * MKMapSize.world.width
        let middle = MKMapPoint(center)
        let height = south.y - north.y
        let rect = MKMapRect(
            x: middle.x - width / 2,
            y: middle.y - height / 2,
            width: width,
            height: height
        )
        setVisibleMapRect(rect, animated: animated)
    }

    open func setCenter(_ coordinate: CLLocationCoordinate2D, animated: Bool) {
        let middle = MKMapPoint(coordinate)
        let size = visibleMapRect.size
        let origin = MKMapPoint(x: middle.x - size.width / 2, y: middle.y - size.height / 2)
        setVisibleMapRect(MKMapRect(origin: origin, size: size), animated: animated)
    }

    open func setVisibleMapRect(_ mapRect: MKMapRect, animated animate: Bool) {
        move(to: fitting(mapRect), animated: animate)
    }

    open func setVisibleMapRect(
        _ mapRect: MKMapRect,
        edgePadding insets: UIEdgeInsets,
        animated animate: Bool
    ) {
        setVisibleMapRect(mapRect, animated: animate)
    }

    /// The smallest rectangle around the same middle that contains another one, and has the shape of the view.
    private func fitting(_ rect: MKMapRect) -> MKMapRect {
        guard frame.width > 0, frame.height > 0 else { return rect }
        let shape = Double(frame.width / frame.height)
        let width = max(rect.width, rect.height * shape)
        let height = width / shape
        return MKMapRect(x: rect.midX - width / 2, y: rect.midY - height / 2, width: width, height: height)
    }

    // MARK: Annotations

    open func addAnnotation(_ annotation: any MKAnnotation) {
        addAnnotations([annotation])
    }

    open func addAnnotations(_ annotations: [any MKAnnotation]) {
        for annotation in annotations where !self.annotations.contains(where: { $0 === annotation }) {
            self.annotations.append(annotation)
            (annotation as? MKPointAnnotation)?.moved = { [weak self] in
                MainActor.assumeIsolated { self?.layOut() }
            }
        }
        layOut()
    }

    open func removeAnnotation(_ annotation: any MKAnnotation) {
        removeAnnotations([annotation])
    }

    open func removeAnnotations(_ annotations: [any MKAnnotation]) {
        for annotation in annotations {
            guard let index = self.annotations.firstIndex(where: { $0 === annotation }) else { continue }
            if selected === annotation {
                if reportsDeselectionOfRemoved { deselectAnnotation(annotation, animated: false) }
                selected = nil
            }
            self.annotations.remove(at: index)
            (annotation as? MKPointAnnotation)?.moved = nil
            queue(annotation)
        }
    }

    open func view(for annotation: any MKAnnotation) -> MKAnnotationView? {
        views[ObjectIdentifier(annotation)]
    }

    open func register(
        _ viewClass: AnyClass?,
        forAnnotationViewWithReuseIdentifier identifier: String
    ) {
        classes[identifier] = viewClass as? MKAnnotationView.Type
    }

    open func dequeueReusableAnnotationView(withIdentifier identifier: String) -> MKAnnotationView? {
        guard let view = queues[identifier]?.popLast() else { return nil }
        view.prepareForReuse()
        return view
    }

    open func dequeueReusableAnnotationView(
        withIdentifier identifier: String,
        for annotation: any MKAnnotation
    ) -> MKAnnotationView {
        if let view = dequeueReusableAnnotationView(withIdentifier: identifier) {
            view.annotation = annotation
            return view
        }
        guard let made = classes[identifier] else {
            preconditionFailure("No class is registered for \(identifier).")
        }
        madeViews += 1
        return made.init(annotation: annotation, reuseIdentifier: identifier)
    }

    /// Gives each annotation in view a view, and takes the views of the others but of the selected one.
    func layOut() {
        var added: [MKAnnotationView] = []
        for annotation in annotations {
            let isInView = visibleMapRect.contains(MKMapPoint(annotation.coordinate))
            if isInView, views[ObjectIdentifier(annotation)] == nil {
                let view =
                    delegate?.mapView(self, viewFor: annotation)
                    ?? MKAnnotationView(annotation: annotation, reuseIdentifier: nil)
                views[ObjectIdentifier(annotation)] = view
                added.append(view)
            } else if !isInView, selected !== annotation {
                queue(annotation)
            }
        }
        if !added.isEmpty { delegate?.mapView(self, didAdd: added) }
    }

    private func queue(_ annotation: any MKAnnotation) {
        guard let view = views.removeValue(forKey: ObjectIdentifier(annotation)) else { return }
        view.isSelected = false
        if let identifier = view.reuseIdentifier { queues[identifier, default: []].append(view) }
    }

    // MARK: Selection

    open var selectedAnnotations: [any MKAnnotation] { selected.map { [$0] } ?? [] }

    /// Has no effect on an annotation that isn't in view.
    open func selectAnnotation(_ annotation: any MKAnnotation, animated: Bool) {
        guard selected !== annotation, let view = view(for: annotation) else { return }
        if let selected { deselectAnnotation(selected, animated: animated) }
        selected = annotation
        view.setSelected(true, animated: animated)
        delegate?.mapView(self, didSelect: view)
        delegate?.mapView(self, didSelect: annotation)
    }

    open func deselectAnnotation(_ annotation: (any MKAnnotation)?, animated: Bool) {
        guard let annotation, selected === annotation else { return }
        selected = nil
        guard let view = view(for: annotation) else { return }
        view.setSelected(false, animated: animated)
        delegate?.mapView(self, didDeselect: view)
        delegate?.mapView(self, didDeselect: annotation)
    }

    // MARK: Overlays

    open func addOverlay(_ overlay: any MKOverlay) {
        insert(overlay, at: overlays.count)
    }

    open func insertOverlay(_ overlay: any MKOverlay, above sibling: any MKOverlay) {
        let index = overlays.firstIndex { $0 === sibling }
        insert(overlay, at: index.map { $0 + 1 } ?? overlays.count)
    }

    open func removeOverlay(_ overlay: any MKOverlay) {
        overlays.removeAll { $0 === overlay }
        renderers[ObjectIdentifier(overlay)] = nil
    }

    open func renderer(for overlay: any MKOverlay) -> MKOverlayRenderer? {
        renderers[ObjectIdentifier(overlay)]
    }

    private func insert(_ overlay: any MKOverlay, at index: Int) {
        overlays.insert(overlay, at: index)
        renderers[ObjectIdentifier(overlay)] = delegate?.mapView(self, rendererFor: overlay)
    }
}
