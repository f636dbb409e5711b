// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
import UIKit

// What the user does, and when an animation ends. Apple's MapKit has none of these functions.
extension MKMapView {
    /// Begins a move; one that runs ends on its way.
    func move(to rect: MKMapRect, animated: Bool) {
        cutShort()
        delegate?.mapView(self, regionWillChangeAnimated: animated)
        target = rect
        if !animated { end(animated: false) }
    }

    /// Ends the animated move that runs.
    package func finishMove() {
        if target != nil { end(animated: true) }
    }

    private func end(animated: Bool) {
        if let target { shownRect = target }
        target = nil
        report(animated: animated)
    }

    private func cutShort() {
        guard let target else { return }
        self.target = nil
        let (from, to) = (shownRect, target)
        shownRect = MKMapRect(
            x: (from.minX + to.minX) / 2,
            y: (from.minY + to.minY) / 2,
            width: (from.width + to.width) / 2,
            height: (from.height + to.height) / 2
        )
        report(animated: true)
    }

    private func report(animated: Bool) {
        layOut()
        delegate?.mapViewDidChangeVisibleRegion(self)
        delegate?.mapView(self, regionDidChangeAnimated: animated)
    }

    /// Drags the map by parts of its width and height, in steps as a finger does.
    package func drag(east: Double = 0, south: Double = 0, steps: Int = 4) {
        cutShort()
        delegate?.mapView(self, regionWillChangeAnimated: false)
        for _ in 0..<steps {
            shownRect.origin.x += east * shownRect.width / Double(steps)
            shownRect.origin.y += south * shownRect.height / Double(steps)
            layOut()
            delegate?.mapViewDidChangeVisibleRegion(self)
        }
        delegate?.mapView(self, regionDidChangeAnimated: false)
    }

    /// Zooms the map around its middle.
    package func pinch(by factor: Double) {
        cutShort()
        delegate?.mapView(self, regionWillChangeAnimated: false)
        let (old, width, height) = (
            shownRect, shownRect.width / factor, shownRect.height / factor
        )
        shownRect = MKMapRect(
            x: old.midX - width / 2,
            y: old.midY - height / 2,
            width: width,
            height: height
        )
        report(animated: false)
    }

    /// Taps the pin of an annotation, which must be in view.
    package func tap(_ annotation: any MKAnnotation) {
        selectAnnotation(annotation, animated: true)
    }

    /// Taps where there is no pin.
    package func tapNothing() {
        for annotation in selectedAnnotations { deselectAnnotation(annotation, animated: true) }
    }

    /// Taps the control at the right of the callout that is open.
    ///
    /// - Returns: Whether there is one.
    package func tapCalloutButton() -> Bool {
        guard let annotation = selectedAnnotations.first, let view = view(for: annotation),
            view.isCalloutOpen,
            let control = view.rightCalloutAccessoryView as? UIControl
        else { return false }
        delegate?.mapView(self, annotationView: view, calloutAccessoryControlTapped: control)
        return true
    }
}
