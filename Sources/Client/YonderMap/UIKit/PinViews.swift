#if canImport(MapKit) && canImport(UIKit)
import MapKit
import UIKit
import YonderClient

// How pins look in UIKit, for `MapDriver`, on the main actor. Nothing fails; a view that MapKit uses again gets every
// property anew. Sizes and symbols may change. That both of two pins at one place are shown, and that an open callout stays
// open when its texts change, must stay (`MapDriverTests` in `make test-apple`).
extension MapKind {
    /// The class of the views of this kind.
    @MainActor var viewClass: MKAnnotationView.Type {
        switch self {
        case .person, .object: MKMarkerAnnotationView.self
        case .stop: MKAnnotationView.self
        }
    }
}

extension DrawnPin {
    /// Gives a new or used view the look of the pin.
    @MainActor
    func style(_ view: MKAnnotationView, spoken: String) {
        view.accessibilityLabel = spoken
        view.canShowCallout = true
        if let marker = view as? MKMarkerAnnotationView {
            marker.markerTintColor = UIColor(color)
            marker.glyphText = letters.isEmpty ? nil : letters
            // Without this, MapKit hides one of two pins at the same place.
            marker.displayPriority = .required
        } else {
            view.image = Self.dot(UIColor(color))
        }
    }

    private static func dot(_ color: UIColor) -> UIImage? {
        UIImage(systemName: "circle.fill", withConfiguration: UIImage.SymbolConfiguration(pointSize: 9))?
            .withTintColor(color, renderingMode: .alwaysOriginal)
    }
}

extension MKAnnotationView {
    /// Shows the texts of a callout below its title, which is the annotation's; an open callout stays open.
    func show(_ callout: MapCallout?) {
        detailCalloutAccessoryView = label(callout?.lines ?? [])
        rightCalloutAccessoryView = button(callout)
    }

    /// The label of now with other lines, or a new one.
    private func label(_ lines: [String]) -> UILabel? {
        guard !lines.isEmpty else { return nil }
        let label = detailCalloutAccessoryView as? UILabel ?? UILabel(frame: .zero)
        label.numberOfLines = 0
        label.font = .preferredFont(forTextStyle: .footnote)
        label.adjustsFontForContentSizeCategory = true
        label.text = lines.joined(separator: "\n")
        return label
    }

    /// The button of now with another text, or a new one.
    private func button(_ callout: MapCallout?) -> UIButton? {
        guard let callout, let text = callout.button else { return nil }
        let button = rightCalloutAccessoryView as? UIButton ?? UIButton(type: .system)
        button.setTitle(text, for: .normal)
        button.accessibilityLabel = callout.spokenButton ?? text
        button.sizeToFit()
        return button
    }
}
#endif
