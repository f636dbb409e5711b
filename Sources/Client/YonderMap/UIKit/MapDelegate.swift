#if canImport(MapKit) && canImport(UIKit)
import MapKit
import UIKit

/// Passes what MapKit reports to a driver.
///
/// MapKit holds its delegate weakly, so `MapDriver` owns it. It decides nothing, and a report after the driver's end does
/// nothing. A further report of MapKit is a function here and one of the driver (`MapDriverTests` in `make test-apple`).
@MainActor
final class MapDelegate: NSObject, MKMapViewDelegate {
    private weak var driver: MapDriver?

    init(_ driver: MapDriver) {
        self.driver = driver
        super.init()
    }

    func mapView(_ mapView: MKMapView, regionWillChangeAnimated animated: Bool) {
        driver?.didBeginMove()
    }

    func mapViewDidChangeVisibleRegion(_ mapView: MKMapView) {
        driver?.moveGoesOn()
    }

    func mapView(_ mapView: MKMapView, regionDidChangeAnimated animated: Bool) {
        driver?.didEndMove()
    }

    /// The user's own place is no `PinAnnotation`: the system draws its dot.
    func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView? {
        (annotation as? PinAnnotation).flatMap { driver?.view(for: $0) }
    }

    func mapView(_ mapView: MKMapView, didAdd views: [MKAnnotationView]) {
        driver?.settle()
    }

    func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
        (overlay as? MKPolyline).flatMap { driver?.renderer(for: $0) } ?? MKOverlayRenderer(overlay: overlay)
    }

    func mapView(_ mapView: MKMapView, didSelect annotation: any MKAnnotation) {
        if let annotation = annotation as? PinAnnotation { driver?.didSelect(annotation) }
    }

    func mapView(_ mapView: MKMapView, didDeselect annotation: any MKAnnotation) {
        if let annotation = annotation as? PinAnnotation { driver?.didDeselect(annotation) }
    }

    func mapView(
        _ mapView: MKMapView,
        annotationView view: MKAnnotationView,
        calloutAccessoryControlTapped control: UIControl
    ) {
        if let annotation = view.annotation as? PinAnnotation { driver?.didTapButton(of: annotation) }
    }
}
#endif
